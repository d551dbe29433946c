// What somebody may have meant.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tickreel::npc {

// How many letters have to be put in, left out, changed or swapped with their neighbour.
inline std::size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> off(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        off[i][j] = i + j;
        continue;
      }
      off[i][j] =
          std::min({off[i - 1][j] + 1, off[i][j - 1] + 1, off[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        off[i][j] = std::min(off[i][j], off[i - 2][j - 2] + 1);
    }
  }
  return off[a.size()][b.size()];
}

// "; did you mean 'walk_to'?", or nothing when no name is near. Case and underscores are not counted.
template <class Names>
std::string suggestion(std::string_view wanted, const Names& names) {
  constexpr std::size_t longest = 40;
  if (wanted.empty() || wanted.size() > longest) return {};
  const auto plain = [](std::string_view text) {
    std::string out;
    for (const char each : text) {
      if (each != '_' && each != ' ' && each != '-')
        out += static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
    }
    return out;
  };
  const std::string meant = plain(wanted);
  std::size_t nearest = std::max<std::size_t>(1, meant.size() / 3) + 1;
  std::string_view found;
  for (const auto& each : names) {
    const std::size_t off = letters_apart(meant, plain(each));
    if (off >= nearest) continue;
    nearest = off;
    found = each;
  }
  return found.empty() ? std::string() : "; did you mean '" + std::string(found) + "'?";
}

}  // namespace tickreel::npc
