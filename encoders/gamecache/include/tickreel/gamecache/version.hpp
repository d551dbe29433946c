// Version numbers and times of these files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tickreel::gamecache {

// Versions of the map, of Warcraft and of the program from 0.90 on: 2600 * major + 26 * minor + letter, where
// "a" and no letter are both 0. 6.59b is 17135.
[[nodiscard]] constexpr std::uint32_t make_version(std::uint32_t major, std::uint32_t minor,
                                                   std::uint32_t letter = 0) noexcept {
  return major * 2600 + minor * 26 + letter;
}

// The oldest version that later programs read, and the versions that changed the fields of layout A.
inline constexpr std::uint32_t version_0_90 = make_version(0, 90);
inline constexpr std::uint32_t version_1_05 = make_version(1, 5);  // item sizes are correct from here on
inline constexpr std::uint32_t version_2_05 = make_version(2, 5);  // assists; the time is the key
inline constexpr std::uint32_t version_2_09 = make_version(2, 9);  // the last program whose source is known

// A file header's version in the scheme above. Headers below 2340 (0.90) are of older programs, which counted
// 200 * major + 2 * minor + (1 for a "b").
[[nodiscard]] constexpr std::uint32_t normalised_version(std::uint32_t stored) noexcept {
  return stored < version_0_90 ? stored / 2 * 26 + (stored & 1) : stored;
}

// "6.59b", "1.23", "2.09". Empty for 0, which means none.
[[nodiscard]] std::string version_text(std::uint32_t version);

// A modification time in seconds since 1970. Values above 10^16 are taken as Windows file times (100 ns since
// 1601), 0 to 10^11 as Unix seconds; everything else is unknown.
[[nodiscard]] std::optional<std::int64_t> unix_seconds(std::int64_t stored) noexcept;

}  // namespace tickreel::gamecache
