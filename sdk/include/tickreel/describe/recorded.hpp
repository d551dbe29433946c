// Reads bytes of a described struct that another version of it wrote. Values are matched by name and kind, and
// missing or changed ones are reported. Files store layouts beside bytes for this purpose (layout_of()).
//
//   const auto match = layout_match::between(layout_of<unit>(), recorded_layout, recorded_bytes);
//   for (const auto& one : match.differences()) print(describe(one));
//   const auto now = read_component<unit>(bytes, match);
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/describe/component.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

enum class layout_change : std::uint8_t {
  missing,    // only the struct has it: it keeps the value of a new struct
  changed,    // recorded as another or a wider kind: likewise
  left_over,  // only the recording has it
  shortened,  // a text that was recorded with more capacity: longer texts are truncated
  numbered,   // an enumeration on one side, a plain number on the other: values are matched by number
};

// One member. Equal differences of array places and entities are one difference.
struct layout_difference {
  layout_change what = layout_change::missing;
  // "position.x", "units[0..511].armor", and "units" if only one side has values of it; for an enumerator
  // that the struct no longer has, "mood=angry".
  std::string name;
  value_layout recorded = {};  // the first value, if there is one
  value_layout wanted = {};
  // "an array", "a struct": if one side is not a single value.
  std::string_view recorded_shape = {};
  std::string_view wanted_shape = {};

  [[nodiscard]] bool is_word() const noexcept { return name.find('=') != std::string::npos; }
};
// "position.x was recorded as i32 and is f32 now".
[[nodiscard]] std::string describe(const layout_difference& one);

// Immutable after construction; any thread.
class layout_match {
 public:
  // Identical layouts.
  layout_match() = default;

  // Matches a struct's current values with recorded ones, which have `recorded_bytes` in total. Values match
  // if their names are equal, and the recorded kind is the same or a narrower one: whole numbers, numbers
  // with a fraction, booleans, texts, interned texts. Enumerations with known names on both sides are matched
  // by names, with any underlying types. A plain value fills an optional of that name; an empty optional
  // leaves a plain value at its default.
  [[nodiscard]] static layout_match between(std::span<const value_layout> wanted,
                                            std::span<const value_layout> recorded,
                                            std::size_t recorded_bytes);

  // Whether the bytes can be read without conversion.
  [[nodiscard]] bool is_same() const noexcept { return is_same_; }
  [[nodiscard]] std::span<const layout_difference> differences() const noexcept { return differences_; }
  // Whether the recording has no value of the struct.
  [[nodiscard]] bool is_empty() const noexcept { return !is_same_ && steps_.empty(); }
  // The first member whose recorded type cannot be read; null if there is none.
  [[nodiscard]] const layout_difference* unreadable() const noexcept;

  // Copies recorded values into `to`, the bytes of a new struct. malformed if `from` is shorter than the
  // recorded layout. Allocates nothing.
  result<void> apply(byte_span from, mutable_byte_span to) const noexcept;

 private:
  enum class move : std::uint8_t { copy, widen_unsigned, widen_signed, widen_float, text, word, present };
  static constexpr std::uint32_t no_flag = UINT32_MAX;
  struct step {
    move how = move::copy;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t from_bytes = 0;
    std::uint32_t to_bytes = 0;
    std::uint32_t words = 0;       // of an enumeration: index of its table
    std::uint32_t flag = no_flag;  // of a former optional: nothing is copied if it is empty
  };
  using word_table = std::vector<std::pair<std::int64_t, std::int64_t>>;  // recorded number, current number
  class difference_list;

  void add(const value_layout& wanted, const value_layout& recorded, std::uint32_t flag, difference_list& to);
  void add_words(const value_layout& wanted, const value_layout& recorded, std::uint32_t flag,
                 difference_list& to);

  bool is_same_ = true;
  std::size_t recorded_bytes_ = 0;
  std::vector<step> steps_;
  std::vector<word_table> words_;
  std::vector<layout_difference> differences_;
};

// As read_component<T>(from), for bytes described by `match`.
template <class T>
[[nodiscard]] result<T> read_component(byte_span from, const layout_match& match) noexcept {
  if (match.is_same()) return read_component<T>(from);
  component_bytes<T> bytes = to_component_bytes(T{});
  if (const auto done = match.apply(from, bytes); !done) return fail(done.error());
  return read_component<T>(bytes);
}

}  // namespace tickreel
