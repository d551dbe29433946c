// The Echo VR tick as a described struct, the form of reels of columns. Every member of a state has columns,
// also the bits that mark present fields. Declarations describe the usual values of the game; other values
// are stored exactly.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "tickreel/describe/declare.hpp"
#include "tickreel/describe/describe.hpp"
#include "tickreel/describe/values.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel {

template <std::size_t Capacity>
inline constexpr bool recorded_as_short_text<echo::text<Capacity>> = true;

}  // namespace tickreel

namespace tickreel::echo {

// The API rounds positions, directions and speeds to three decimals.
TICKREEL_DESCRIBE(vec3, x, y, z);
TICKREEL_DESCRIBE(quat, x, y, z, w);

TICKREEL_DESCRIBE(pose, fields, position, forward, left, up);
TICKREEL_DECLARE(pose, (position, decimals(3), unit_name("m")), (forward, decimals(3), unit_vector),
                 (left, decimals(3), cross("up", "forward")), (up, decimals(3), orthogonal("forward")));

TICKREEL_DESCRIBE(disc_state, at, velocity, bounce_count);
TICKREEL_DECLARE(disc_state, (velocity, decimals(3), unit_name("m/s")));

TICKREEL_DESCRIBE(vr_player, at);

TICKREEL_DESCRIBE(pause_state, state, unpaused_team, paused_requested_team, paused_timer, unpaused_timer);
TICKREEL_DECLARE(pause_state, (paused_timer, unit_name("s")), (unpaused_timer, unit_name("s")));

TICKREEL_DESCRIBE(last_score, disc_speed, distance_thrown, point_amount, team, goal_type, person_scored,
                  assist_scored);
TICKREEL_DECLARE(last_score, (disc_speed, unit_name("m/s")), (distance_thrown, unit_name("m")));

TICKREEL_DESCRIBE(last_throw, arm_speed, total_speed, off_axis_spin_deg, wrist_throw_penalty, rot_per_sec,
                  pot_speed_from_rot, speed_from_arm, speed_from_movement, speed_from_wrist,
                  wrist_align_to_throw_deg, throw_align_to_movement_deg, off_axis_penalty,
                  throw_move_penalty);

TICKREEL_DESCRIBE(stats, possession_time, points, saves, goals, stuns, passes, catches, steals, blocks,
                  interceptions, assists, shots_taken);
TICKREEL_DECLARE(stats, (possession_time, unit_name("s")));

TICKREEL_DESCRIBE(payload_state, pos, checkpoint, distance, speed, defenders, multiplier, attackers, fields);
TICKREEL_DECLARE(payload_state, (pos, decimals(3), unit_name("m")));

TICKREEL_DESCRIBE(holding, what, playerid, word);

TICKREEL_DESCRIBE(player, fields, playerid, userid, number, level, ping, packetlossratio, head, body, lhand,
                  rhand, velocity, stats, holding_left, holding_right, stunned, invulnerable, blocking,
                  possession, is_emote_playing, name, weapon, ordnance, tac_mod, arm);
TICKREEL_DECLARE(player, (velocity, decimals(3), unit_name("m/s")), (ping, unit_name("ms")),
                 (body, same_as("head")), (lhand, relative_to("head")), (rhand, relative_to("head")));

TICKREEL_DESCRIBE(team, fields, possession, player_count, name, stats);

TICKREEL_DESCRIBE(session, fields, sessionid, sessionip, client_name, match_type, map_name, game_status,
                  game_clock_display, rules_changed_by, err_description, rules_changed_at, err_code,
                  game_clock, blue_points, orange_points, blue_round_score, orange_round_score,
                  total_round_count, possession, left_shoulder_pressed, right_shoulder_pressed,
                  left_shoulder_pressed2, right_shoulder_pressed2, overtime_timer, game_timer, private_match,
                  tournament_match, blue_team_restart_request, orange_team_restart_request, contested, disc,
                  vr, pause, last_score, last_throw, payload, team_count, player_count, teams);
TICKREEL_DECLARE(session, (game_clock, unit_name("s")), (overtime_timer, unit_name("s")),
                 (game_timer, unit_name("s")));

TICKREEL_DESCRIBE(bone_player, playerid, positions, rotations);

// How the tick's line is stored beside it: see echoreplay/line_keeper.hpp.
enum class line_kind : std::uint8_t {
  none,     // no line
  shaped,   // the shape with that number, filled from the state, is the line, byte for byte
  patched,  // the same with the tick's patch
  whole,    // the patch is the whole line
  missing,  // it could not be stored
};

struct line_reference {
  line_kind kind = line_kind::none;
  std::uint32_t shape = 0;
};
TICKREEL_DESCRIBE(line_reference, kind, shape);

// The schema's names of the tick and of its skeletons.
inline constexpr std::string_view recorded_tick_name = "echo_vr_tick";

// One tick as a row. Players and skeletons beyond `Players` and `Skeletons` are not stored; `Skeletons` = 0:
// no skeletons. Readers match by name, so each variant reads the rows of any other, as far as it has space.
template <std::size_t Players, std::size_t Skeletons>
struct recorded_tick {
  std::int64_t recorded_time_ms = 0;
  line_reference line;
  // game_clock_display follows from game_clock, and is stored empty.
  bool display_follows_clock = false;
  bones_kind bones = bones_kind::absent;
  std::uint8_t bone_player_count = 0;
  session match;
  std::array<player, Players> players{};
  std::array<bone_player, Skeletons> bone_players{};

