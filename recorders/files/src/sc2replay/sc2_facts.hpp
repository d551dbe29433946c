// Facts about a StarCraft II replay, and its verification.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "tickreel/files/recording.hpp"
#include "tickreel/sc2replay/archive.hpp"
#include "tickreel/sc2replay/replay.hpp"

namespace tickreel::files {

// The end of a readable event stream.
struct sc2_stream_end {
  std::string_view member;
  std::uint64_t events = 0;
  std::uint64_t last_tick = 0;
  // After the end of the game in the header.
  std::uint64_t late_events = 0;
  std::uint64_t first_late_offset = 0;
  std::optional<error> stopped = std::nullopt;
};

// The activity of each user; indexed by user number as in game events.
struct sc2_activity {
  // Orders, repeated orders, changes of the selection, and control groups. Automatic updates of the game are
  // excluded.
  std::array<std::uint64_t, 16> actions{};
  std::array<std::uint64_t, 16> last_tick{};
  std::uint64_t first_tick = 0;  // of actions; in a resumed game, the tick of the resumption
  std::uint64_t chat_lines = 0;
  // The builds in the users' options.
  std::set<std::int64_t> base_builds;
  std::set<std::int64_t> builds;
  sc2_stream_end game{"replay.game.events"};
  sc2_stream_end tracker{"replay.tracker.events"};
  sc2_stream_end messages{"replay.message.events"};
};
// Stops early if `watch` is cancelled.
[[nodiscard]] sc2_activity activity_of(const sc2replay::replay& of, const monitor& watch = {});

// The game's speed: 0 "slower" to 4 "faster", which is also the default if it is not stored.
[[nodiscard]] std::uint32_t game_speed(const sc2replay::replay& of) noexcept;
// Loops per second of real time at that speed.
[[nodiscard]] double loops_per_second(const sc2replay::replay& of) noexcept;
// Loops per second of the clock in the game's own client: game time before 3.0, real time from then on. All
// times of a replay use this clock.
[[nodiscard]] double clock_ticks_per_second(const sc2replay::replay& of) noexcept;
// The facts "map_file" and "map_size". The game's cache names files by their SHA-256.
[[nodiscard]] std::string map_file_name(byte_span sha256);
[[nodiscard]] std::string map_size_text(std::uint32_t width, std::uint32_t height);
// That clock, for headers: "game time, Faster".
[[nodiscard]] std::string clock_text(const sc2replay::replay& of);
// Actions per minute by that clock, rounded to tenths, up to the player's last event. Empty without any
// action: computers.
[[nodiscard]] std::optional<double> actions_per_minute(const sc2replay::replay& of,
                                                       const sc2replay::player& player,
                                                       const sc2_activity& activity) noexcept;
// True if the layouts of that build are unknown. It is read with the newest known layouts; content that does
// not fit them is an error.
[[nodiscard]] bool is_newer_than_known(const sc2replay::header& of) noexcept;
// The end of the game, "2020-07-28T21:53:36Z". Empty if the details are missing.
[[nodiscard]] std::string ended_text(const sc2replay::replay& of);

// The verification of a replay, which determines both its health and the findings of verify: all members
// decompress and match their checksums, the members that are read here can be parsed, streams end with their
// last byte and with the game.
// First the members that are not read otherwise, so that they and the events need not be in memory at the
// same time.
[[nodiscard]] verification judge_other_members(const mpq::archive& archive, const sc2replay::replay& of);
// Then all others; needs the events.
void judge_sc2(const sc2replay::replay& of, const sc2_activity& activity, verification& out);

// Errors that a copy states of itself are warnings. `losses` as sc2replay::read_losses() returns them.
void accept_stated_losses(std::span<const std::string> losses, verification& judgement);
// Whether it is the judgement of an incomplete copy that states all that it lacks.
[[nodiscard]] bool is_marked_copy(const verification& judgement);

// The problems of the replay in `file`. Every writer of a copy reports them and marks the copy with them, so
// that verify reports them for the copy too. Empty if no archive can be opened.
[[nodiscard]] result<std::vector<std::string>> losses_of_replay(byte_span file, const monitor& watch = {});
// Adds to `losses` what only the copy shows.
[[nodiscard]] result<byte_vector> mark_losses(byte_vector file, std::vector<std::string>& losses,
                                              const monitor& watch = {});

// Its errors, and the losses that an incomplete copy states, each with its offset.
[[nodiscard]] std::vector<std::string> problems_of(const verification& judgement);

[[nodiscard]] summary summarise_sc2(const sc2replay::replay& of, const sc2_activity& activity,
                                    const verification& judgement);

}  // namespace tickreel::files
