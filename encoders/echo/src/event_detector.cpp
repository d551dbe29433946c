#include <algorithm>

#include "event_memory.hpp"

namespace tickreel::echo {

namespace {

phase phase_of(const state& now, phase otherwise) noexcept {
  struct row {
    std::string_view word;
    phase is;
  };
  static constexpr row rows[] = {
      {"playing", phase::playing},
      {"score", phase::score},
      {"", phase::none},
      {"pre_match", phase::pre_match},
      {"round_start", phase::round_start},
      {"round_over", phase::round_over},
      {"pre_sudden_death", phase::pre_sudden_death},
      {"sudden_death", phase::sudden_death},
      {"post_sudden_death", phase::post_sudden_death},
      {"post_match", phase::post_match},
  };
  if ((now.match.fields & session::has_game_status) == 0) return otherwise;
  const std::string_view word = now.match.game_status.view();
  for (const row& each : rows) {
    if (each.word == word) return each.is;
  }
  return otherwise;  // an unknown status changes nothing
}

// The usual interval of ticks, to detect missing ones.
class interval {
 public:
  // True if ticks are missing between two with this interval.
  bool note(std::int32_t elapsed) noexcept {
    const auto now = static_cast<float>(elapsed);
    if (usual_ms_ <= 0) {
      usual_ms_ = now;
      return false;
    }
    // Polls come a few milliseconds early or late.
    const bool missing = now > 1.6f * usual_ms_ && now > usual_ms_ + 6;
    usual_ms_ += 0.05f * (std::min(now, 2 * usual_ms_) - usual_ms_);
    return missing;
  }

 private:
  float usual_ms_ = 0;
};

}  // namespace

struct event_detector::memory {
  event_roster roster;
  session_events session;
  goal_events goals;
  disc_events disc;
  movement_events movement;
  interval usual;
  // The last tick, for finish().
  std::uint64_t tick = 0;
  std::int64_t time_ms = 0;
  text<40> sessionid;
  phase is = phase::unknown;
  bool any = false;
  bool lost = false;
  std::int32_t missed_ms = 0;
  std::unique_ptr<state> last = std::make_unique<state>();
};

event_detector::event_detector() : memory_(std::make_unique<memory>()) {}
event_detector::event_detector(event_detector&&) noexcept = default;
event_detector& event_detector::operator=(event_detector&&) noexcept = default;
event_detector::~event_detector() = default;

void event_detector::note_lost() noexcept {
  memory_->lost = true;
}

std::int32_t event_detector::missed_ms() const noexcept {
  return memory_->missed_ms;
}

void event_detector::clear() noexcept {
  memory& m = *memory_;
  m.roster.clear();
  m.session = {};
  m.goals = {};
  m.disc = {};
  m.movement = {};
  m.usual = {};
  m.sessionid = {};
  m.is = phase::unknown;
  m.any = m.lost = false;
}

void event_detector::finish(event_listener& to) noexcept {
  memory& m = *memory_;
  if (!m.any) return;
  look at;
  at.tick = m.tick;
  at.now = m.last.get();
  at.to = &to;
  at.was = at.is = m.is;
  m.goals.finish(at, m.roster);
  m.disc.finish(at, m.roster);
}

void event_detector::see(std::uint64_t tick, const state& now, event_listener& to) noexcept {
  memory& m = *memory_;
  if (m.any && !(m.sessionid == now.match.sessionid)) {
    finish(to);
    look last;
    last.tick = m.tick;
    last.now = m.last.get();
    last.to = &to;
    last.was = last.is = m.is;
    m.session.leave(last);
    clear();
  }
  look at;
  at.tick = tick;
  at.now = &now;
  at.to = &to;
  at.first = !m.any;
  at.was = m.is;
  at.is = phase_of(now, m.is);
  if (m.any) {
    at.elapsed_ms = elapsed_ms(now.recorded_time_ms, m.time_ms);
    if (now.recorded_time_ms < m.time_ms) {
      // Pending events would wait until the clock has caught up.
      m.session.set_clock_back(now.recorded_time_ms);
      m.goals.set_clock_back(now.recorded_time_ms);
      m.disc.set_clock_back(now.recorded_time_ms);
      m.movement.set_clock_back(now.recorded_time_ms);
    }
    const bool missing = m.usual.note(at.elapsed_ms);
    const bool jumped = tick != m.tick + 1 || now.recorded_time_ms < m.time_ms;
    // At least one, so that it is reported even if the times do not show it.
    if (missing || jumped || m.lost) at.missed_ms = std::max(1, at.elapsed_ms);
  }
  m.lost = false;
  m.missed_ms = at.missed_ms;
  m.roster.look(now);
  if (at.first) {
    at.was = at.is;
    m.session.begin(at);
    m.goals.begin(at);
    m.disc.begin(at, m.roster);
    m.movement.begin(at, m.roster);
  } else {
    m.session.see(at, m.roster);
    m.goals.see(at, m.roster);
    m.disc.see(at, m.roster);
    m.movement.see(at, m.roster);
    m.session.see_end(at);
  }
  m.any = true;
  m.tick = tick;
  m.time_ms = now.recorded_time_ms;
  m.is = at.is;
  m.sessionid = now.match.sessionid;
  // Of the last tick only its own data is needed later.
  m.last->recorded_time_ms = now.recorded_time_ms;
  m.last->match.fields = now.match.fields;
  m.last->match.game_clock = now.match.game_clock;
}

}  // namespace tickreel::echo
