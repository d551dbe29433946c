// Names as stored in a cache: bytes that may not be valid text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tickreel::gamecache {

enum class text_form : std::uint8_t {
  plain,  // bytes of an unknown code page, or UTF-8
  wide,   // UTF-16, little-endian, two bytes per unit
};

// Exactly the stored bytes, without the byte for the form and without the terminator.
struct text {
  text_form form = text_form::plain;
  std::string bytes;

  bool operator==(const text&) const = default;
};

// For display: invalid bytes become U+FFFD.
[[nodiscard]] std::string to_utf8(const text& from);
[[nodiscard]] std::string to_utf8(std::string_view plain);

// The text ends at the first 0, as everywhere in these files. Bytes that are not UTF-8 become U+FFFD if wide,
// and stay unchanged if plain.
[[nodiscard]] text from_utf8(std::string_view utf8, text_form form);

// The length in UTF-16 units, the unit of the program's buffers. A plain byte that is not UTF-8 counts as
// one.
[[nodiscard]] std::size_t utf16_units(const text& from) noexcept;

// Equality as in the program: case of ASCII letters and the kind of slash do not matter.
[[nodiscard]] bool same_path(std::string_view left, std::string_view right) noexcept;
// Equal for paths that are equal by same_path().
[[nodiscard]] std::uint64_t path_hash(std::string_view path) noexcept;

}  // namespace tickreel::gamecache
