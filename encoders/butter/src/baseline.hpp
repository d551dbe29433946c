// The state of the format's decoder after a frame. The encoder computes every difference against it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "pose_steps.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::butter {

// The whole numbers of a player's or a team's statistics in the order of the file, except stuns, which are
// separate.
inline constexpr std::array<std::int32_t echo::stats::*, 10> counters{
    &echo::stats::assists,       &echo::stats::blocks,     &echo::stats::catches, &echo::stats::goals,
    &echo::stats::interceptions, &echo::stats::passes,     &echo::stats::points,  &echo::stats::saves,
    &echo::stats::steals,        &echo::stats::shots_taken};

// All of them and stuns.
[[nodiscard]] inline bool same_counters(const echo::stats& a, const echo::stats& b) noexcept {
  // They follow the possession time without a gap.
  constexpr std::size_t first = offsetof(echo::stats, points);
  static_assert(first == 4 && sizeof(echo::stats) == first + (counters.size() + 1) * sizeof(std::int32_t));
  const auto from = [](const echo::stats& of) {
    return static_cast<const std::byte*>(static_cast<const void*>(&of)) + first;
  };
  return std::memcmp(from(a), from(b), sizeof(echo::stats) - first) == 0;
}

struct held_player {
  std::uint64_t userid = 0;  // of the table entry at the frame's index
  std::uint8_t index = 0;    // in the player table, from 1
  bool has_stats = false;
  std::array<std::uint8_t, 2> holding{};
  std::int32_t ping = 0;
  float packetlossratio = 0;
  echo::vec3 velocity;
  echo::stats stats;
  held_poses poses;  // head, body, left hand, right hand
};

struct held_frame {
  std::int64_t recorded_time_ms = 0;
  float game_clock = 0;
  std::array<std::uint8_t, 7> status{};  // the block's bytes
  std::array<std::uint8_t, 6> pause{};
  bool has_last_score = false;
  std::array<std::uint8_t, 7> last_score{};
  std::array<std::uint16_t, 13> last_throw{};
  held_poses things;  // headset and disc
  bool has_disc = false;
  echo::vec3 disc_velocity;
  std::array<std::uint8_t, 7> payload{};
  bool has_rules = false;
  std::int64_t rules_changed_at = 0;
  echo::text<64> rules_changed_by;  // as supplied by the API
  std::array<std::array<std::uint8_t, 14>, echo::max_teams> team_stats{};
  std::array<echo::stats, echo::max_teams> team_stats_seen{};  // the last input that those were compared with
  bool has_bones = false;
  bool has_bent_bones = false;  // a bone is at the limit of the range because its input is beyond
  std::uint8_t bone_player_count = 0;
};

}  // namespace tickreel::butter
