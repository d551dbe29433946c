#include "shell_word.hpp"

#include <algorithm>
#include <string_view>

namespace tickreel::cli {

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
  // What begins like an option would be taken for one.
  const std::string name = word.starts_with('-') ? "./" + word : word;
  if (!name.empty() && std::all_of(name.begin(), name.end(), is_plain)) return name;
  if (name.find_first_of(special) == std::string::npos) return '"' + name + '"';
  std::string text = "'";
  for (const char each : name) text += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return text + "'";
}

}  // namespace tickreel::cli
