// The lines of a text.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace tickreel::test {

// Without their line feeds; the last one may lack it.
inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace tickreel::test
