// The events that the simulator caused, by its own rules: tests compare detected events with them.
#include "match.hpp"

namespace tickreel::echo_vr {

namespace {

bool is_live(stage one) noexcept {
  return one == stage::playing || one == stage::sudden_death;
}

}  // namespace

void match::note(const echo::event_data& what) noexcept {
  if (options_.keep_played) played_.push_back({tick_, what});
}

echo::participant match::person(int who) const noexcept {
  if (who < 0) return {};
  const athlete& a = athletes_[who];
  echo::participant made;
  made.name.assign(a.name);
  made.userid = a.userid;
  made.slot = a.slot;
  made.team = team_of(who) < 0 ? echo::side::none : static_cast<echo::side>(team_of(who));
  return made;
}

void match::note_schedule() noexcept {
  const schedule& s = schedule_;
  if (is_due(s.ping_spike) && team_of(local_) >= 0) note(echo::ping_spike{person(local_)});
  if (!is_arena()) return;
  if (is_due(s.paused)) note(echo::pause_started{echo::side::orange});
  if (is_due(s.unpaused)) note(echo::pause_ended{echo::side::orange});
  if (is_due(s.blue_restart)) note(echo::restart_requested{echo::side::blue});
  if (is_due(s.orange_restart)) note(echo::restart_requested{echo::side::orange});
}

void match::note_stage(stage before) noexcept {
  if (stage_ == before) return;
  const auto winner = points_[0] > points_[1]   ? echo::side::blue
                      : points_[1] > points_[0] ? echo::side::orange
                                                : echo::side::none;
  jousting_ = is_live(stage_) && !is_live(before);
  if (stage_ == stage::round_start) {
    round_runs_ = true;
    note(echo::round_started{1});
  }
  const bool is_over =
      stage_ == stage::round_over || stage_ == stage::post_sudden_death || stage_ == stage::post_match;
  if (is_over && round_runs_) {
    round_runs_ = false;
    note(echo::round_ended{points_[0], points_[1], winner});
  }
  if (stage_ == stage::post_match) note(echo::match_ended{points_[0], points_[1], winner});
}

void match::note_owner(int before) noexcept {
  if (is_arena() && owner() != before) note(echo::possession_changed{person(owner()), person(before)});
}

echo::payload_changed match::payload_now() const noexcept {
  const auto state = objective_.contested           ? echo::payload_motion::contested
                     : objective_.payload_speed > 0 ? echo::payload_motion::moving
                                                    : echo::payload_motion::stopped;
  return {state, objective_.checkpoint, objective_.payload_distance, objective_.payload_speed};
}

}  // namespace tickreel::echo_vr
