// Names as a cache stores them: bytes that nobody promised to be valid text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tickreel::gamecache {

enum class text_form : std::uint8_t {
  plain,  // bytes of an unknown code page, or UTF-8
  wide,   // UTF-16, little-endian, two bytes a unit
};

// Holds exactly what lies in the file, without the byte that tells the form and without the terminator.
struct text {
  text_form form = text_form::plain;
  std::string bytes;

  bool operator==(const text&) const = default;
};

// For people: what is not valid becomes U+FFFD.
[[nodiscard]] std::string to_utf8(const text& from);
[[nodiscard]] std::string to_utf8(std::string_view plain);

// Text that ends at the first 0, as everywhere in these files. What is not UTF-8 becomes U+FFFD when wide,
// and stays as it is when plain.
[[nodiscard]] text from_utf8(std::string_view utf8, text_form form);

// How long it is in UTF-16 units, which is how the program's buffers count. A plain byte that is not UTF-8
// counts as one.
[[nodiscard]] std::size_t utf16_units(const text& from) noexcept;

// The same place, as the program sees it: ASCII letters of either case and both slashes are equal.
[[nodiscard]] bool same_path(std::string_view left, std::string_view right) noexcept;
// Equal for paths that are the same.
[[nodiscard]] std::uint64_t path_hash(std::string_view path) noexcept;

}  // namespace tickreel::gamecache
