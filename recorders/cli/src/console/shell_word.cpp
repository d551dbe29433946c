#include "shell_word.hpp"

#include <algorithm>
#include <string_view>

namespace tickreel::cli {

#ifndef _WIN32
namespace {

bool is_control(char each) noexcept {
  return static_cast<unsigned char>(each) < 0x20 || each == 0x7f;
}

// The name as the output of printf. A shell drops trailing newlines, which no recording's name has.
std::string printed_by_shell(std::string_view name) {
  std::string text = "\"$(printf '";
  for (const char each : name) {
    const auto value = static_cast<unsigned char>(each);
    if (is_control(each) || each == '\'' || each == '\\') {
      text += {'\\', static_cast<char>('0' + value / 64), static_cast<char>('0' + value / 8 % 8),
               static_cast<char>('0' + value % 8)};
    } else if (each == '%') {
      text += "%%";
    } else {
      text += each;
    }
  }
  return text + "')\"";
}

}  // namespace
#endif

std::string shell_word(const std::string& word) {
  constexpr std::string_view harmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=@%+";
#ifdef _WIN32
  constexpr std::string_view kept = "\\~";
  constexpr std::string_view special = "";
#else
  constexpr std::string_view kept = "";
  constexpr std::string_view special = "\"$`\\!";
#endif
  const auto is_plain = [&](char each) {
    return harmless.find(each) != std::string_view::npos || kept.find(each) != std::string_view::npos ||
           static_cast<unsigned char>(each) >= 0x80;
  };
  // An argument with a leading hyphen would be parsed as an option.
  const std::string name = word.starts_with('-') ? "./" + word : word;
  if (!name.empty() && std::all_of(name.begin(), name.end(), is_plain)) return name;
#ifndef _WIN32
  // A terminal must not interpret the name; printf prints the same bytes in every shell.
  if (std::any_of(name.begin(), name.end(), is_control)) return printed_by_shell(name);
#endif
  if (name.find_first_of(special) == std::string::npos) return '"' + name + '"';
  std::string text = "'";
  for (const char each : name) text += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return text + "'";
}

}  // namespace tickreel::cli
