// Match, rounds, pauses, requests, joining and leaving players, pings, the payload.
#include <algorithm>

#include "event_memory.hpp"

namespace tickreel::echo {

namespace {

side side_of(std::string_view word) noexcept {
  return word == "blue" ? side::blue : word == "orange" ? side::orange : side::none;
}

std::int32_t whole(float points) noexcept {
  return points > -1e6f && points < 1e6f ? static_cast<std::int32_t>(points) : 0;
}

side ahead(const std::int32_t (&points)[2]) noexcept {
  return points[0] > points[1] ? side::blue : points[1] > points[0] ? side::orange : side::none;
}

bool request_of(const state& now, int team) noexcept {
  return team == 0 ? now.match.blue_team_restart_request : now.match.orange_team_restart_request;
}

payload_motion motion_of(const state& now) noexcept {
  if (now.match.contested) return payload_motion::contested;
  return now.match.payload.speed > 0 ? payload_motion::moving : payload_motion::stopped;
}

constexpr std::uint64_t payload_fields = session::has_payload | session::has_contested;

bool is_round(phase one) noexcept {
  return one == phase::round_start || one == phase::playing || one == phase::score ||
         one == phase::pre_sudden_death || one == phase::sudden_death;
}

bool is_before_round(phase one) noexcept {
  return one == phase::unknown || one == phase::none || one == phase::pre_match || one == phase::round_start;
}

}  // namespace

bool is_paused(const state& now) noexcept {
  if ((now.match.fields & session::has_pause) == 0) return false;
  const std::string_view word = now.match.pause.state.view();
  return word == "paused" || word == "unpausing";
}

void session_events::begin(const look& at) noexcept {
  *this = {};
  match_runs_ = at.is != phase::post_match;
  round_runs_ = is_round(at.is);
  paused_ = is_paused(*at.now);
  paused_at_ms_ = at.time_ms();
  for (int team = 0; team < 2; ++team) requests_[team] = request_of(*at.now, team);
  has_payload_ = (at.now->match.fields & payload_fields) != 0;
  motion_ = motion_of(*at.now);
  checkpoint_ = at.now->match.payload.checkpoint;
  points_[0] = whole(at.now->match.blue_points);
  points_[1] = whole(at.now->match.orange_points);
  if (!match_runs_) return;
  const bool in_progress = !is_before_round(at.is) || points_[0] + points_[1] != 0;
  at.emit(event_source::session, match_started{at.now->match.sessionid, at.now->match.map_name, in_progress});
}

void session_events::see(const look& at, event_roster& roster) noexcept {
  see_people(at, roster);
  see_round(at);
  see_pause(at);
  for (int team = 0; team < 2; ++team) {
    const bool asks = request_of(*at.now, team);
    if (asks && !requests_[team]) {
      at.emit(event_source::session, restart_requested{static_cast<side>(team)});
    }
    requests_[team] = asks;
  }
  see_ping(at, roster);
  see_payload(at);
}

void session_events::see_round(const look& at) noexcept {
  const session& match = at.now->match;
  if ((match.fields & session::has_blue_points) != 0) points_[0] = whole(match.blue_points);
  if ((match.fields & session::has_orange_points) != 0) points_[1] = whole(match.orange_points);
  if (at.is == at.was) return;
  if (!match_runs_ && is_before_round(at.is)) {
    match_runs_ = true;
    at.emit(event_source::session, match_started{match.sessionid, match.map_name, false});
  }
  const bool starts = at.is == phase::round_start || (at.is == phase::playing && !round_runs_);
  if (round_runs_ && (!is_round(at.is) || at.is == phase::round_start)) {
    round_runs_ = false;
    at.emit(event_source::session, round_ended{points_[0], points_[1], ahead(points_)});
  }
  if (starts && match_runs_) {
    constexpr std::uint64_t rounds = session::has_blue_round_score | session::has_orange_round_score;
    const bool counted = (match.fields & rounds) == rounds;
    const std::int64_t won = static_cast<std::int64_t>(match.blue_round_score) + match.orange_round_score + 1;
    round_runs_ = true;
    at.emit(event_source::session,
            round_started{counted && won > 0 && won < 1000 ? static_cast<std::int32_t>(won) : 0}, 1,
            at.is == phase::playing && at.was != phase::none && at.was != phase::pre_match);
  }
}

void session_events::see_end(const look& at) noexcept {
  if (!match_runs_ || !at.turned_to(phase::post_match)) return;
  match_runs_ = false;
  at.emit(event_source::session, match_ended{points_[0], points_[1], ahead(points_)});
}

void session_events::leave(const look& at) noexcept {
  if (!match_runs_) return;
  // The end itself was not seen.
  at.emit(event_source::session, match_ended{points_[0], points_[1], side::none}, 1, true);
  match_runs_ = false;
}

void session_events::see_pause(const look& at) noexcept {
  const bool paused = is_paused(*at.now);
  const pause_state& says = at.now->match.pause;
  const side ends = side_of(says.unpaused_team.view());
  if (paused == paused_) {
    if (paused && ends != side::none) unpaused_by_ = ends;
    return;
  }
  paused_ = paused;
  if (paused) {
    paused_at_ms_ = at.time_ms();
    at.emit(event_source::session, pause_started{side_of(says.paused_requested_team.view())});
  } else {
    const auto lasted = static_cast<float>(elapsed_ms(at.time_ms(), paused_at_ms_)) / 1000.0f;
    at.emit(event_source::session, pause_ended{ends != side::none ? ends : unpaused_by_, lasted});
    unpaused_by_ = side::none;
  }
}

void session_events::see_people(const look& at, event_roster& roster) noexcept {
  for (known_player& each : roster.all()) {
    if (each.present && !each.was_present) {
      at.emit(event_source::session, player_joined{each.who});
    } else if (each.just_left()) {
      at.emit(event_source::session, player_left{each.who});
    } else if (each.present && each.team_before != each.who.team) {
      at.emit(event_source::session, team_changed{each.who, each.team_before});
    }
  }
}

void session_events::see_ping(const look& at, event_roster& roster) noexcept {
  const std::size_t count = std::min<std::size_t>(at.now->match.player_count, max_players);
  for (std::size_t place = 0; place < count; ++place) {
    const player& one = at.now->players[place];
    // 0: not measured yet.
    if ((one.fields & player::has_ping) == 0 || one.ping <= 0 || one.ping > 100'000) continue;
    known_player& known = roster.at(roster.player_at(place));
    const auto ping = static_cast<float>(one.ping);
    if (!known.has_ping || !known.was_present) {
      known.has_ping = true;
      known.ping_is_high = false;
      known.usual_ping_ms = ping;
      known.ping_since_ms = at.time_ms();
      continue;
    }
    const float usual = known.usual_ping_ms;
    const bool is_known = elapsed_ms(at.time_ms(), known.ping_since_ms) >= ping_learning_ms;
    if (!known.ping_is_high && is_known && ping >= usual + ping_rise_ms && ping >= 2 * usual) {
      known.ping_is_high = true;
      at.emit(event_source::session, ping_spike{known.who, one.ping, static_cast<std::int32_t>(usual)});
    } else if (known.ping_is_high && ping < usual + ping_calm_ms) {
      known.ping_is_high = false;
    }
    // A value that stays high becomes the usual one, more slowly.
    const float memory = ping_memory_ms * (known.ping_is_high ? 6.0f : 1.0f);
    const float share = std::min(1.0f, static_cast<float>(at.elapsed_ms) / memory);
    known.usual_ping_ms += share * (ping - usual);
  }
}

void session_events::see_payload(const look& at) noexcept {
  if ((at.now->match.fields & payload_fields) == 0) return;
  const payload_motion motion = motion_of(*at.now);
  const payload_state& payload = at.now->match.payload;
  const std::int64_t passed = static_cast<std::int64_t>(payload.checkpoint) - checkpoint_;
  if (has_payload_ && (motion != motion_ || passed > 0)) {
    const auto count = static_cast<std::uint32_t>(std::clamp<std::int64_t>(passed, 1, 1'000'000));
    at.emit(event_source::session,
            payload_changed{motion, payload.checkpoint, payload.distance, payload.speed}, count);
  }
  has_payload_ = true;
  motion_ = motion;
  checkpoint_ = payload.checkpoint;
}

}  // namespace tickreel::echo
