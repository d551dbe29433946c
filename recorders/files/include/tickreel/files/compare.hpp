// Finds the first tick and field in which two recordings differ: reels of described structs, Echo VR matches
// in any of their formats, and StarCraft II replays.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/files/recording.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

// A value that differs, as text for users.
struct value_difference {
  std::uint64_t tick = 0;
  std::string field;  // "units[7].health"
  std::string first;
  std::string second;
};

// Ticks that only one of the recordings has, by its tick numbers.
struct lacking_range {
  std::uint64_t first_tick = 0;
  std::uint64_t end_tick = 0;  // not included
  bool in_first = false;       // true: the first recording lacks them
  bool in_second = false;
};

struct tick_comparison {
  // The first tick that differs, and in it the first value that exists in both.
  std::optional<value_difference> state;
  std::uint64_t ticks = 0;  // that both have
  // Missing ticks before the end of the shorter recording. At most 1000 ranges.
  std::vector<lacking_range> not_compared;
  std::array<std::uint64_t, 2> total{};  // ticks read from each
  // Damage and losses of each, as sentences.
  std::array<std::vector<std::string>, 2> lost;

  [[nodiscard]] bool is_complete() const noexcept {
    return not_compared.empty() && lost[0].empty() && lost[1].empty();
  }
};

struct described_comparison : tick_comparison {
  // Differences between the schemas, as sentences: "at.y is only in the first", "x is f32 in the first and
  // f64 in the second". First in the order of the first schema, then values that only the second has. Values
  // are compared bit by bit.
  std::vector<std::string> schema;

  [[nodiscard]] bool differ() const noexcept { return state || !schema.empty(); }
  // No difference, and every tick up to the end of the shorter one was compared.
  [[nodiscard]] bool same() const noexcept { return !differ() && is_complete(); }
};

struct state_comparison : tick_comparison {
  [[nodiscard]] bool differ() const noexcept { return state.has_value(); }
  [[nodiscard]] bool same() const noexcept { return !differ() && is_complete(); }
};

struct echo_comparison : tick_comparison {
  std::uint64_t different = 0;  // ticks
  // Aligned ticks whose recorded times differ, and the largest difference.
  std::uint64_t nearest = 0;
  std::uint64_t max_apart_ms = 0;
  // Ticks of each that were recorded before the first pair or after the other's last tick. They are not
  // reported as missing, since one recording may be a part of the other.
  std::array<std::uint64_t, 2> outside{};
  std::uint64_t second_tick = 0;  // the number of the tick `state->tick` in the second recording
  // One recording is a .butter or a reel of its frames, and the other is not. Fields that a .butter cannot
  // store are not compared; the others are compared with its precision.
  bool as_butter = false;

  [[nodiscard]] bool differ() const noexcept { return different + nearest != 0; }
  [[nodiscard]] bool same() const noexcept { return !differ() && is_complete() && ticks != 0; }
};

// A field that differs, as text for users.
struct replay_difference {
  std::uint64_t number = 0;  // of the event in its stream, counted from 0
  std::uint64_t tick = 0;    // of the first replay's event
  std::string type;          // of the event: "unit_born"
  std::string field;         // "target.unit.tag", or "players[0].name" of a fact
  std::string first;
  std::string second;
};

// Comparison of two StarCraft II replays: of one game from two players, or of a replay and a changed copy.
struct replay_comparison {
  struct stream {
    std::string member;                      // "replay.game.events"
    std::uint64_t same = 0;                  // events before the first difference
    std::array<std::uint64_t, 2> total{};    // events of each
    std::optional<replay_difference> first;  // in events that exist in both
  };
  std::vector<replay_difference> facts;  // differences of the header, the details and the lobby, without
                                         // event
  std::vector<stream> streams;
  std::array<std::uint64_t, 2> total{};          // ticks of each, by its header
  std::array<std::vector<std::string>, 2> lost;  // damage in each, as sentences

  // True also if one of them has more events.
  [[nodiscard]] bool differ() const noexcept {
    for (const stream& each : streams) {
      if (each.first || each.total[0] != each.total[1]) return true;
    }
    return !facts.empty();
  }
  [[nodiscard]] bool is_complete() const noexcept { return lost[0].empty() && lost[1].empty(); }
  [[nodiscard]] bool same() const noexcept { return !differ() && is_complete(); }
};

// Compares the states of two recordings tick by tick, as `cat` prints them, up to the first difference. For
// formats with content::ticks. `state->field` is "state". `failed` as below.
[[nodiscard]] result<state_comparison> compare_states(const file_path& first, const file_path& second,
                                                      const monitor& watch = {},
                                                      std::size_t* failed = nullptr);

// Compares events in order. Fails if a replay cannot be opened; `failed` is then its index, 0 or 1.
[[nodiscard]] result<replay_comparison> compare_replays(const file_path& first, const file_path& second,
                                                        const monitor& watch = {},
                                                        std::size_t* failed = nullptr);

// Whether the file is a reel of described structs, of any version.
[[nodiscard]] bool is_described_reel(const file_path& file);

// Stops at the first value that differs; `total` and `lost` then count up to that tick. unsupported_operation
// if a file is not a reel of described structs; other errors of reading. `failed` is then the index of the
// file, 0 or 1.
[[nodiscard]] result<described_comparison> compare_described(const file_path& first, const file_path& second,
                                                             const monitor& watch = {},
                                                             std::size_t* failed = nullptr);

// Whether the file contains Echo VR ticks: a .butter, an .echoreplay, or a reel of either.
result<bool> is_echo_recording(const file_path& file);

// Compares all ticks. Two ticks are aligned if their recorded times are equal, or if each is the nearest of
// the other and they are at most half an interval apart. Tick numbers are not used, because reels number
// polls and other formats number ticks. `state` is the first difference in content, or "recorded_time" if
// only times differ; `state->tick` is the number in the first recording. `field` is the path in the API's
// response, "disc.position[0]" or "teams[0].players[1].name", with the prefix "bones" for /player_bones. If
// both recordings keep the text of the responses, their values are compared: numbers are equal if they parse
// to the same value, and spaces and the order of keys are ignored. Damage is skipped and reported in `lost`.
// Memory does not grow with the recordings. Fails as open_echo() does; `failed` as above.
[[nodiscard]] result<echo_comparison> compare_echo(const file_path& first, const file_path& second,
                                                   const monitor& watch = {}, std::size_t* failed = nullptr);

}  // namespace tickreel::files
