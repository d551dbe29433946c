// Where two reels of described structs part: the first tick, the field, and what their structs have not in
// common.
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

struct described_comparison {
  // Sentences: "at.y is only in the first", "x is f32 in the first and f64 in the second". In the order of
  // the first's values, then those that only the second has.
  std::vector<std::string> schema;
  // The first tick that differs, and in it the first value that both have. Values are the same when their
  // bits are.
  std::optional<value_difference> state;
  std::uint64_t ticks = 0;  // that both have
  // Before the end of the shorter one. At most 1000 ranges.
  std::vector<lacking_range> not_compared;
  std::array<std::uint64_t, 2> total{};  // ticks that came out of each
  // What is damaged or lost in each, as sentences.
  std::array<std::vector<std::string>, 2> lost;

  [[nodiscard]] bool differ() const noexcept { return state || !schema.empty(); }
  // No difference, and every tick up to the end of the shorter one was compared.
  [[nodiscard]] bool same() const noexcept {
    return !differ() && not_compared.empty() && lost[0].empty() && lost[1].empty();
  }
};

// Whether it is a reel of described structs, of any version.
[[nodiscard]] bool is_described_reel(const file_path& file);

// Reads no further than the first value that differs; `total` and `lost` then count up to there.
// unsupported_operation for what is no reel of described structs, and as reading them fails.
[[nodiscard]] result<described_comparison> compare_described(const file_path& first, const file_path& second,
                                                             const monitor& watch = {});

}  // namespace tickreel::files
