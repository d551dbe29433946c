#include "tickreel/codec/crc32.hpp"

#ifdef TICKREEL_HAS_GZIP
#include <zlib.h>

#include <algorithm>
#include <limits>
#else
#include <array>
#endif

namespace tickreel {

#ifdef TICKREEL_HAS_GZIP

std::uint32_t crc32(byte_span input, std::uint32_t before) noexcept {
  uLong sum = before;
  while (!input.empty()) {
    const auto step =
        static_cast<uInt>(std::min<std::size_t>(input.size(), std::numeric_limits<uInt>::max()));
    sum = ::crc32(sum, reinterpret_cast<const Bytef*>(input.data()), step);
    input = input.subspan(step);
  }
  return static_cast<std::uint32_t>(sum);
}

#else

namespace {

// 0xEDB88320 is the reflected IEEE polynomial.
constexpr std::array<std::uint32_t, 256> remainders = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1u) != 0 ? 0xEDB88320u : 0u);
    table[byte] = rest;
  }
  return table;
}();

}  // namespace

std::uint32_t crc32(byte_span input, std::uint32_t before) noexcept {
  std::uint32_t sum = ~before;
  for (const std::byte byte : input) {
    sum = (sum >> 8) ^ remainders[(sum ^ std::to_integer<std::uint32_t>(byte)) & 0xFFu];
  }
  return ~sum;
}

#endif

}  // namespace tickreel
