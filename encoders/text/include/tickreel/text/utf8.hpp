// UTF-8 as Unicode permits it (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF. In
// invalid text every byte counts separately.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tickreel::text {

inline constexpr char32_t replacement_character = 0xFFFD;

// The first character of a text. An invalid byte is U+FFFD, of one byte.
struct character {
  char32_t code = replacement_character;
  std::size_t bytes = 1;
  bool valid = false;
};

// `text` must not be empty.
[[nodiscard]] character first_character(std::string_view text) noexcept;

[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

// The number of leading bytes that are UTF-8.
[[nodiscard]] std::size_t utf8_prefix(std::string_view text) noexcept;

// Appends one code point; U+FFFD for an invalid one.
void append_utf8(char32_t code, std::string& out);

// Appends `text` with each byte that is not UTF-8 replaced by U+FFFD; returns their number.
std::size_t append_repaired(std::string_view text, std::string& out);

// Replaces them in place: three bytes for each. Allocates only if there are any.
std::size_t repair(std::string& text);

}  // namespace tickreel::text
