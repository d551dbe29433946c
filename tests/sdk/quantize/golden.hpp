// The test values of the reference implementation of .butter: primitives.txt, one "kind hex hex ..." per line.
#pragma once

#include <bit>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "shared_data.hpp"

namespace tickreel::test {

using golden_row = std::vector<std::string>;

// All rows of one kind, without the kind; empty if the file is absent.
inline std::vector<golden_row> golden_rows(const std::string& kind) {
  std::vector<golden_row> rows;
  const auto folder = shared_data("butter");
  if (folder.empty()) return rows;
  std::ifstream file(folder / "primitives.txt");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word != kind) continue;
    golden_row& row = rows.emplace_back();
    while (words >> word) row.push_back(word);
  }
  return rows;
}

inline std::uint32_t hex(const std::string& text) {
  return static_cast<std::uint32_t>(std::stoul(text, nullptr, 16));
}
inline float hex_float(const std::string& text) {
  return std::bit_cast<float>(hex(text));
}

}  // namespace tickreel::test
