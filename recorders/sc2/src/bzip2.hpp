// bzip2 streams.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tickreel/bytes/span.hpp"

namespace tickreel::sc2 {

enum class unpack_outcome : std::uint8_t { whole, no_room, damaged };

struct unpacked {
  unpack_outcome outcome = unpack_outcome::damaged;
  std::size_t bytes = 0;  // at the front of `into`, when it is whole
};

// A bzip2 stream at the beginning of `stream`, with its own checksums compared. Takes memory after the size
// of `into`, not after what the stream announces. What `into` holds is rubbish unless the outcome is whole.
[[nodiscard]] unpacked unpack_bzip2(byte_span stream, mutable_byte_span into) noexcept;

}  // namespace tickreel::sc2
