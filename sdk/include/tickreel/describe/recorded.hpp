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
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/describe/component.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

enum class layout_change : std::uint8_t {
  missing,    // the struct has it, the recording has not: it keeps what a new struct has
  changed,    // recorded as another kind, or wider: likewise
  left_over,  // the recording has it, the struct has not
};

struct layout_difference {
  layout_change what = layout_change::missing;
  std::string name;  // "position.x"; of an enumeration's word that the struct has not any more, "mood=angry"
  value_layout recorded = {};
  value_layout wanted = {};
};
// "position.x was recorded as i32 and is f32 now".
[[nodiscard]] std::string describe(const layout_difference& one);

// Immutable once made; any thread.
class layout_match {
 public:
  // Everything as it is.
  layout_match() = default;

  // Of a struct's values today and those that were recorded, in `recorded_bytes` together. A value is the
  // same when name and kind are: whole numbers of one sign, numbers with a fraction, truth values, texts,
  // interned texts; those recorded in fewer bytes are widened. Enumerations whose words are known go by
  // words, not by numbers. What was recorded plainly fills an optional of that name.
  [[nodiscard]] static layout_match between(std::span<const value_layout> wanted,
                                            std::span<const value_layout> recorded,
                                            std::size_t recorded_bytes);

  // Whether the bytes can be read as they are.
  [[nodiscard]] bool is_same() const noexcept { return is_same_; }
  [[nodiscard]] std::span<const layout_difference> differences() const noexcept { return differences_; }

  // Puts what was recorded into `to`, the bytes of a new struct. malformed when `from` is shorter than the
  // recorded layout. Allocates nothing.
  result<void> apply(byte_span from, mutable_byte_span to) const noexcept;

 private:
  enum class move : std::uint8_t { copy, widen_unsigned, widen_signed, widen_float, text, word, present };
  struct step {
    move how = move::copy;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t from_bytes = 0;
    std::uint32_t to_bytes = 0;
    std::uint32_t words = 0;  // of word: which table
  };
  using word_table = std::vector<std::pair<std::int64_t, std::int64_t>>;  // recorded number, number today

  void add(const value_layout& wanted, const value_layout& recorded);
  void add_words(const value_layout& wanted, const value_layout& recorded);

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
