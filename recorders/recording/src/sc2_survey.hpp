// What a StarCraft II replay is about, and whether it is sound.
#pragma once

#include <array>
#include <cstdint>

#include "tickreel/recording/recording.hpp"
#include "tickreel/sc2/archive.hpp"
#include "tickreel/sc2/replay.hpp"

namespace tickreel::recording {

// What the user of each number did, as often as they did it; numbers as in game events.
struct sc2_activity {
  // Orders, repeated orders, changes of the selection, and control groups. What the game brings up to date by
  // itself is none of them.
  std::array<std::uint64_t, 16> actions{};
  std::array<std::uint64_t, 16> last_tick{};
  std::uint64_t events = 0;
  std::uint64_t tracker_events = 0;
  std::uint64_t messages = 0;
  std::uint64_t chat_lines = 0;
  bool whole = true;  // false: a stream stops early
};
[[nodiscard]] sc2_activity survey(const sc2::replay& of);

// Loops in a second of real time at the game's speed.
[[nodiscard]] double loops_per_second(const sc2::replay& of) noexcept;

[[nodiscard]] summary summarise_sc2(const sc2::replay& of);
// What can be told of a replay that was opened without its events.
[[nodiscard]] summary outline_sc2(const sc2::replay& of);

// Every member unpacks, has its stated size and checksum, and every stream ends with its last byte.
[[nodiscard]] verification verify_sc2(const sc2::archive& archive, const sc2::replay& replay);

}  // namespace tickreel::recording
