// Patterns of file names: "{date}_{map}_{blue}-{orange}_{n}".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tickreel::echo_vr {

inline constexpr std::string_view default_name_pattern = "{date}_{time}_{map}_{session}";

// Values of the placeholders, as received from the game: untrusted text. Empty values become "unknown".
struct name_values {
  std::int64_t time_ms = 0;       // {date} 2022-07-16 and {time} 20-04-58, UTC
  std::string_view map = {};      // {map}
  std::string_view session = {};  // {session}: its first 8 characters
  std::string_view type = {};     // {type}: Echo_Arena_Private
  std::string_view blue = {};     // {blue}: the team's name
  std::string_view orange = {};   // {orange}
  std::string_view client = {};   // {client}: the player on this client
  std::string_view host = {};     // {host}: the polled host
  std::uint32_t round = 1;        // {round}: from 1, computed from the finished rounds
};

// {n} is the number of the file, 1 unless the name is taken. A pattern without it gets -2, -3, ... instead.
inline constexpr std::string_view number_placeholder = "{n}";

// An error text for an invalid pattern, empty for a valid one. Invalid are unknown placeholders (the text
// suggests a known one), unmatched braces, characters that some systems do not allow in file names, folder
// separators, and more than 120 bytes.
[[nodiscard]] std::string check_name_pattern(std::string_view pattern);

// A file name without its extension, for a pattern that check_name_pattern() accepts. Every character of a
// value except ASCII letters, digits and '-' becomes '_'; values are truncated to 40 characters. Names that
// Windows treats as a device ("con", "com1") and those that look like an option ("-n") get the prefix '_'. At
// most 200 bytes; the number is never truncated.
[[nodiscard]] std::string file_stem(std::string_view pattern, const name_values& words,
                                    std::uint32_t number = 1);

}  // namespace tickreel::echo_vr
