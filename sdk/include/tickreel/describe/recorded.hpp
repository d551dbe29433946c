// Bytes of a described struct that another version of it wrote: its values are found by name and kind, and
// what is missing or has changed is told. For that files keep layouts beside bytes (layout_of()).
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
  missing,    // the struct has it, the recording has not: it keeps what a new struct has
  changed,    // recorded as another kind, or wider: likewise
  left_over,  // the recording has it, the struct has not
  shortened,  // a text that was recorded with more room: longer texts are cut
};

// One member. Places of arrays and entities that differ in the same way are one difference.
struct layout_difference {
  layout_change what = layout_change::missing;
  // "position.x", "units[0..511].armor", and "units" where no value of it is on the other side; of an
  // enumeration's word that the struct has not any more, "mood=angry".
  std::string name;
  value_layout recorded = {};  // the first value, where there is one
  value_layout wanted = {};
  // "an array", "a struct": where one side is not a single value.
  std::string_view recorded_shape = {};
  std::string_view wanted_shape = {};

  [[nodiscard]] bool is_word() const noexcept { return name.find('=') != std::string::npos; }
};
// "position.x was recorded as i32 and is f32 now".
[[nodiscard]] std::string describe(const layout_difference& one);

// Immutable once made; any thread.
class layout_match {
 public:
  // Everything as it is.
  layout_match() = default;

  // Of a struct's values today and those that were recorded, in `recorded_bytes` together. A value is the
  // same when its name is, and its kind, or a wider one: whole numbers, numbers with a fraction, truth
  // values, texts, interned texts. Enumerations whose words are known on both sides are matched by their
  // words, whatever their underlying types. A plain value fills an optional of that name; an empty optional
  // leaves a plain value as it is in a new struct.
  [[nodiscard]] static layout_match between(std::span<const value_layout> wanted,
                                            std::span<const value_layout> recorded,
                                            std::size_t recorded_bytes);

  // Whether the bytes can be read as they are.
  [[nodiscard]] bool is_same() const noexcept { return is_same_; }
  [[nodiscard]] std::span<const layout_difference> differences() const noexcept { return differences_; }
  // Whether no value of the struct is in the recording.
  [[nodiscard]] bool is_empty() const noexcept { return !is_same_ && steps_.empty(); }
  // The first member that was recorded as something it cannot be read as; null when there is none.
  [[nodiscard]] const layout_difference* unreadable() const noexcept;

  // Puts what was recorded into `to`, the bytes of a new struct. malformed when `from` is shorter than the
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
    std::uint32_t words = 0;       // of word: which table
    std::uint32_t flag = no_flag;  // of an optional that is none any more: without a value nothing is done
  };
  using word_table = std::vector<std::pair<std::int64_t, std::int64_t>>;  // recorded number, number today
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

// As read_component<T>(from), of bytes that `match` is about.
template <class T>
[[nodiscard]] result<T> read_component(byte_span from, const layout_match& match) noexcept {
  if (match.is_same()) return read_component<T>(from);
  component_bytes<T> bytes = to_component_bytes(T{});
  if (const auto done = match.apply(from, bytes); !done) return fail(done.error());
  return read_component<T>(bytes);
}

}  // namespace tickreel
