// The notation of an .echoreplay line, separate from its values: lines are restored byte for byte from states.
//
// The game, and each program that writes such lines, uses its own order of fields and white space, and possibly
// unknown fields. All of that is constant from tick to tick, and only values change. A shape is a line with a
// hole for each value that its state contains; values that a state cannot store are part of the shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/echo/state.hpp"
#include "tickreel/result.hpp"

namespace tickreel::echoreplay {

// The placeholder of a value in a shape: one byte, which no line of JSON contains.
enum class line_hole : char {
  game = 1,             // the value with 8 significant digits, the game's notation
  shortest = 2,         // the shortest number that parses to the same value
  without_point = 3,    // as `game`, without the ".0" of whole numbers
  with_point = 4,       // as `game`, with ".0" after whole numbers
  truth_as_number = 5,  // 1 and 0 for true and false
  number_as_truth = 6,  // true and false for 1 and 0
};

// One digit of the time at a line's beginning: "yyyy/MM/dd HH:mm:ss.fff" with any separators.
inline constexpr char time_hole = 1;

// The values of a state in the API's notation, for any number of shapes. Reuses its memory. One thread at a
// time.
class line_values {
 public:
  line_values();
  line_values(line_values&&) noexcept;
  line_values& operator=(line_values&&) noexcept;
  ~line_values();

  // The values are now those of that state, which must not change or end while they are used.
  void take(const echo::state& from);

 private:
  friend class line_shape;
  struct table;
  std::unique_ptr<table> table_;
};

class line_shape {
 public:
  // The shape of a line including its end. `values` are those of its state. Empty if it is not a line of
  // time, JSON and optionally more JSON. `earlier`: a shape of the same skeleton, whose choice of notation is
  // kept where both fit.
  static std::optional<line_shape> of(std::string_view line, line_values& values,
                                      const line_shape* earlier = nullptr);
  // From text(). malformed if invalid.
  static result<line_shape> from_text(std::string text);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  // Appends the line with those values. False, without appending, if the state lacks the value of a hole, or
  // the line has more than `limit_bytes`.
  bool append_line(line_values& values, std::size_t limit_bytes, std::string& out);

 private:
  struct place {
    std::uint64_t path = 0;
    std::uint32_t offset = 0;  // in text_
    std::uint32_t value = 0;   // the last index of the value
  };
  line_shape() = default;
  // `preferred`: the notation of values that fit several.
  static std::optional<line_shape> of(std::string_view line, line_values& values, const line_shape* earlier,
                                      line_hole preferred);

  std::string text_;
  std::vector<place> holes_;  // in the JSON
  std::int64_t time_digits_ = -1;
  std::size_t first_style_ = 0;  // of line_values: the one that most holes need
};

// A hash that is equal for all lines that differ only in values, except for collisions. Empty for lines that
// of() rejects.
[[nodiscard]] std::optional<std::uint64_t> line_skeleton(std::string_view line);

// The difference from `from` to `to`. If both differ only in values of their JSON, those values; otherwise
// all of `to`.
[[nodiscard]] byte_vector line_patch(std::string_view from, std::string_view to);

// Appends `from` with `patch` applied. malformed for an invalid patch; over_limit if the result exceeds
// `limit_bytes`.
result<void> apply_line_patch(std::string_view from, byte_span patch, std::size_t limit_bytes,
                              std::string& out);

}  // namespace tickreel::echoreplay
