// Rules about names that reader and writer share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

namespace tickreel::mpq {

inline constexpr std::string_view listfile_name = "(listfile)";
inline constexpr std::string_view attributes_name = "(attributes)";

// Names come from the archive itself.
inline constexpr std::size_t name_limit = 200;
inline constexpr std::size_t listed_limit = 4096;
inline constexpr std::uint64_t listfile_limit = 1u << 20;
inline constexpr std::string_view name_ends = "\r\n;";  // in a list

// Static text that names a member in errors.
inline const char* static_name(std::string_view name, std::span<const char* const> known) noexcept {
  if (name == listfile_name) return listfile_name.data();
  if (name == attributes_name) return attributes_name.data();
  const auto found = std::find(known.begin(), known.end(), name);
  return found == known.end() ? "a member of the archive" : *found;
}

}  // namespace tickreel::mpq
