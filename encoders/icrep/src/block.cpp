#include "tickreel/icrep/block.hpp"

#include <array>
#include <limits>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/codec/crc32.hpp"
#include "tickreel/codec/lz4_block.hpp"

namespace tickreel::icrep {

// off  type    field
//   0  u8[4]   ICOB, ICEB, ICVB, ICKB
//   4  u32     stored bytes of the payload, which follows the header
//   8  u32     its bytes when decompressed
//  12  u32     CRC-32 of the stored payload
//  16  u64     first tick
//  24  u32     count
//  28  u8      codec: 0 stored, 1 LZ4 block
//  29  u8      flags: 1 last of the stream, 2 full keyframe
//  30  u16     low half of the CRC-32 of bytes 0 to 29

namespace {

constexpr std::array<std::string_view, 4> magics = {"ICOB", "ICEB", "ICVB", "ICKB"};
constexpr std::size_t checked_bytes = 30;
constexpr std::uint8_t codec_stored = 0;
constexpr std::uint8_t codec_lz4 = 1;
constexpr std::uint8_t flag_last = 1;
constexpr std::uint8_t flag_full = 2;
constexpr std::uint64_t no_tick = std::numeric_limits<std::uint64_t>::max();

constexpr std::string_view magic_of(block_kind kind) noexcept {
  return magics[static_cast<std::size_t>(kind)];
}

std::uint16_t header_check(byte_span header) noexcept {
  return static_cast<std::uint16_t>(crc32(header.first(checked_bytes)) & 0xFFFFu);
}

// The payload if it is complete.
result<block> block_at(byte_span stream, std::size_t position, block_kind kind, const limits& most,
                       std::uint64_t base_offset) noexcept {
  const byte_span rest = stream.subspan(position);
  const auto head = read_block_header(rest, kind, most, base_offset + position);
  if (!head) return fail(head.error());
  const byte_span content = rest.subspan(block_header_bytes);
  if (content.size() < head->stored_bytes) {
    return fail(error_code::truncated, base_offset + position,
                "a block of {} byte{s}, of which {} can be read", head->stored_bytes,
                static_cast<std::int64_t>(content.size()));
  }
  return block{*head, content.first(head->stored_bytes), base_offset + position};
}

// The next valid header after `position`, or the stream's end.
std::size_t next_block(byte_span stream, std::size_t position, block_kind kind, const limits& most) noexcept {
  const std::string_view text = as_text(stream);
  while ((position = text.find(magic_of(kind), position + 1)) != std::string_view::npos) {
    if (read_block_header(stream.subspan(position), kind, most)) return position;
  }
  return stream.size();
}

}  // namespace

result<void> append_block(byte_vector& out, block_header head, byte_span raw, bool compress, int level) {
  const limits most;
  const std::size_t limit = head.kind == block_kind::keyframe ? most.snapshot_bytes : most.block_bytes;
  if (raw.size() > limit) {
    return fail(error_code::over_limit, error::no_offset, "a block of {} bytes",
                static_cast<std::int64_t>(raw.size()));
  }
  byte_vector packed;
  byte_span stored = raw;
  head.compressed = false;
  // Without LZ4 in the build a block is stored.
  if (compress && lz4_block_compress(raw, packed, level) && packed.size() < raw.size() &&
      raw.size() / most.ratio < packed.size()) {
    stored = packed;
    head.compressed = true;
  }
  std::array<std::byte, block_header_bytes> header;
  byte_writer to(header);
  to.bytes(as_bytes(magic_of(head.kind)));
  to.u32(static_cast<std::uint32_t>(stored.size()));
  to.u32(static_cast<std::uint32_t>(raw.size()));
  to.u32(crc32(stored));
  to.u64(head.first_tick);
  to.u32(head.count);
  to.u8(head.compressed ? codec_lz4 : codec_stored);
  to.u8(static_cast<std::uint8_t>((head.last ? flag_last : 0u) | (head.full ? flag_full : 0u)));
  to.u16(header_check(header));
  out.insert(out.end(), header.begin(), header.end());
  out.insert(out.end(), stored.begin(), stored.end());
  return {};
}

result<block_header> read_block_header(byte_span from, block_kind kind, const limits& most,
                                       std::uint64_t base_offset) noexcept {
  byte_reader in(from, base_offset);
  const byte_span magic = in.bytes(4);
  block_header head;
  head.kind = kind;
  head.stored_bytes = in.u32();
  head.raw_bytes = in.u32();
  head.crc = in.u32();
  head.first_tick = in.u64();
  head.count = in.u32();
  const std::uint8_t codec = in.u8();
  const std::uint8_t flags = in.u8();
  const std::uint16_t check = in.u16();
  if (!in.ok()) return in.failure("a block's header");
  if (as_text(magic) != magic_of(kind)) return fail(error_code::bad_magic, base_offset, "no block here");
  if (check != header_check(from))
    return fail(error_code::checksum_mismatch, base_offset, "a block's header");
  if (codec > codec_lz4)
    return fail(error_code::unsupported_codec, base_offset, "codec {} of a block", codec);
  head.compressed = codec == codec_lz4;
  head.last = (flags & flag_last) != 0;
  head.full = (flags & flag_full) != 0;
  if (head.raw_bytes > (kind == block_kind::keyframe ? most.snapshot_bytes : most.block_bytes) ||
      head.raw_bytes > std::uint64_t{head.stored_bytes} * most.ratio) {
    return fail(error_code::over_limit, base_offset, "a block of {} bytes, {} stored", head.raw_bytes,
                head.stored_bytes);
  }
  if (!head.compressed && head.raw_bytes != head.stored_bytes) {
    return fail(error_code::malformed, base_offset, "a stored block of {} bytes says {}", head.stored_bytes,
                head.raw_bytes);
  }
  return head;
}

result<byte_span> open_block(const block& stored, byte_vector& buffer) {
  if (crc32(stored.payload) != stored.head.crc) {
    return fail(error_code::checksum_mismatch, stored.offset, "a block's payload, from tick {u}",
                static_cast<std::int64_t>(stored.head.first_tick));
  }
  if (!stored.head.compressed) return stored.payload;
  if (auto done = lz4_block_decompress(stored.payload, stored.head.raw_bytes, buffer); !done) {
    error what = done.error();
    what.offset = stored.offset;
    return fail(what);
  }
  return byte_span(buffer);
}

block_index index_blocks(byte_span stream, block_kind kind, const limits& most, std::uint64_t base_offset) {
  block_index index;
  index.end_offset = base_offset;
  std::uint64_t first_unknown_tick = 0;
  std::size_t position = 0;
  const auto close_damage = [&](std::uint64_t tick) {
    if (!index.damage.empty() && index.damage.back().end_tick == no_tick) index.damage.back().end_tick = tick;
  };
  while (position < stream.size()) {
    const auto found = block_at(stream, position, kind, most, base_offset);
    if (!found) {
      index.damage.push_back({found.error(), first_unknown_tick, no_tick});
      position = next_block(stream, position, kind, most);
      continue;
    }
    close_damage(found->head.first_tick);
    index.blocks.push_back(*found);
    first_unknown_tick = found->head.first_tick + 1;
    position += block_header_bytes + found->payload.size();
    index.end_offset = base_offset + position;
  }
  return index;
}

block_index recover_blocks(byte_span stream, block_kind kind, const limits& most, std::uint64_t base_offset) {
  block_index index;
  index.end_offset = base_offset;
  std::size_t position = 0;
  while (position < stream.size()) {
    auto found = block_at(stream, position, kind, most, base_offset);
    if (found && crc32(found->payload) != found->head.crc) {
      found = fail(error_code::checksum_mismatch, base_offset + position, "a block's payload");
    }
    if (!found) {
      const std::uint64_t lost_from = index.blocks.empty() ? 0 : index.blocks.back().head.first_tick + 1;
      index.damage.push_back({found.error(), lost_from, no_tick});
      break;
    }
    index.blocks.push_back(*found);
    position += block_header_bytes + found->payload.size();
    index.end_offset = base_offset + position;
  }
  return index;
}

result<void> block_stream_writer::add(std::uint64_t tick, byte_span item, byte_vector& out) {
  if (tick < last_tick_) {
    return fail(error_code::invalid_argument, error::no_offset, "tick {u} after tick {u}",
                static_cast<std::int64_t>(tick), static_cast<std::int64_t>(last_tick_));
  }
  if (item.size() > options_.block_bytes) {
    return fail(error_code::over_limit, error::no_offset, "{} bytes do not fit into a block",
                static_cast<std::int64_t>(item.size()));
  }
  const std::uint64_t ticks = options_.block_ticks == 0 ? 1 : options_.block_ticks;
  if (count_ != 0 &&
      (tick / ticks != first_tick_ / ticks || item.size() > options_.block_bytes - raw_.size())) {
    if (auto done = flush(out); !done) return done;
  }
  if (count_ == 0) first_tick_ = tick;
  raw_.insert(raw_.end(), item.begin(), item.end());
  last_tick_ = tick;
  ++count_;
  return {};
}

result<void> block_stream_writer::seal(byte_vector& out, bool last) {
  if (count_ == 0) return {};
  block_header head;
  head.kind = kind_;
  head.first_tick = first_tick_;
  head.count = count_;
  head.last = last;
  auto done = append_block(out, head, raw_, options_.compress, options_.level);
  raw_.clear();
  count_ = 0;
  return done;
}

}  // namespace tickreel::icrep
