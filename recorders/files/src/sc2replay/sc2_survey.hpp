// What a StarCraft II replay is about, and whether it is sound.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "tickreel/files/recording.hpp"
#include "tickreel/sc2replay/archive.hpp"
#include "tickreel/sc2replay/replay.hpp"

namespace tickreel::files {

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
[[nodiscard]] sc2_activity survey(const sc2replay::replay& of);

// The game's speed: 0 "slower" to 4 "faster", which is also what is taken where nobody says.
[[nodiscard]] std::uint32_t game_speed(const sc2replay::replay& of) noexcept;
// Loops in a second of real time at that speed.
[[nodiscard]] double loops_per_second(const sc2replay::replay& of) noexcept;
// Rounded to tenths, of the time until the player's last event. Empty for who does nothing at all: computers.
[[nodiscard]] std::optional<double> actions_per_minute(const sc2replay::replay& of,
                                                       const sc2replay::player& player,
                                                       const sc2_activity& activity) noexcept;
// When the game ended, "2020-07-28T21:53:36Z". Empty when the details are missing.
[[nodiscard]] std::string ended_text(const sc2replay::replay& of);

[[nodiscard]] summary summarise_sc2(const sc2replay::replay& of);
// What can be told of a replay that was opened without its events.
[[nodiscard]] summary outline_sc2(const sc2replay::replay& of);

// Adds what is wrong: members that do not unpack or do not have their stated size and checksum, and streams
// that do not end with their last byte.
void verify_sc2_members(const mpq::archive& archive, verification& out);
void verify_sc2_streams(const sc2replay::replay& replay, verification& out);

}  // namespace tickreel::files
