// Texts that are mostly UTF-8, and random bytes.
#pragma once

#include <random>
#include <string>

#include "tickreel/text/utf8.hpp"

namespace tickreel::test {

// The code points on either side of every limit in UTF-8 and JSON.
inline constexpr char32_t edges[] = {0,      1,      0x1F,   0x20,    '"',     '\\',
                                     0x7E,   0x7F,   0x80,   0x7FF,   0x800,   0xD7FF,
                                     0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF};

inline char32_t random_code_point(std::mt19937_64& random) {
  if (random() % 3 == 0) return edges[random() % std::size(edges)];
  if (random() % 2 == 0) return static_cast<char32_t>(0x20 + random() % 0x5F);
  for (;;) {
    const auto code = static_cast<char32_t>(random() % 0x110000);
    if (code < 0xD800 || code > 0xDFFF) return code;
  }
}

inline std::string random_utf8(std::mt19937_64& random) {
  std::string out;
  for (std::size_t left = random() % 40; left > 0; --left) text::append_utf8(random_code_point(random), out);
  return out;
}

// UTF-8 with some bytes changed, removed and duplicated; or noise.
inline std::string random_bytes(std::mt19937_64& random) {
  if (random() % 4 == 0) {
    std::string noise(random() % 40, '\0');
    for (char& each : noise) each = static_cast<char>(static_cast<unsigned char>(random()));
    return noise;
  }
  std::string out = random_utf8(random);
  for (std::size_t left = random() % 4; left > 0 && !out.empty(); --left) {
    const std::size_t at = random() % out.size();
    switch (random() % 3) {
      case 0:
        out[at] = static_cast<char>(static_cast<unsigned char>(random()));
        break;
      case 1:
        out.erase(at, 1);
        break;
      default:
        out.insert(at, 1, out[at]);
    }
  }
  return out;
}

}  // namespace tickreel::test
