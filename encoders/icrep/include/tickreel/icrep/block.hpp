// Blocks: what order, event and voice streams and keyframe spools are made of. A block stands on its own: its
// header can be checked without the payload, and a stream is whole up to its last whole block.
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
  bool last = false;        // of the stream; writers may not know
  bool full = false;        // keyframe blocks: not a delta
};

inline constexpr std::size_t block_header_bytes = 32;

struct block {
  block_header head;
  byte_span payload;         // as stored; lives as long as the stream
  std::uint64_t offset = 0;  // of the header
};

// Appends a block around `raw`, compressed if that makes it smaller and is wanted. head.stored_bytes,
// raw_bytes, crc and compressed are set here. The level is lz4_block_compress()'s. over_limit when readers
// would refuse the payload's size.
result<void> append_block(byte_vector& out, block_header head, byte_span raw, bool compress, int level = 0);

// Of one header, which must be `kind`'s: truncated, bad_magic, checksum_mismatch, over_limit, malformed,
// unsupported_codec. The payload may reach behind the end of `from`.
[[nodiscard]] result<block_header> read_block_header(byte_span from, block_kind kind, const limits& most = {},
                                                     std::uint64_t base_offset = 0) noexcept;

// The payload as it was given to append_block: in place, or in `buffer`. checksum_mismatch,
// corrupt_compression.
[[nodiscard]] result<byte_span> open_block(const block& stored, byte_vector& buffer);

// Where a stream is not what it should be.
struct stream_damage {
  error what;
  std::uint64_t first_tick = 0;  // the ticks that are lost or may be
  std::uint64_t end_tick = 0;    // not included; the highest number: to the end
};

struct block_index {
  std::vector<block> blocks;
  std::vector<stream_damage> damage;
  std::uint64_t end_offset = 0;  // behind the last block that is whole
};

// A finished stream's blocks, found by hopping from header to header; payloads are not read. Behind a damaged
// header goes on at the next sound one.
[[nodiscard]] block_index index_blocks(byte_span stream, block_kind kind, const limits& most = {},
                                       std::uint64_t base_offset = 0);

// The blocks of a stream that was being written: up to the first whose header or payload is not whole, which
// then stands in `damage`.
[[nodiscard]] block_index recover_blocks(byte_span stream, block_kind kind, const limits& most = {},
                                         std::uint64_t base_offset = 0);

// Collects encoded frames or records and makes blocks of them. A block ends where block_ticks divides the
// tick, before raw bytes exceed the limit, and when asked to. Reuses its memory. One thread at a time.
class block_stream_writer {
 public:
  struct options {
    std::uint32_t block_ticks = 256;
    std::uint32_t block_bytes = 4u << 20;
    bool compress = true;
    int level = 0;
  };
  block_stream_writer(block_kind kind, options chosen) noexcept : kind_(kind), options_(chosen) {}

  // Takes one item; ticks never fall. Blocks that are finished by it are appended to `out`. Fails with
  // invalid_argument (the tick) or over_limit (more bytes than a block holds); then nothing is taken.
  result<void> add(std::uint64_t tick, byte_span item, byte_vector& out);
  // Makes a block of what has been collected, if anything.
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
