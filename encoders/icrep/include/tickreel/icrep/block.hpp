// Blocks: the units of order, event and voice streams and keyframe spools. A block is independent: its header
// can be checked without the payload, and a stream is valid up to its last whole block.
#pragma once

#include <cstdint>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/icrep/limits.hpp"
#include "tickreel/result.hpp"

namespace tickreel::icrep {

enum class block_kind : std::uint8_t { orders, events, voice, keyframe };

struct block_header {
  block_kind kind = block_kind::orders;
  std::uint32_t stored_bytes = 0;
  std::uint32_t raw_bytes = 0;
  std::uint32_t crc = 0;  // CRC-32 of the stored payload
  std::uint64_t first_tick = 0;
  std::uint32_t count = 0;  // frames, records, or 1 keyframe
  bool compressed = false;  // an LZ4 block
  bool last = false;        // of the stream; writers may not set it
  bool full = false;        // keyframe blocks: not a delta
};

inline constexpr std::size_t block_header_bytes = 32;

struct block {
  block_header head;
  byte_span payload;         // as stored; valid as long as the stream
  std::uint64_t offset = 0;  // of the header
};

// Appends a block around `raw`, compressed if requested and smaller. Sets head.stored_bytes, raw_bytes, crc
// and compressed. The level is lz4_block_compress()'s. over_limit if readers would reject the payload's size.
result<void> append_block(byte_vector& out, block_header head, byte_span raw, bool compress, int level = 0);

// Reads a header of `kind`: truncated, bad_magic, checksum_mismatch, over_limit, malformed,
// unsupported_codec. The payload may extend beyond `from`.
[[nodiscard]] result<block_header> read_block_header(byte_span from, block_kind kind, const limits& most = {},
                                                     std::uint64_t base_offset = 0) noexcept;

// The payload that was passed to append_block: in place, or in `buffer`. checksum_mismatch,
// corrupt_compression.
[[nodiscard]] result<byte_span> open_block(const block& stored, byte_vector& buffer);

// A damaged part of a stream.
struct stream_damage {
  error what;
  std::uint64_t first_tick = 0;  // the ticks that are lost or may be
  std::uint64_t end_tick = 0;    // exclusive; the highest number: to the end
};

struct block_index {
  std::vector<block> blocks;
  std::vector<stream_damage> damage;
  std::uint64_t end_offset = 0;  // after the last whole block
};

// The blocks of a finished stream, found from header to header; payloads are not read. Continues after a
// damaged header at the next valid one.
[[nodiscard]] block_index index_blocks(byte_span stream, block_kind kind, const limits& most = {},
                                       std::uint64_t base_offset = 0);

// The blocks of an unfinished stream: those before the first with a damaged or incomplete header or payload,
// which is reported in `damage`.
[[nodiscard]] block_index recover_blocks(byte_span stream, block_kind kind, const limits& most = {},
                                         std::uint64_t base_offset = 0);

// Collects encoded frames or records and writes them as blocks. A block ends at ticks divisible by
// block_ticks, before its bytes exceed the limit, and on request. Reuses its memory. One thread at a time.
class block_stream_writer {
 public:
  struct options {
    std::uint32_t block_ticks = 256;
    std::uint32_t block_bytes = 4u << 20;
    bool compress = true;
    int level = 0;
  };
  block_stream_writer(block_kind kind, options chosen) noexcept : kind_(kind), options_(chosen) {}

  // Adds one item; ticks never fall. Appends blocks that it completes to `out`. On invalid_argument (the
  // tick) or over_limit (more bytes than a block holds) nothing is added.
  result<void> add(std::uint64_t tick, byte_span item, byte_vector& out);
  // Writes a block of the collected items, if there are any.
  result<void> flush(byte_vector& out) { return seal(out, false); }
  // The same, marked as the stream's last.
  result<void> finish(byte_vector& out) { return seal(out, true); }

 private:
  result<void> seal(byte_vector& out, bool last);

  block_kind kind_;
  options options_;
  byte_vector raw_;
  std::uint64_t first_tick_ = 0;
  std::uint64_t last_tick_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace tickreel::icrep
