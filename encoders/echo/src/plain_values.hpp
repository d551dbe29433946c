// Values in the notation of the game, read directly from the text. Every other value is left to simdjson, which
// also finds the errors: a reader here returns nullptr for it.
//
// `at` is the start of a token of simdjson. Its padding follows the text, so 32 bytes after it are readable.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tickreel::echo::plain {

// A colon is not among them: a value before a colon is an error.
constexpr bool ends_value(char c) noexcept {
  return c == ',' || c == ']' || c == '}' || c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// Over 9 for other characters.
constexpr unsigned digit_of(char c) noexcept {
  return static_cast<unsigned>(static_cast<unsigned char>(c)) - '0';
}

// A digit a byte, the first one in the lowest; over 9 for other characters.
inline std::uint64_t eight_digits(const char* at) noexcept {
  std::uint64_t out;
  std::memcpy(&out, at, sizeof out);
  return out ^ 0x3030303030303030u;
}
// The number of digits before the first other character.
constexpr std::size_t leading_digits(std::uint64_t digits) noexcept {
  // A carry only reaches bytes after that character.
  const std::uint64_t others = ((digits + 0x7676767676767676u) | digits) & 0x8080808080808080u;
  return static_cast<std::size_t>(std::countr_zero(others)) / 8;
}
// The number that the first `count` digits spell, 1 to 8: neighbours are joined three times.
constexpr std::uint64_t number_of(std::uint64_t digits, std::size_t count) noexcept {
  digits <<= 64 - 8 * count;
  digits = digits * 10 + (digits >> 8);
  constexpr std::uint64_t pairs = 0x000000ff000000ffu;
  return ((digits & pairs) * 0x000f424000000064u + (digits >> 16 & pairs) * 0x0000271000000001u) >> 32;
}

// At most this many digits are an exact double, and so is their power of ten: one division rounds correctly.
constexpr std::size_t exact_digits = 15;
constexpr std::uint64_t powers_of_ten[exact_digits + 1] = {1,
                                                           10,
                                                           100,
                                                           1'000,
                                                           10'000,
                                                           100'000,
                                                           1'000'000,
                                                           10'000'000,
                                                           100'000'000,
                                                           1'000'000'000,
                                                           10'000'000'000,
                                                           100'000'000'000,
                                                           1'000'000'000'000,
                                                           10'000'000'000'000,
                                                           100'000'000'000'000,
                                                           1'000'000'000'000'000};

// Returns the end of a number with a decimal point and without exponent, which is 0 or from 1e-14 to 1e15. Signs and lengths follow no pattern, so few
// branches depend on them.
inline const char* read_number(const char* at, double& out) noexcept {
  if constexpr (std::endian::native != std::endian::little) return nullptr;
  const auto negative = static_cast<std::uint64_t>(*at == '-');
  at += negative;
  const char* const start = at;
  std::uint64_t digits = digit_of(*at++);
  if (digits > 9 || (digits == 0 && *at != '.')) return nullptr;
  for (; *at != '.'; ++at) {
    if (digit_of(*at) > 9) return nullptr;
    digits = 10 * digits + digit_of(*at);
  }
  const auto of_whole = static_cast<std::size_t>(at - start);
  const std::uint64_t first = eight_digits(at + 1);
  std::size_t places = leading_digits(first);
  if (places == 0) return nullptr;
  digits = digits * powers_of_ten[places] + number_of(first, places);
  if (places == 8) {
    const std::uint64_t second = eight_digits(at + 9);
    if (const std::size_t more = leading_digits(second); more != 0) {
      digits = digits * powers_of_ten[more] + number_of(second, more);
      places += more;
    }
  }
  at += 1 + places;
  if (of_whole + places > exact_digits || !ends_value(*at)) return nullptr;
  const double size = static_cast<double>(static_cast<std::int64_t>(digits)) /
                      static_cast<double>(static_cast<std::int64_t>(powers_of_ten[places]));
  out = std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) | negative << 63);
  return at;
}

// Returns the end of a whole number.
inline const char* read_integer(const char* at, std::int64_t& out) noexcept {
  const bool negative = *at == '-';
  if (negative) ++at;
  const char* const whole = at;
  std::int64_t size = digit_of(*at++);
  if (size > 9) return nullptr;
  if (size != 0) {
    for (; digit_of(*at) <= 9; ++at) {
      if (at - whole >= std::ptrdiff_t{exact_digits}) return nullptr;
      size = 10 * size + digit_of(*at);
    }
  }
  if (!ends_value(*at)) return nullptr;
  out = negative ? -size : size;
  return at;
}

inline const char* read_bool(const char* at, bool& out) noexcept {
  const bool value = *at == 't';
  const std::size_t length = value ? 4 : 5;
  if (std::memcmp(at, value ? "true" : "false", length) != 0 || !ends_value(at[length])) return nullptr;
  out = value;
  return at + length;
}

// Returns the end of a text without escapes, whose characters simdjson has checked. A colon after blanks would
// make it a key, so no blank may follow.
inline const char* read_text(const char* at, std::string_view& out) noexcept {
  if (*at != '"') return nullptr;
  const char* const start = ++at;
  while (*at != '"') {
    if (*at++ == '\\') return nullptr;
  }
  out = {start, static_cast<std::size_t>(at - start)};
  ++at;
  return *at == ',' || *at == '}' || *at == ']' ? at : nullptr;
}

}  // namespace tickreel::echo::plain
