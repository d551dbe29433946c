#include "tickreel/reel/block_chunk.hpp"

namespace tickreel::reel {

void write_frame_head(byte_writer& out, frame_stamp before, frame_stamp now, frame_kind kind,
                      std::size_t bytes) noexcept {
  write_leb128(out, now.tick - before.tick);
  // Unsigned, so that no difference of two times overflows.
  write_leb128(out, zigzag_encode(static_cast<std::int64_t>(static_cast<std::uint64_t>(now.time_us) -
                                                            static_cast<std::uint64_t>(before.time_us))));
  write_leb128(out, std::uint64_t{bytes} * 2 + (kind == frame_kind::keyframe ? 1 : 0));
}

byte_span finish_block_chunk(mutable_byte_span room, std::size_t block_bytes,
                             std::span<const frame_stamp> rows, frame_kind first) noexcept {
  if (rows.empty() || room.size() < frame_head_bytes + block_bytes) return {};
  std::byte first_head[frame_head_bytes];
  byte_writer head(first_head);
  write_frame_head(head, rows.front(), rows.front(), first, block_bytes);
  const std::size_t start = frame_head_bytes - head.size();
  byte_writer before(room.subspan(start, head.size()));
  before.bytes(head.written());
  byte_writer frame_heads(room.subspan(frame_head_bytes + block_bytes));
  for (std::size_t i = 1; i < rows.size(); ++i) {
    write_frame_head(frame_heads, rows[i - 1], rows[i], frame_kind::delta, 0);
  }
  if (!frame_heads.ok()) return {};
  return byte_span(room).subspan(start, head.size() + block_bytes + frame_heads.size());
}

}  // namespace tickreel::reel
