// How a line of an .echoreplay is spelled, apart from what it says: lines come back byte for byte from
// states.
//
// The game, and each program that writes such lines, puts the fields into an order of its own, with its own
// white space, and maybe with fields that nobody knows. From tick to tick all of that stays as it is and only
// values change. A shape is a line with a hole for each value that its state tells; what has no place in a
// state stands in the shape as it was.
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

// What stands in a shape where a value does: one byte, which no line of JSON holds.
enum class line_hole : char {
  game = 1,             // the value with 8 significant digits, as the game spells it
  shortest = 2,         // with the shortest number that reads back
  without_point = 3,    // the same without the ".0" of whole numbers
  with_point = 4,       // the same with ".0" behind whole numbers
  truth_as_number = 5,  // 1 and 0 for true and false
  number_as_truth = 6,  // the other way round
};

// One digit of the time at a line's beginning: "yyyy/MM/dd HH:mm:ss.fff" with whatever stands between them.
inline constexpr char time_hole = 1;

// The values of a state as the API spells them, for any number of shapes. Keeps its memory from state to
// state. One thread at a time.
class line_values {
 public:
  line_values();
  line_values(line_values&&) noexcept;
  line_values& operator=(line_values&&) noexcept;
  ~line_values();

  // Of that state, which is not needed any more then.
  void take(const echo::state& from);

 private:
  friend class line_shape;
  struct table;
  std::unique_ptr<table> table_;
};

class line_shape {
 public:
  // The shape of a line with whatever ends it. `values` are those of its state. Nothing for what is no line
  // of time, JSON and maybe more JSON. `earlier`: a shape of the same skeleton; what both may be spelled as,
  // stays.
  static std::optional<line_shape> of(std::string_view line, line_values& values,
                                      const line_shape* earlier = nullptr);
  // From text(). malformed for what is none.
  static result<line_shape> from_text(std::string text);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  // Appends the line that says those values. False, and nothing is appended, where the state has no value for
  // one of the holes, or the line has more than `limit_bytes`.
  bool append_line(line_values& values, std::size_t limit_bytes, std::string& out);

 private:
  struct place {
    std::uint64_t path = 0;
    std::uint32_t offset = 0;  // in text_
    std::uint32_t value = 0;   // where the value was the last time
  };
  line_shape() = default;

  std::string text_;
  std::vector<place> holes_;  // in the JSON
  std::int64_t time_digits_ = -1;
};

// The same for all lines that differ only in values: equal, but for collisions, when the texts without their
// values are. Nothing for what of() gives nothing for.
[[nodiscard]] std::optional<std::uint64_t> line_skeleton(std::string_view line);

// What turns `from` into `to`. Where both are alike but for values of their JSON, those values; else all of
// `to`.
[[nodiscard]] byte_vector line_patch(std::string_view from, std::string_view to);

// Appends what `patch` makes of `from`. malformed for what is no patch of it; over_limit when it makes more
// than `limit_bytes`.
result<void> apply_line_patch(std::string_view from, byte_span patch, std::size_t limit_bytes,
                              std::string& out);

}  // namespace tickreel::echoreplay
