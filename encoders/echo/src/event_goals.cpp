// Goals: the game reports them twice, in the points and in last_score, not always in the same tick.
#include <algorithm>

#include "event_memory.hpp"

namespace tickreel::echo {

namespace {

bool is_same(const last_score& a, const last_score& b) noexcept {
  return a.disc_speed == b.disc_speed && a.distance_thrown == b.distance_thrown &&
         a.point_amount == b.point_amount && a.team == b.team && a.goal_type == b.goal_type &&
         a.person_scored == b.person_scored && a.assist_scored == b.assist_scored;
}

// Before any goal. A .butter cannot express it: it contains 3 points of the type `unknown`.
bool is_goal(const last_score& one) noexcept {
  return one.point_amount > 0 && one.point_amount < 1000 && one.goal_type.view() != "[NO GOAL]" &&
         (one.team.view() == "blue" || one.team.view() == "orange");
}

int team_of(const last_score& one) noexcept {
  return one.team.view() == "orange" ? 1 : 0;
}

std::int64_t points_of(const session& match, int team) noexcept {
  const float points = team == 0 ? match.blue_points : match.orange_points;
  return points > -1e6f && points < 1e6f ? static_cast<std::int64_t>(points) : 0;
}

// In combat points are progress, and no one scores.
bool has_points(const session& match) noexcept {
  constexpr std::uint64_t needed =
      session::has_blue_points | session::has_orange_points | session::has_last_score;
  return (match.fields & needed) == needed;
}

bool is_name(std::string_view name) noexcept {
  return !name.empty() && name != "[INVALID]";
}

// One of several players with that name, or one who left: only the name is known.
participant participant_named(std::string_view name, event_roster::match_by_name found, side team,
                              event_roster& roster) noexcept {
  if (!is_name(name)) return {};
  if (found.who != event_roster::nobody && !found.is_ambiguous) return roster.participant_of(found.who);
  participant one;
  (void)one.name.assign(name);
  if (found.is_ambiguous) one.team = team;
  return one;
}

std::int32_t small(std::int64_t points) noexcept {
  return static_cast<std::int32_t>(points);
}

}  // namespace

void goal_events::begin(const look& at) noexcept {
  *this = {};
  const session& match = at.now->match;
  has_points_ = has_points(match);
  for (int team = 0; team < 2; ++team) points_[team] = points_of(match, team);
  has_score_ = (match.fields & session::has_last_score) != 0;
  score_ = match.last_score;
}

// A player scores for the own team, or for the other one with a self goal.
side goal_events::scoring_side() const noexcept {
  const bool for_other = score_.goal_type.view() == "SELF GOAL";
  return static_cast<side>(for_other ? 1 - team_of(score_) : team_of(score_));
}

// The points may arrive before last_score.
std::int64_t goal_events::happened_ms() const noexcept {
  const int team = team_of(score_);
  return owed_[team] > 0 ? std::min(owed_since_ms_[team], since_ms_) : since_ms_;
}

goal_events::scorers goal_events::find_scorers(event_roster& roster) const noexcept {
  const std::int64_t since_ms = happened_ms() - std::min<std::int64_t>(wait_ms, happened_ms());
  scorers found;
  if (is_name(score_.person_scored.view())) {
    found.player =
        roster.named(score_.person_scored.view(), scoring_side(), &known_player::scored_ms, since_ms);
  }
  if (is_name(score_.assist_scored.view())) {
    found.assist = roster.named(score_.assist_scored.view(), static_cast<side>(team_of(score_)),
                                &known_player::assisted_ms, since_ms);
  }
  return found;
}

void goal_events::note_entry(const look& at) noexcept {
  if (entry_.noted && elapsed_ms(at.time_ms(), entry_.time_ms) < 2 * wait_ms) return;
  entry_ = {true, at.time_ms(), -1, false};
  const float speed = length(disc_velocity_);
  if (!has_flight_ || at.missed_ms != 0 || !(speed > 1e-3f)) return;
  const float outwards = disc_position_.z < 0 ? -disc_velocity_.z : disc_velocity_.z;
  const float angle = angle_deg(outwards / speed);
  entry_.from_behind = angle > 90;
  entry_.angle_deg = entry_.from_behind ? 180 - angle : angle;
}

void goal_events::emit_goal(const look& at, event_roster& roster) noexcept {
  const int team = team_of(score_);
  goal made;
  made.team = static_cast<side>(team);
  const scorers who = find_scorers(roster);
  made.player = participant_named(score_.person_scored.view(), who.player, scoring_side(), roster);
  made.assist = participant_named(score_.assist_scored.view(), who.assist, made.team, roster);
  made.points = score_.point_amount;
  made.distance_m = score_.distance_thrown;
  made.speed = score_.disc_speed;
  made.goal_type = score_.goal_type;
  made.bounced = score_.goal_type.view().find("BOUNCE") != std::string_view::npos;
  made.blue_points = small(points_[0]);
  made.orange_points = small(points_[1]);
  made.angle_deg = entry_.angle_deg;
  made.from_behind = entry_.from_behind;
  const bool paid = owed_[team] >= score_.point_amount;
  at.emit(event_source::last_score, made, 1, !paid || waits_gap_ || who.is_ambiguous(),
          elapsed_ms(at.time_ms(), happened_ms()));
  waits_ = false;
  if (paid) owed_[team] -= score_.point_amount;
}

void goal_events::emit_points(const look& at, int team) noexcept {
  goal made;
  made.team = static_cast<side>(team);
  made.points = small(owed_[team]);
  made.blue_points = small(points_[0]);
  made.orange_points = small(points_[1]);
  at.emit(event_source::points, made, 1, true, elapsed_ms(at.time_ms(), owed_since_ms_[team]));
  owed_[team] = 0;
}

void goal_events::see(const look& at, event_roster& roster) noexcept {
  const session& match = at.now->match;
  if (at.turned_to(phase::score)) note_entry(at);
  if (has_points(match)) {
    const std::int64_t before[2] = {points_[0], points_[1]};
    for (int team = 0; team < 2; ++team) points_[team] = points_of(match, team);
    if (!has_points_ || points_[0] < before[0] || points_[1] < before[1]) {
      owed_[0] = owed_[1] = 0;  // a new round
    } else {
      for (int team = 0; team < 2; ++team) {
        if (points_[team] == before[team]) continue;
        note_entry(at);
        if (owed_[team] == 0) owed_since_ms_[team] = at.time_ms();
        owed_[team] += points_[team] - before[team];
      }
    }
    has_points_ = true;
  }
  if ((match.fields & session::has_last_score) != 0) {
    if (has_score_ && !is_same(match.last_score, score_)) {
      if (waits_) emit_goal(at, roster);
      score_ = match.last_score;
      waits_ = is_goal(score_);
      if (waits_) note_entry(at);
      waits_gap_ = at.missed_ms != 0;
      since_ms_ = at.time_ms();
    }
    has_score_ = true;
  }
  const bool waited = waits_ && elapsed_ms(at.time_ms(), since_ms_) >= wait_ms;
  const bool paid = waits_ && owed_[team_of(score_)] >= score_.point_amount;
  // The counters that decide between players of one name may arrive later.
  if (waits_ && (waited || (paid && !find_scorers(roster).is_ambiguous()))) {
    // last_score is reset without a goal when a match restarts.
    if (waited && match.blue_points == 0 && match.orange_points == 0) {
      waits_ = false;
    } else {
      emit_goal(at, roster);
    }
  }
  for (int team = 0; team < 2; ++team) {
    if (owed_[team] > 0 && elapsed_ms(at.time_ms(), owed_since_ms_[team]) >= wait_ms) emit_points(at, team);
  }
  if (!is_live(at.is)) return;
  has_flight_ = (match.fields & session::has_disc) != 0;
  disc_position_ = match.disc.at.position;
  disc_velocity_ = match.disc.velocity;
}

void goal_events::finish(const look& at, event_roster& roster) noexcept {
  if (waits_) emit_goal(at, roster);
  for (int team = 0; team < 2; ++team) {
    if (owed_[team] > 0) emit_points(at, team);
  }
}

}  // namespace tickreel::echo
