// ASCII text, independent of the locale, and the numbers that it spells.
#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace tickreel::text {

[[nodiscard]] constexpr bool is_digit(char each) noexcept {
  return each >= '0' && each <= '9';
}
[[nodiscard]] constexpr bool is_letter(char each) noexcept {
  return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
}

// Letters that are not ASCII stay unchanged.
[[nodiscard]] constexpr char to_lower(char each) noexcept {
  return each >= 'A' && each <= 'Z' ? static_cast<char>(each - 'A' + 'a') : each;
}
[[nodiscard]] inline std::string to_lower(std::string_view text) {
  std::string out(text);
  for (char& each : out) each = to_lower(each);
  return out;
}
[[nodiscard]] constexpr bool equal_ignoring_case(std::string_view one, std::string_view other) noexcept {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](char left, char right) { return to_lower(left) == to_lower(right); });
}

[[nodiscard]] constexpr std::string_view trimmed(std::string_view text,
                                                 std::string_view blanks = " \t\r\n") noexcept {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Reads the number that the whole text spells, as std::from_chars does: no blanks, no '+', and "nan" and "inf" are
// floating-point numbers. False, without a change of `out`, for other texts, and if the number does not fit.
// `base` is of integers.
template <class Number>
[[nodiscard]] bool parse_number(std::string_view text, Number& out, [[maybe_unused]] int base = 10) noexcept {
  Number number{};
  const char* const end = text.data() + text.size();
  std::from_chars_result read{};
  if constexpr (std::integral<Number>) {
    read = std::from_chars(text.data(), end, number, base);
  } else {
    read = std::from_chars(text.data(), end, number);
  }
  if (read.ec != std::errc{} || read.ptr != end) return false;
  out = number;
  return true;
}
template <class Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text, int base = 10) noexcept {
  Number number{};
  return parse_number(text, number, base) ? std::optional(number) : std::nullopt;
}

}  // namespace tickreel::text
