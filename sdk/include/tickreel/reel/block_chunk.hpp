// Chunks whose frames are the rows of one block. The block is the first frame, a keyframe, or a delta if it continues
// the block of the chunk before; the rows after the first are deltas without bytes. So each row has its tick and time,
// and every iterator over frames is an iterator over rows.
#pragma once

#include <cstddef>
#include <span>

#include "tickreel/bytes/span.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/keyframe/frame.hpp"

namespace tickreel::reel {

// The largest size of a frame's head: ticks since the one before, microseconds likewise, length and kind.
inline constexpr std::size_t frame_head_bytes = 3 * leb128_max_size;

// The memory that a chunk of this many rows needs.
[[nodiscard]] constexpr std::size_t block_chunk_bytes(std::size_t block_bytes, std::size_t rows) noexcept {
  return block_bytes + (rows + 1) * frame_head_bytes;
}

// The block is in `room` from frame_head_bytes on and has `block_bytes`; this adds the rest of the chunk's
// payload. `rows` is not empty, and its ticks rise. Returns the payload; empty if `room` is too small.
[[nodiscard]] byte_span finish_block_chunk(mutable_byte_span room, std::size_t block_bytes,
                                           std::span<const frame_stamp> rows,
                                           frame_kind first = frame_kind::keyframe) noexcept;

// Appends one frame's head to `out`.
void write_frame_head(byte_writer& out, frame_stamp before, frame_stamp now, frame_kind kind,
                      std::size_t bytes) noexcept;

}  // namespace tickreel::reel
