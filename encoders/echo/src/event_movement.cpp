// Jousts of teams and playspaces, by the rules of Spark.
#include <algorithm>

#include "event_memory.hpp"

namespace tickreel::echo {

namespace {

struct team_places {
  std::size_t first = 0;
  std::size_t end = 0;
};

team_places places_of(const look& at, int team) noexcept {
  const session& match = at.now->match;
  if (team >= match.team_count) return {};
  const std::size_t present = std::min<std::size_t>(match.player_count, max_players);
  const std::size_t first = std::min(first_player(match, static_cast<std::size_t>(team)), present);
  return {first, std::min(first + static_cast<std::size_t>(std::max(0, int{match.teams[team].player_count})),
                          present)};
}

// The distance of a head from the middle, from its team's side.
float to_middle(const player& one, int team) noexcept {
  return team == 0 ? -one.head.position.z : one.head.position.z;
}

}  // namespace

void movement_events::begin(const look&, event_roster&) noexcept {
  *this = {};
}

void movement_events::see(const look& at, event_roster& roster) noexcept {
  if (at.turned_to(phase::playing) && at.was == phase::round_start) {
    start_jousts(at);
    for (known_player& each : roster.all()) each.left_tube = false;
  }
  for (int team = 0; team < 2; ++team) see_joust(at, roster, team);
  see_playspaces(at, roster);
}

void movement_events::start_jousts(const look& at) noexcept {
  const session& match = at.now->match;
  races_ = {};
  if ((match.fields & session::has_disc) == 0) return;
  const float disc = match.disc.at.position.z;
  if (std::abs(disc) < middle_tolerance_m) {
    races_[0].runs = races_[1].runs = true;
  } else if (std::abs(std::abs(disc) - nest_m) < nest_tolerance_m) {
    team_race& one = races_[disc < 0 ? 1 : 0];
    one.runs = one.defensive = true;
  }
  began_ms_ = at.time_ms();
  began_clock_ = match.game_clock;
  gap_ = at.missed_ms != 0;
}

void movement_events::see_joust(const look& at, event_roster& roster, int team) noexcept {
  team_race& race = races_[static_cast<std::size_t>(team)];
  if (!race.runs) return;
  const std::int32_t elapsed = elapsed_ms(at.time_ms(), began_ms_);
  if (at.is != phase::playing || elapsed > joust_limit_ms) {
    race.runs = false;
    return;
  }
  gap_ = gap_ || at.missed_ms != 0;
  const team_places places = places_of(at, team);
  for (std::size_t place = places.first; place < places.end; ++place) {
    const player& one = at.now->players[place];
    const int who = roster.player_at(place);
    const float speed = length(one.velocity);
    const float left = to_middle(one, team);
    if (left < tube_exit_m && !roster.at(who).left_tube) {
      roster.at(who).left_tube = true;
      race.tube_exit_speed = std::max(race.tube_exit_speed, speed);
    }
    race.top_speed = std::max(race.top_speed, speed);
    if (left >= 0) continue;
    race.runs = false;
    if (elapsed == 0) return;  // across before play began: not a race
    team_joust made;
    made.player = roster.participant_of(who);
    made.team = static_cast<side>(team);
    made.defensive = race.defensive;
    const bool has_clock = (at.now->match.fields & session::has_game_clock) != 0;
    made.time_s = has_clock ? began_clock_ - at.now->match.game_clock : static_cast<float>(elapsed) / 1000.0f;
    made.top_speed = race.top_speed;
    made.tube_exit_speed = race.tube_exit_speed;
    at.emit(event_source::movement, made, 1, gap_);
    return;
  }
}

void movement_events::see_playspaces(const look& at, event_roster& roster) noexcept {
  const bool compares = is_live(at.is) && is_live(at.was) && at.missed_ms == 0 && at.elapsed_ms > 0 &&
                        !is_paused(*at.now) && at.elapsed_ms < playspace_tick_ms;
  const float seconds = static_cast<float>(at.elapsed_ms) / 1000.0f;
  for (int team = 0; team < 2; ++team) {
    const team_places places = places_of(at, team);
    for (std::size_t place = places.first; place < places.end; ++place) {
      const player& one = at.now->players[place];
      known_player& known = roster.at(roster.player_at(place));
      const vec3 head = one.head.position;
      const bool changed_team = known.team_before != known.who.team;
      if (!compares || changed_team || !known.has_playspace || !known.was_present || one.stunned) {
        known.playspace = head;
        known.has_playspace = true;
        continue;
      }
      vec3& space = known.playspace;
      space = {space.x + one.velocity.x * seconds, space.y + one.velocity.y * seconds,
               space.z + one.velocity.z * seconds};
      const vec3 way = between(head, space);
      const float distance = length(way);
      if (distance > 1e-4f) {
        const float share = std::min(1.0f, playspace_drift_m_per_s * seconds / distance);
        space = {space.x + way.x * share, space.y + way.y * share, space.z + way.z * share};
      }
      if (!(distance > playspace_m)) continue;
      const bool again = known.playspace_exceeded_ms &&
                         elapsed_ms(at.time_ms(), *known.playspace_exceeded_ms) < playspace_pause_ms;
      if (again) continue;
      known.playspace_exceeded_ms = at.time_ms();
      space = head;
      at.emit(event_source::movement, playspace_exceeded{known.who, distance});
    }
  }
}

}  // namespace tickreel::echo
