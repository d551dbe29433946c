// Member types beyond plain numbers: fixed-point numbers, short texts, interned texts.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string_view>

namespace tickreel {

// A fixed-point number: raw / 2^FractionBits. Stored as its raw integer, without rounding.
template <unsigned FractionBits, std::signed_integral Raw = std::int32_t>
struct fixed_value {
  static_assert(FractionBits < sizeof(Raw) * 8);
  static constexpr unsigned fraction_bits = FractionBits;
  static constexpr double one = static_cast<double>(std::uint64_t{1} << FractionBits);

  Raw raw = 0;

  // Rounds toward zero. The caller must ensure that the value fits.
  [[nodiscard]] static constexpr fixed_value from(double value) noexcept {
    return {static_cast<Raw>(value * one)};
  }
  [[nodiscard]] constexpr double value() const noexcept { return static_cast<double>(raw) / one; }
  friend constexpr auto operator<=>(const fixed_value&, const fixed_value&) = default;
};

// A text of at most `Capacity` bytes, stored in the struct itself. Longer text is truncated after the last
// whole UTF-8 character.
template <std::uint16_t Capacity>
class short_text {
 public:
  constexpr short_text() noexcept = default;
  constexpr short_text(std::string_view text) noexcept {  // NOLINT: implicit, like std::string
    std::size_t size = std::min<std::size_t>(text.size(), Capacity);
    // 10xxxxxx continues a character.
    while (size < text.size() && size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
    std::copy_n(text.begin(), size, characters_);
    size_ = static_cast<std::uint16_t>(size);
  }
  constexpr short_text(const char* text) noexcept : short_text(std::string_view(text)) {}

  [[nodiscard]] constexpr std::string_view view() const noexcept { return {characters_, size_}; }
  static constexpr std::uint16_t capacity = Capacity;
  friend constexpr bool operator==(const short_text& a, const short_text& b) noexcept {
    return a.view() == b.view();
  }

 private:
  std::uint16_t size_ = 0;
  char characters_[Capacity] = {};
};

// If true, T is recorded like a short_text<T::capacity>. T has view(), of at most `capacity` bytes, and is
// constructible from a std::string_view. For text types of a program.
template <class T>
inline constexpr bool recorded_as_short_text = false;
template <std::uint16_t Capacity>
inline constexpr bool recorded_as_short_text<short_text<Capacity>> = true;

// The index of a text in the recording's table of texts, assigned by the recorder that has the table.
struct interned_text {
  std::uint32_t id = 0;
  friend constexpr auto operator<=>(const interned_text&, const interned_text&) = default;
};

}  // namespace tickreel
