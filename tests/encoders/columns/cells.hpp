// Cells of tables, as the scripts print them that read files with independent readers.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "hex.hpp"

namespace tickreel::test {

// n for null; otherwise as follows.
inline std::string cell_of(std::int64_t value) {
  return "i:" + std::to_string(value);
}
inline std::string cell_of(double value) {
  if (std::isnan(value)) return "d:nan";
  char text[32];
  std::snprintf(text, sizeof(text), "d:%llx",
                static_cast<unsigned long long>(std::bit_cast<std::uint64_t>(value)));
  return text;
}
inline std::string cell_of(std::string_view value) {
  return "t:" + to_hex(as_bytes(value));
}

}  // namespace tickreel::test
