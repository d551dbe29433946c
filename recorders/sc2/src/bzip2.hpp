// bzip2 streams.
//
// The usual library takes 400 kB to 3.7 MB for a stream, after the size of block that the stream announces:
// a hundred times what a member of a replay holds, as all of them announce the largest. This takes two bytes
// for each byte of the block that is being read, three where a block has more than 65536, and 30 kB of stack.
//
//   stream  "BZh", '1' to '9': blocks hold at most that many times 100,000 bytes; blocks; end
//   block   48 bits 0x314159265359, CRC-32 of what it unpacks to: u32, shuffled: 1 bit, row:u24, then which
//           bytes occur, 2 to 6 codes, which code is used when, and symbols
//   end     48 bits 0x177245385090, the blocks' CRC-32s together: u32
// Bits are taken from the high end of each byte.
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

// A bzip2 stream at the beginning of `stream`, with its own checksums compared. Blocks that are marked as
// shuffled, which no program has written since 1999, count as damaged. What `into` holds is rubbish unless
// the outcome is whole.
[[nodiscard]] unpacked unpack_bzip2(byte_span stream, mutable_byte_span into);

}  // namespace tickreel::sc2
