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

// Ticks that one has and the other lacks.
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

struct echo_comparison : tick_comparison {
  std::uint64_t different = 0;  // ticks
  // The ticks were paired by their recorded times, because the recordings do not begin with the same tick;
  // numbers are those of the first. What only one of them has before or behind the other is not lacking.
  bool by_time = false;
  // One of them is a .butter, or a reel of its frames, and the other is not: what a .butter has no place for
  // is not compared, and the rest as near as it is kept there.
  bool as_butter = false;

  [[nodiscard]] bool differ() const noexcept { return different != 0; }
  [[nodiscard]] bool same() const noexcept { return !differ() && is_complete() && ticks != 0; }
};

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

// Compares all ticks. `field` is the path in the API's answer, "disc.position[0]" or
// "teams[0].players[1].name", with "bones" before that of /player_bones, and "recorded_time". Values are
// those of the answers where both recordings kept the words, and numbers are the same when they read so;
// spaces and the order of keys do not count. Damage is passed over, and told in `lost`. Memory does not grow
// with the recordings. Fails as open_echo() does; `failed` as above.
[[nodiscard]] result<echo_comparison> compare_echo(const file_path& first, const file_path& second,
                                                   const monitor& watch = {}, std::size_t* failed = nullptr);

}  // namespace tickreel::files
