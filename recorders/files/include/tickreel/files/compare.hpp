// Where two recordings part: the first tick and the field. Of reels of described structs, and of Echo VR
// matches in any of their formats.
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

// A single value that differs; words for people.
struct value_difference {
  std::uint64_t tick = 0;
  std::string field;  // "units[7].health"
  std::string first;
  std::string second;
};

// Ticks that one has and the other lacks; their numbers are those of the one that has them.
struct lacking_range {
  std::uint64_t first_tick = 0;
  std::uint64_t end_tick = 0;  // not included
  bool in_first = false;       // which of the two lacks them
  bool in_second = false;
};

struct tick_comparison {
  // The first tick that differs, and in it the first value that both have.
  std::optional<value_difference> state;
  std::uint64_t ticks = 0;  // that both have
  // Before the end of the shorter one. At most 1000 ranges.
  std::vector<lacking_range> not_compared;
  std::array<std::uint64_t, 2> total{};  // ticks that came out of each
  // What is damaged or lost in each, as sentences.
  std::array<std::vector<std::string>, 2> lost;

  [[nodiscard]] bool is_complete() const noexcept {
    return not_compared.empty() && lost[0].empty() && lost[1].empty();
  }
};

struct described_comparison : tick_comparison {
  // Sentences: "at.y is only in the first", "x is f32 in the first and f64 in the second". In the order of
  // the first's values, then those that only the second has. Values are the same when their bits are.
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
  // Paired ticks whose recorded times are not the same, and the most that two of them are apart.
  std::uint64_t nearest = 0;
  std::uint64_t max_apart_ms = 0;
  // Ticks of each that were recorded before the first pair or after the other's last tick: one recording may
  // be a part of the other, so they are not lacking.
  std::array<std::uint64_t, 2> outside{};
  std::uint64_t second_tick = 0;  // the number that `state->tick` has in the second recording
  // One of them is a .butter, or a reel of its frames, and the other is not: what a .butter has no place for
  // is not compared, and the rest as near as it is kept there.
  bool as_butter = false;

  [[nodiscard]] bool differ() const noexcept { return different + nearest != 0; }
  [[nodiscard]] bool same() const noexcept { return !differ() && is_complete() && ticks != 0; }
};

// A field that differs; words for people.
struct replay_difference {
  std::uint64_t number = 0;  // of the event in its stream, counted from 0
  std::uint64_t tick = 0;    // of the first replay's event
  std::string type;          // of the event: "unit_born"
  std::string field;         // "target.unit.tag"; "players[0].name" of a fact
  std::string first;
  std::string second;
};

// Of two StarCraft II replays: of one game from two players, or of a replay and a changed copy.
struct replay_comparison {
  struct stream {
    std::string member;                      // "replay.game.events"
    std::uint64_t same = 0;                  // events before the first difference
    std::array<std::uint64_t, 2> total{};    // events of each
    std::optional<replay_difference> first;  // in events that both have
  };
  std::vector<replay_difference> facts;  // of the header, the details and the lobby; without event
  std::vector<stream> streams;
  std::array<std::vector<std::string>, 2> lost;  // what is damaged in each, as sentences

  // A stream that is longer in one of them differs, too.
  [[nodiscard]] bool differ() const noexcept {
    for (const stream& each : streams) {
      if (each.first || each.total[0] != each.total[1]) return true;
    }
    return !facts.empty();
  }
  [[nodiscard]] bool same() const noexcept { return !differ() && lost[0].empty() && lost[1].empty(); }
};

// Compares the states of two recordings tick by tick, as `cat` shows them, up to the first that differs; for
// formats whose content::ticks nothing more is known of. `state->field` is "state". `failed` as below.
[[nodiscard]] result<state_comparison> compare_states(const file_path& first, const file_path& second,
                                                      const monitor& watch = {},
                                                      std::size_t* failed = nullptr);

// Whether it is a StarCraft II replay.
[[nodiscard]] bool is_sc2_replay(const file_path& file);

// Compares events in their order. Fails where a replay cannot be opened; `failed` then says which, 0 or 1.
[[nodiscard]] result<replay_comparison> compare_replays(const file_path& first, const file_path& second,
                                                        const monitor& watch = {},
                                                        std::size_t* failed = nullptr);

// Whether it is a reel of described structs, of any version.
[[nodiscard]] bool is_described_reel(const file_path& file);

// Reads no further than the first value that differs; `total` and `lost` then count up to there.
// unsupported_operation for what is no reel of described structs, and as reading them fails; `failed` then
// says which of the two it was, 0 or 1.
[[nodiscard]] result<described_comparison> compare_described(const file_path& first, const file_path& second,
                                                             const monitor& watch = {},
                                                             std::size_t* failed = nullptr);

// Whether it holds Echo VR ticks: a .butter, an .echoreplay, or a reel of either.
[[nodiscard]] bool is_echo_recording(const file_path& file);

// Compares all ticks. Ticks belong together when they were recorded at the same time, or when each is the
// other's nearest and they are at most half an interval apart: numbers of ticks depend on the format, since
// reels number polls and other formats the ticks they hold. `state` is the first difference in content, and
// "recorded_time" where there is none and times differ; `state->tick` is the number in the first recording.
// `field` is the path in the API's response, "disc.position[0]" or "teams[0].players[1].name", with "bones"
// before that of /player_bones. Where both recordings kept the text of the responses their values are
// compared, and numbers are equal when they read so; spaces and the order of keys do not count. Damage is
// skipped and reported in `lost`. Memory does not grow with the recordings. Fails as open_echo() does;
// `failed` as above.
[[nodiscard]] result<echo_comparison> compare_echo(const file_path& first, const file_path& second,
                                                   const monitor& watch = {}, std::size_t* failed = nullptr);

}  // namespace tickreel::files
