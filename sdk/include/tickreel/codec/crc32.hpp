// The CRC that zip, gzip and PNG use: IEEE 802.3, reflected. For formats that ask for it; reels use XXH3.
#pragma once

#include <cstdint>

#include "tickreel/bytes/span.hpp"

namespace tickreel {

// Of `before`'s bytes followed by `input`, when `before` is their CRC. Any thread; allocates nothing.
[[nodiscard]] std::uint32_t crc32(byte_span input, std::uint32_t before = 0) noexcept;

}  // namespace tickreel
