// The CRC of zip, gzip and PNG: IEEE 802.3, reflected. For formats that require it; reels use XXH3.
#pragma once

#include <cstdint>

#include "tickreel/bytes/span.hpp"

namespace tickreel {

// The CRC of earlier bytes followed by `input`; `before` is the CRC of the earlier ones. Any thread;
// allocates nothing.
[[nodiscard]] std::uint32_t crc32(byte_span input, std::uint32_t before = 0) noexcept;

}  // namespace tickreel
