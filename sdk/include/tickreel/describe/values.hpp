// Members that a plain number does not say well: fixed-point numbers, short texts, interned texts.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string_view>

namespace tickreel {

// A fixed-point number: raw / 2^FractionBits. Written as its raw integer, so nothing is rounded.
template <unsigned FractionBits, std::signed_integral Raw = std::int32_t>
struct fixed_value {
  static_assert(FractionBits < sizeof(Raw) * 8);
  static constexpr unsigned fraction_bits = FractionBits;
  static constexpr double one = static_cast<double>(std::uint64_t{1} << FractionBits);

  Raw raw = 0;

  // Toward zero; the caller vouches that it fits.
  [[nodiscard]] static constexpr fixed_value from(double value) noexcept {
    return {static_cast<Raw>(value * one)};
  }
  [[nodiscard]] constexpr double value() const noexcept { return static_cast<double>(raw) / one; }
  friend constexpr auto operator<=>(const fixed_value&, const fixed_value&) = default;
};

// A text of at most `Capacity` bytes that lies in the struct itself. Longer ones are cut, at the last whole
// UTF-8 character.
template <std::uint16_t Capacity>
class short_text {
 public:
  constexpr short_text() noexcept = default;
  constexpr short_text(std::string_view text) noexcept {  // NOLINT: a text is what it is
    std::size_t size = std::min<std::size_t>(text.size(), Capacity);
    // 10xxxxxx goes on with a character that began before.
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

// True: T is recorded as a short_text<T::capacity> is. It has view(), of at most `capacity` bytes, and is
// made from a std::string_view. For texts that a program has already.
template <class T>
inline constexpr bool recorded_as_short_text = false;
template <std::uint16_t Capacity>
inline constexpr bool recorded_as_short_text<short_text<Capacity>> = true;

// The number of a text in the recording's table of texts; the recorder that has the table gives it out.
struct interned_text {
  std::uint32_t id = 0;
  friend constexpr auto operator<=>(const interned_text&, const interned_text&) = default;
};

}  // namespace tickreel
