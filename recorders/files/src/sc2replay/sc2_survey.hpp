// What a StarCraft II replay is about, and whether it is sound.
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

// How far a stream of events could be read.
struct sc2_stream_end {
  std::string_view member;
  std::uint64_t events = 0;
  std::uint64_t last_tick = 0;
  // Behind the end of the game that the header tells.
  std::uint64_t late_events = 0;
  std::uint64_t first_late_offset = 0;
  std::optional<error> stopped = std::nullopt;
};

// What the user of each number did, as often as they did it; numbers as in game events.
struct sc2_activity {
  // Orders, repeated orders, changes of the selection, and control groups. What the game brings up to date by
  // itself is none of them.
  std::array<std::uint64_t, 16> actions{};
  std::array<std::uint64_t, 16> last_tick{};
  std::uint64_t first_tick = 0;  // of actions; of a resumed game, when it was resumed
  std::uint64_t chat_lines = 0;
  // The builds that users' options name.
  std::set<std::int64_t> base_builds;
  std::set<std::int64_t> builds;
  sc2_stream_end game{"replay.game.events"};
  sc2_stream_end tracker{"replay.tracker.events"};
  sc2_stream_end messages{"replay.message.events"};
};
// Gives up half-way when `watch` says stop.
[[nodiscard]] sc2_activity survey(const sc2replay::replay& of, const monitor& watch = {});

// The game's speed: 0 "slower" to 4 "faster", which is also what is taken where nobody says.
[[nodiscard]] std::uint32_t game_speed(const sc2replay::replay& of) noexcept;
// Loops in a second of real time at that speed.
[[nodiscard]] double loops_per_second(const sc2replay::replay& of) noexcept;
// Loops in a second of the clock that the game's own client shows: of game time before 3.0, of real time
// from then on. All times of a replay count so.
[[nodiscard]] double clock_ticks_per_second(const sc2replay::replay& of) noexcept;
// That clock, for headers: "game time, Faster".
[[nodiscard]] std::string clock_text(const sc2replay::replay& of);
// By that clock. Rounded to tenths, of the time until the player's last event. Empty for who does nothing at
// all: computers.
[[nodiscard]] std::optional<double> actions_per_minute(const sc2replay::replay& of,
                                                       const sc2replay::player& player,
                                                       const sc2_activity& activity) noexcept;
// Whether the layouts of that build are not known: it is read with the newest that are. What they do not fit
// ends in an error.
[[nodiscard]] bool is_newer_than_known(const sc2replay::header& of) noexcept;
// When the game ended, "2020-07-28T21:53:36Z". Empty when the details are missing.
[[nodiscard]] std::string ended_text(const sc2replay::replay& of);

// The one judgement of whether a replay is sound, which makes up both its health and what verify tells: all
// members unpack and have their checksums, those that are read here can be understood, streams end with their
// last byte and with the game.
//
// First the members that are not looked at otherwise, so that they and the events need not be in memory at
// the same time.
[[nodiscard]] verification judge_other_members(const mpq::archive& archive, const sc2replay::replay& of);
// Then the rest; needs the events.
void judge_sc2(const sc2replay::replay& of, const sc2_activity& activity, verification& out);

// Errors that a copy states of itself are warnings. `losses` as sc2replay::read_losses() returns them.
void accept_stated_losses(std::span<const std::string> losses, verification& judgement);
// Whether it is the judgement of an incomplete copy that states all that it lacks.
[[nodiscard]] bool is_marked_copy(const verification& judgement);

// Every writer of a copy asks for these, reports them, and marks the copy with them, so that verify finds
// them in the copy as well: what is wrong with the replay that `file` holds. Empty where no archive can be
// opened.
[[nodiscard]] result<std::vector<std::string>> losses_of_replay(byte_span file, const monitor& watch = {});
// Adds to `losses` what only the copy shows.
[[nodiscard]] result<byte_vector> mark_losses(byte_vector file, std::vector<std::string>& losses,
                                              const monitor& watch = {});

// Its errors, and the losses that an incomplete copy states, each with its offset.
[[nodiscard]] std::vector<std::string> problems_of(const verification& judgement);

[[nodiscard]] summary summarise_sc2(const sc2replay::replay& of, const sc2_activity& activity,
                                    const verification& judgement);

}  // namespace tickreel::files
