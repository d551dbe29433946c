// UTF-8 as Unicode allows it (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
// Of what is no UTF-8 every byte counts for itself, wherever this is said of a text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tickreel::text {

inline constexpr char32_t replacement_character = 0xFFFD;

// A character at the front of a text. What is no UTF-8 is U+FFFD, of one byte.
struct character {
  char32_t code = replacement_character;
  std::size_t bytes = 1;
  bool valid = false;
};

// `text` must not be empty.
[[nodiscard]] character first_character(std::string_view text) noexcept;

[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

// How many bytes from the front are UTF-8.
[[nodiscard]] std::size_t utf8_prefix(std::string_view text) noexcept;

// Appends one code point; U+FFFD for what is none.
void append_utf8(char32_t code, std::string& out);

// Appends `text` with each byte that is not UTF-8 replaced by U+FFFD; returns how many that were.
std::size_t append_repaired(std::string_view text, std::string& out);

// Replaces them in place: three bytes stand where one was. Allocates only when there are any.
std::size_t repair(std::string& text);

}  // namespace tickreel::text