  [[nodiscard]] static constexpr bool has_room_for(const state& from) noexcept {
    return from.match.player_count <= Players && from.bone_player_count <= Skeletons;
  }
};

// Writers use the smallest variant with enough space: fewer columns take less time. The last variant holds
// everything.
using small_recorded_tick = recorded_tick<16, 0>;
using recorded_tick_with_bones = recorded_tick<16, 16>;
using largest_recorded_tick = recorded_tick<max_players, max_players>;

// "09:58.42", as the game shows 598.42999: truncated, not rounded. Empty for an invalid time.
[[nodiscard]] text<16> shown_clock(float seconds) noexcept;

// The row must have enough space. Unused places become zeros, which cost almost nothing in columns.
template <std::size_t Players, std::size_t Skeletons>
void assign(recorded_tick<Players, Skeletons>& to, const state& from, const line_reference& line) noexcept {
  to.recorded_time_ms = from.recorded_time_ms;
  to.line = line;
  to.bones = from.bones;
  to.bone_player_count = from.bone_player_count;
  to.match = from.match;
  to.display_follows_clock = !from.match.game_clock_display.empty() &&
                             from.match.game_clock_display == shown_clock(from.match.game_clock);
  if (to.display_follows_clock) to.match.game_clock_display = {};
  const auto fill = [](auto& places, const auto& used, std::size_t count) {
    count = (std::min)(count, places.size());
    for (std::size_t i = 0; i < count; ++i) places[i] = used[i];
    if (count < places.size()) {
      std::memset(static_cast<void*>(&places[count]), 0, (places.size() - count) * sizeof(places[0]));
    }
  };
  fill(to.players, from.players, from.match.player_count);
  if constexpr (Skeletons != 0) fill(to.bone_players, from.bone_players, from.bone_player_count);
}

// The inverse. Counts of a damaged row are limited to the arrays.
template <std::size_t Players, std::size_t Skeletons>
void assign(state& to, const recorded_tick<Players, Skeletons>& from) noexcept {
  to.recorded_time_ms = from.recorded_time_ms;
  to.bones = (std::min)(from.bones, bones_kind::present);
  to.match = from.match;
  if (from.display_follows_clock) to.match.game_clock_display = shown_clock(from.match.game_clock);
  to.match.team_count = std::min<std::uint8_t>(from.match.team_count, max_teams);
  to.match.player_count = std::min<std::uint8_t>(from.match.player_count, Players);
  to.bone_player_count = std::min<std::uint8_t>(from.bone_player_count, Skeletons);
  std::copy_n(from.players.begin(), to.match.player_count, to.players.begin());
  if constexpr (Skeletons != 0) {
    std::copy_n(from.bone_players.begin(), to.bone_player_count, to.bone_players.begin());
  }
}

// Omits the skeletons.
template <std::size_t Players, std::size_t Skeletons>
void clear_bones(recorded_tick<Players, Skeletons>& of) noexcept {
  of.bones = bones_kind::absent;
  of.bone_player_count = 0;
  if constexpr (Skeletons != 0) std::memset(static_cast<void*>(&of.bone_players), 0, sizeof(of.bone_players));
}

// Most columns belong to unused places; larger groups make them cheaper.
inline constexpr std::uint32_t live_group_columns = 64;

static_assert(std::is_trivially_copyable_v<largest_recorded_tick>);

}  // namespace tickreel::echo

namespace tickreel {

template <std::size_t Players>
struct described_as<echo::recorded_tick<Players, 0>> {
  using tick = echo::recorded_tick<Players, 0>;
  static constexpr std::string_view name = echo::recorded_tick_name;
  static constexpr auto fields = std::tuple(
      described_field{"recorded_time_ms", &tick::recorded_time_ms}, described_field{"line", &tick::line},
      described_field{"display_follows_clock", &tick::display_follows_clock},
      described_field{"bones", &tick::bones}, described_field{"bone_player_count", &tick::bone_player_count},
      described_field{"match", &tick::match}, described_field{"players", &tick::players});
};

template <std::size_t Players, std::size_t Skeletons>
struct described_as<echo::recorded_tick<Players, Skeletons>> {
  using tick = echo::recorded_tick<Players, Skeletons>;
  static constexpr std::string_view name = echo::recorded_tick_name;
  static constexpr auto fields = std::tuple(
      described_field{"recorded_time_ms", &tick::recorded_time_ms}, described_field{"line", &tick::line},
      described_field{"display_follows_clock", &tick::display_follows_clock},
      described_field{"bones", &tick::bones}, described_field{"bone_player_count", &tick::bone_player_count},
      described_field{"match", &tick::match}, described_field{"players", &tick::players},
      described_field{"bone_players", &tick::bone_players});
};

}  // namespace tickreel
