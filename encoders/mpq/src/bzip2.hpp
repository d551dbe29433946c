// bzip2 streams.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tickreel/bytes/span.hpp"

namespace tickreel::mpq {

enum class unpack_outcome : std::uint8_t { whole, no_room, damaged };

struct unpacked {
  unpack_outcome outcome = unpack_outcome::damaged;
  std::size_t bytes = 0;  // at the front of `into`, if it is whole
};

// Decompresses a bzip2 stream at the beginning of `stream`, and checks its checksums. Allocates memory by the
// size of `into`, not by the stream's statement. `into` is unspecified unless the outcome is whole.
[[nodiscard]] unpacked unpack_bzip2(byte_span stream, mutable_byte_span into) noexcept;

enum class pack_outcome : std::uint8_t { packed, no_room, no_memory };

// States the smallest sufficient block size, and allocates by it; `size` becomes that of the stream.
[[nodiscard]] pack_outcome pack_bzip2(byte_span content, mutable_byte_span into, std::size_t& size) noexcept;

}  // namespace tickreel::mpq
