// Chunks whose frames are the rows of one block: the block is the first frame, a keyframe, and the rows
// behind the first are deltas of no bytes. So each has its tick and time, and whatever walks frames walks
// rows.
#pragma once

#include <cstddef>
#include <span>

#include "tickreel/bytes/span.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/keyframe/frame.hpp"

namespace tickreel::reel {

// The most bytes in front of a frame: ticks since the one before, microseconds likewise, length and kind.
inline constexpr std::size_t frame_head_bytes = 3 * leb128_max_size;

// What room a chunk of that many rows needs.
[[nodiscard]] constexpr std::size_t block_chunk_bytes(std::size_t block_bytes, std::size_t rows) noexcept {
  return block_bytes + (rows + 1) * frame_head_bytes;
}

// The block lies in `room`, `block_bytes` long, from frame_head_bytes on; the rest of the chunk's payload
// comes around it. `rows` is not empty, and its ticks rise. Returns the payload; empty when `room` is too
// small.
[[nodiscard]] byte_span finish_block_chunk(mutable_byte_span room, std::size_t block_bytes,
                                           std::span<const frame_stamp> rows) noexcept;

// One frame's head behind what `out` has.
void write_frame_head(byte_writer& out, frame_stamp before, frame_stamp now, frame_kind kind,
                      std::size_t bytes) noexcept;

}  // namespace tickreel::reel
