// What recorded files are called: "{date}_{map}_{blue}-{orange}_{n}".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tickreel::echo_vr {

inline constexpr std::string_view default_name_pattern = "{date}_{time}_{map}_{session}";

// What the placeholders stand for, as the game says it: anybody may have chosen these words. Those that are
// empty become "unknown".
struct name_words {
  std::int64_t time_ms = 0;       // {date} 2022-07-16 and {time} 20-04-58, UTC
  std::string_view map = {};      // {map}
  std::string_view session = {};  // {session}: its first 8 characters
  std::string_view type = {};     // {type}: Echo_Arena_Private
  std::string_view blue = {};     // {blue}: the team's name
  std::string_view orange = {};   // {orange}
  std::string_view client = {};   // {client}: who runs the game
  std::string_view host = {};     // {host}: that was polled
  std::uint32_t round = 1;        // {round}: from 1, by the rounds that are over
};

// {n} is the number of the file, 1 unless the name is taken. A pattern without it gets -2, -3, ... then.
inline constexpr std::string_view number_placeholder = "{n}";

// A sentence about what is wrong with a pattern, empty when nothing is: placeholders that are none (with the
// one that may be meant), braces that stand alone, characters that no file name has on every system,
// separators of folders, more than 120 bytes.
[[nodiscard]] std::string check_name_pattern(std::string_view pattern);

// A file's name without its extension, for a pattern that check_name_pattern() finds nothing about. Every
// character of a word but ASCII letters, digits and '-' becomes '_'; words are cut after 40 characters. What
// Windows takes for a device ("con", "com1"), or a program for an option ("-n"), gets '_' in front. At most
// 200 bytes, of which number has its own.
[[nodiscard]] std::string file_stem(std::string_view pattern, const name_words& words,
                                    std::uint32_t number = 1);

}  // namespace tickreel::echo_vr
