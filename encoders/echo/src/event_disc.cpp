// The disc in hands and in flight: throws, jousts, possession.
#include <algorithm>
#include <cmath>

#include "event_memory.hpp"

namespace tickreel::echo {

namespace {

bool holds_disc(const player& one) noexcept {
  return one.holding_left.what == holding::disc || one.holding_right.what == holding::disc;
}

bool reports_holding(const player& one) noexcept {
  return one.holding_left.what != holding::absent || one.holding_right.what != holding::absent;
}

std::size_t player_count(const look& at) noexcept {
  return std::min<std::size_t>(at.now->match.player_count, max_players);
}

}  // namespace

int disc_events::holder_in(const look& at, event_roster& roster) const noexcept {
  int found = nobody;
  bool reported = false;
  for (std::size_t place = 0; place < player_count(at); ++place) {
    const player& one = at.now->players[place];
    reported = reported || reports_holding(one);
    if (!holds_disc(one)) continue;
    const int who = roster.player_at(place);
    if (who == holder_) return who;  // two hands at one disc: the holder keeps it
    if (found == nobody) found = who;
  }
  const bool has_disc = (at.now->match.fields & session::has_disc) != 0;
  if (reported || found != nobody || !has_disc) return found;
  // Builds before 2021: the player with possession and the disc within reach of a hand.
  const vec3 disc = at.now->match.disc.at.position;
  for (std::size_t place = 0; place < player_count(at); ++place) {
    const player& one = at.now->players[place];
    if (!one.possession) continue;
    const float reach =
        std::min(length(between(disc, one.lhand.position)), length(between(disc, one.rhand.position)));
    if (reach < hand_reach_m) return roster.player_at(place);
  }
  return nobody;
}

int disc_events::possessor_in(const look& at, event_roster& roster) const noexcept {
  int found = nobody;
  bool reported = false;
  for (std::size_t place = 0; place < player_count(at); ++place) {
    const player& one = at.now->players[place];
    reported = reported || (one.fields & player::has_possession) != 0;
    if (!one.possession) continue;
    const int who = roster.player_at(place);
    if (who == possessor_) return who;
    if (found == nobody) found = who;
  }
  if (reported) return found;
  const session& match = at.now->match;
  const std::int32_t team = match.possession[0];
  const std::int32_t number = match.possession[1];
  if ((match.fields & session::has_possession) == 0 || team < 0 || team >= match.team_count) return nobody;
  if (number < 0 || number >= match.teams[team].player_count) return nobody;
  const std::size_t place =
      first_player(match, static_cast<std::size_t>(team)) + static_cast<std::size_t>(number);
  return place < player_count(at) ? roster.player_at(place) : nobody;
}

void disc_events::begin(const look& at, event_roster& roster) noexcept {
  *this = {};
  holder_ = holder_in(at, roster);
  thrower_ = holder_;
  possessor_ = possessor_in(at, roster);
  has_throw_ = (at.now->match.fields & session::has_last_throw) != 0;
  throw_ = at.now->match.last_throw;
  remember_grip(at, roster, holder_);
}

void disc_events::forget_departed(event_roster& roster) noexcept {
  for (int* who : {&holder_, &thrower_}) {
    if (*who == nobody) continue;
    const known_player& known = roster.at(*who);
    if (!known.present || known.team_before != known.who.team) *who = nobody;
  }
  if (release_.waits && !roster.at(release_.who).present) release_.waits = false;
}

void disc_events::see(const look& at, event_roster& roster) noexcept {
  forget_departed(roster);
  // The disc was reset to its place.
  if (is_live(at.is) && !is_live(at.was)) thrower_ = nobody;
  const int holder = holder_in(at, roster);
  see_release(at, roster, holder);
  see_details(at, roster);
  see_counters(at, roster, holder);
  see_exchange(at, roster, holder);
  see_joust(at, roster, holder);
  const int possessor = possessor_in(at, roster);
  if (possessor != possessor_) {
    at.emit(event_source::possession,
            possession_changed{roster.participant_of(possessor), roster.participant_of(possessor_)});
  }
  possessor_ = possessor;
  if (holder != nobody) thrower_ = holder;
  holder_ = holder;
  remember_grip(at, roster, holder);
}

void disc_events::finish(const look& at, event_roster& roster) noexcept {
  if (release_.waits) emit_release(at, roster, false);
  settle_exchange(at, roster, true);
  settle_stuns(at, roster, true);
}

void disc_events::remember_grip(const look& at, event_roster& roster, int holder) noexcept {
  arm_angle_deg_ = -1;
  if (holder == nobody) return;
  for (std::size_t place = 0; place < player_count(at); ++place) {
    if (roster.player_at(place) != holder) continue;
    const player& one = at.now->players[place];
    if ((one.head.fields & pose::has_up) == 0) return;
    const vec3 way = between(at.now->match.disc.at.position, one.head.position);
    const float size = length(way) * length(one.head.up);
    if (!(size > 1e-4f)) return;
    arm_angle_deg_ = angle_deg(dot(way, one.head.up) / size);
    return;
  }
}

void disc_events::see_release(const look& at, event_roster& roster, int holder) noexcept {
  if (release_.waits &&
      (holder != nobody || elapsed_ms(at.time_ms(), release_.time_ms) >= throw_details_ms)) {
    emit_release(at, roster, false);
  }
  if (holder_ == nobody || holder != nobody) return;
  // Stunned players drop the disc, and it is removed between rounds.
  if (roster.at(holder_).stunned) return;
  const bool play_continues = at.is == at.was || at.is == phase::score || at.is == phase::post_sudden_death;
  if (!play_continues) return;
  release_ = {};
  release_.waits = true;
  release_.who = holder_;
  release_.time_ms = at.time_ms();
  release_.gap = at.missed_ms != 0;
  release_.what.speed = length(at.now->match.disc.velocity);
  release_.what.position = at.now->match.disc.at.position;
  release_.what.arm_angle_deg = arm_angle_deg_;
  const bool expects_details = (at.now->match.fields & session::has_last_throw) != 0 &&
                               roster.at(holder_).who.name.view() == at.now->match.client_name.view();
  if (!expects_details) emit_release(at, roster, false);
}

void disc_events::see_details(const look& at, event_roster& roster) noexcept {
  const session& match = at.now->match;
  if ((match.fields & session::has_last_throw) == 0) return;
  const bool is_new = has_throw_ && !(match.last_throw == throw_) && match.last_throw.total_speed > 0;
  throw_ = match.last_throw;
  has_throw_ = true;
  if (!is_new) return;
  if (!release_.waits) {
    // A throw that no tick shows: it happened between two.
    const int who = roster.named(match.client_name.view());
    if (who == nobody || at.missed_ms == 0) return;
    release_ = {};
    release_.who = who;
    release_.gap = true;
    release_.time_ms = at.time_ms();
    release_.what.speed = match.last_throw.total_speed;
    release_.what.position = match.disc.at.position;
  }
  emit_release(at, roster, true);
}

void disc_events::emit_release(const look& at, event_roster& roster, bool has_details) noexcept {
  disc_thrown made = release_.what;
  made.player = roster.participant_of(release_.who);
  if (has_details) {
    made.has_details = true;
    made.arm_speed = throw_.arm_speed;
    made.spin_rotations_per_s = throw_.rot_per_sec;
    made.off_axis_spin_deg = throw_.off_axis_spin_deg;
    made.wrist_align_to_throw_deg = throw_.wrist_align_to_throw_deg;
    made.throw_align_to_movement_deg = throw_.throw_align_to_movement_deg;
  }
  at.emit(has_details ? event_source::last_throw : event_source::flight, made, 1, release_.gap,
          elapsed_ms(at.time_ms(), release_.time_ms));
  release_.waits = false;
}

void disc_events::see_joust(const look& at, event_roster& roster, int holder) noexcept {
  if (is_live(at.is) && !is_live(at.was) && holder == nobody) {
    jousting_ = true;
    joust_began_ms_ = at.time_ms();
    joust_gap_ = at.missed_ms != 0;
    for (known_player& each : roster.all()) each.top_speed_squared = 0;
  }
  if (!jousting_) return;
  if (!is_live(at.is)) {
    jousting_ = false;
    return;
  }
  for (std::size_t place = 0; place < player_count(at); ++place) {
    const vec3 velocity = at.now->players[place].velocity;
    float& top = roster.at(roster.player_at(place)).top_speed_squared;
    top = std::max(top, dot(velocity, velocity));
  }
  if (holder == nobody) return;
  jousting_ = false;
  joust made;
  made.player = roster.participant_of(holder);
  made.time_s = static_cast<float>(elapsed_ms(at.time_ms(), joust_began_ms_)) / 1000.0f;
  made.top_speed = std::sqrt(roster.at(holder).top_speed_squared);
  at.emit(event_source::possession, made, 1, joust_gap_);
}

}  // namespace tickreel::echo
