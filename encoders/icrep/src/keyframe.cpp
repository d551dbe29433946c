#include "tickreel/icrep/keyframe.hpp"

#include <algorithm>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/codec/crc32.hpp"
#include "tickreel/codec/lz4_block.hpp"
#include "tickreel/icrep/block.hpp"
#include "tickreel/icrep/digest.hpp"

namespace tickreel::icrep {

// count u64 | index, for each: tick u64, offset u32, stored bytes u32, raw bytes u32, full u8 |
// stored snapshots | "ICKC", count u32, CRC-32 of each stored snapshot
//
// Offsets count from the end of the index. In some files they count from the section's start; there the first
// snapshot's offset equals the end of the index.

namespace {

constexpr std::size_t count_bytes = 8;
constexpr std::size_t entry_bytes = 21;
constexpr std::string_view check_magic = "ICKC";
constexpr std::size_t check_head_bytes = 8;
// A delta begins with its baseline's tick and hash, followed by its own tick; a whole snapshot begins with
// its tick.
constexpr std::size_t delta_tick_offset = sizeof(std::uint64_t) + sizeof(digest);

struct index_entry {
  std::uint64_t tick = 0;
  std::uint32_t offset = 0;
  std::uint32_t stored_bytes = 0;
  std::uint32_t raw_bytes = 0;
  bool full = false;
};

result<index_entry> read_entry(byte_reader& in, const limits& most) noexcept {
  const std::uint64_t at = in.offset();
  index_entry entry;
  entry.tick = in.u64();
  entry.offset = in.u32();
  entry.stored_bytes = in.u32();
  entry.raw_bytes = in.u32();
  const std::uint8_t full = in.u8();
  if (!in.ok()) return in.failure("the keyframe index");
  if (full > 1) return fail(error_code::malformed, at + 20, "is_full is {}, a bool is 0 or 1", full);
  entry.full = full == 1;
  if (entry.raw_bytes > most.snapshot_bytes ||
      entry.raw_bytes > std::uint64_t{entry.stored_bytes} * most.ratio) {
    return fail(error_code::over_limit, at, "a keyframe of {} bytes, {} stored", entry.raw_bytes,
                entry.stored_bytes);
  }
  return entry;
}

result<std::vector<index_entry>> read_index(byte_reader& in, bool incomplete, const limits& most) {
  const std::uint64_t at = in.offset();
  const std::uint64_t count = in.u64();
  if (!in.ok()) return in.failure("the keyframe section");
  if (count > in.remaining() / entry_bytes) {
    return fail(error_code::truncated, at, "an index of {u} keyframe{s} in a section of {u} bytes",
                static_cast<std::int64_t>(count), static_cast<std::int64_t>(in.remaining()));
  }
  if (count > most.keyframes) {
    return fail(error_code::over_limit, at, "{u} keyframes", static_cast<std::int64_t>(count));
  }
  std::vector<index_entry> index;
  index.reserve(static_cast<std::size_t>(count));
  while (index.size() < count) {
    const std::uint64_t entry_at = in.offset();
    const auto entry = read_entry(in, most);
    if (!entry) return fail(entry.error());
    if (!index.empty() && entry->tick <= index.back().tick) {
      return fail(error_code::malformed, entry_at, "keyframe {} does not come later than the one before",
                  static_cast<std::int64_t>(index.size()));
    }
    index.push_back(*entry);
  }
  if (index.empty() && !incomplete) return fail(error_code::missing_keyframe, at, "no keyframes");
  if (!index.empty() && (!index.front().full || (index.front().tick != 0 && !incomplete))) {
    return fail(error_code::missing_keyframe, at, "the first keyframe is at tick {u}, or not full",
                static_cast<std::int64_t>(index.front().tick));
  }
  return index;
}

}  // namespace

result<std::vector<stored_keyframe>> read_keyframe_section(byte_span from, bool incomplete,
                                                           const limits& most, std::uint64_t base_offset) {
  byte_reader in(from, base_offset);
  const auto index = read_index(in, incomplete, most);
  if (!index) return fail(index.error());
  const std::size_t index_end = in.position();
  std::uint64_t lowest = index->empty() ? 0 : index->front().offset;
  for (const index_entry& entry : *index) lowest = std::min<std::uint64_t>(lowest, entry.offset);
  if (lowest != 0 && lowest != index_end) {
    return fail(error_code::malformed, base_offset + index_end, "{} byte{s} between index and keyframes",
                static_cast<std::int64_t>(lowest));
  }
  const std::uint64_t origin = lowest == 0 ? index_end : 0;

  std::vector<stored_keyframe> keyframes;
  keyframes.reserve(index->size());
  std::uint64_t end = index_end;
  for (const index_entry& entry : *index) {
    const std::uint64_t begin = origin + entry.offset;
    if (begin > from.size() || entry.stored_bytes > from.size() - begin) {
      return fail(error_code::truncated, base_offset + begin, "keyframe {} ends outside its section",
                  static_cast<std::int64_t>(keyframes.size()));
    }
    keyframes.push_back({entry.tick, entry.full, entry.stored_bytes != entry.raw_bytes, entry.raw_bytes,
                         from.subspan(static_cast<std::size_t>(begin), entry.stored_bytes),
                         base_offset + begin, std::nullopt});
    end = std::max(end, begin + entry.stored_bytes);
  }
  if (end == from.size()) return keyframes;

  byte_reader check(from.subspan(static_cast<std::size_t>(end)), base_offset + end);
  const bool marked = as_text(check.bytes(check_magic.size())) == check_magic;
  if (!marked || check.u32() != keyframes.size() ||
      check.remaining() != keyframes.size() * sizeof(std::uint32_t)) {
    return fail(error_code::malformed, base_offset + end,
                "trailing bytes after the keyframes that are not check values");
  }
  static_assert(check_head_bytes == check_magic.size() + sizeof(std::uint32_t));
  for (stored_keyframe& keyframe : keyframes) keyframe.crc = check.u32();
  return keyframes;
}

result<byte_span> open_keyframe(const stored_keyframe& keyframe, byte_vector& buffer) {
  if (keyframe.crc && crc32(keyframe.stored) != *keyframe.crc) {
    return fail(error_code::checksum_mismatch, keyframe.offset, "the keyframe of tick {u}",
                static_cast<std::int64_t>(keyframe.tick));
  }
  byte_span raw = keyframe.stored;
  if (keyframe.compressed) {
    if (auto done = lz4_block_decompress(keyframe.stored, keyframe.raw_bytes, buffer); !done) {
      error what = done.error();
      what.offset = keyframe.offset;
      return fail(what);
    }
    raw = buffer;
  }
  // The index has no check value, but the snapshot has one: their ticks must be equal.
  byte_reader in(raw);
  if (!keyframe.full) in.skip(delta_tick_offset);
  const std::uint64_t tick = in.u64();
  if (!in.ok() || tick != keyframe.tick) {
    return fail(error_code::malformed, keyframe.offset, "a keyframe of tick {u} says tick {u}",
                static_cast<std::int64_t>(keyframe.tick), static_cast<std::int64_t>(tick));
  }
  return raw;
}

byte_span pack_snapshot(byte_span raw, byte_vector& buffer, bool compress, int level) {
  const bool packed = compress && lz4_block_compress(raw, buffer, level) && buffer.size() < raw.size() &&
                      raw.size() / limits{}.ratio < buffer.size();
  return packed ? byte_span(buffer) : raw;
}

result<void> keyframe_index::add(std::uint64_t tick, bool full, std::uint32_t raw_bytes, byte_span stored) {
  const limits most;
  if (raw_bytes > most.snapshot_bytes) {
    return fail(error_code::over_limit, error::no_offset, "a keyframe of {} bytes",
                static_cast<std::int64_t>(raw_bytes));
  }
  if (!entries_.empty() && tick <= entries_.back().tick) {
    return fail(error_code::invalid_argument, error::no_offset, "keyframe of tick {u} after tick {u}",
                static_cast<std::int64_t>(tick), static_cast<std::int64_t>(entries_.back().tick));
  }
  if (entries_.size() == most.keyframes ||
      section_bytes() + entry_bytes + stored.size() + 4 > writer_file_limit_bytes) {
    return fail(error_code::over_limit, error::no_offset, "too many keyframes for one file");
  }
  entries_.push_back({tick, static_cast<std::uint32_t>(stored_bytes_),
                      static_cast<std::uint32_t>(stored.size()), raw_bytes, full, crc32(stored)});
  stored_bytes_ += stored.size();
  return {};
}

void keyframe_index::cut(std::uint64_t end_tick) {
  while (!entries_.empty() && entries_.back().tick >= end_tick && entries_.back().tick != 0) {
    stored_bytes_ -= entries_.back().stored_bytes;
    entries_.pop_back();
  }
}

std::uint64_t keyframe_index::section_bytes() const noexcept {
  return count_bytes + entries_.size() * (entry_bytes + sizeof(std::uint32_t)) + stored_bytes_ +
         check_head_bytes;
}

byte_vector keyframe_index::head() const {
  byte_vector bytes(count_bytes + entries_.size() * entry_bytes);
  byte_writer out(bytes);
  out.u64(entries_.size());
  for (const entry& one : entries_) {
    out.u64(one.tick);
    out.u32(one.offset);
    out.u32(one.stored_bytes);
    out.u32(one.raw_bytes);
    out.u8(one.full ? 1 : 0);
  }
  return bytes;
}

byte_vector keyframe_index::tail() const {
  byte_vector bytes(check_head_bytes + entries_.size() * sizeof(std::uint32_t));
  byte_writer out(bytes);
  out.bytes(as_bytes(check_magic));
  out.u32(static_cast<std::uint32_t>(entries_.size()));
  for (const entry& one : entries_) out.u32(one.crc);
  return bytes;
}

result<void> keyframe_section_writer::add(std::uint64_t tick, bool full, byte_span raw, bool compress,
                                          int level) {
  byte_vector packed;
  const byte_span stored = pack_snapshot(raw, packed, compress, level);
  return add(stored_keyframe{tick, full, stored.size() != raw.size(), static_cast<std::uint32_t>(raw.size()),
                             stored, 0, std::nullopt});
}

result<void> keyframe_section_writer::add(const stored_keyframe& keyframe) {
  // Equal sizes mean stored.
  if (keyframe.compressed && keyframe.stored.size() == keyframe.raw_bytes) {
    byte_vector raw;
    if (auto done = lz4_block_decompress(keyframe.stored, keyframe.raw_bytes, raw); !done) return done;
    return add(keyframe.tick, keyframe.full, raw, false);
  }
  auto added = index_.add(keyframe.tick, keyframe.full, keyframe.raw_bytes, keyframe.stored);
  if (added) blobs_.insert(blobs_.end(), keyframe.stored.begin(), keyframe.stored.end());
  return added;
}

byte_vector keyframe_section_writer::finish() const {
  byte_vector bytes = index_.head();
  const byte_vector tail = index_.tail();
  bytes.reserve(bytes.size() + blobs_.size() + tail.size());
  bytes.insert(bytes.end(), blobs_.begin(), blobs_.end());
  bytes.insert(bytes.end(), tail.begin(), tail.end());
  return bytes;
}

std::vector<stored_keyframe> read_keyframe_spool(byte_span spool, const limits& most) {
  std::vector<stored_keyframe> keyframes;
  for (const block& one : recover_blocks(spool, block_kind::keyframe, most).blocks) {
    if (!keyframes.empty() && one.head.first_tick <= keyframes.back().tick) continue;
    // A delta without its full keyframe is unusable.
    if (keyframes.empty() && !one.head.full) continue;
    keyframes.push_back({one.head.first_tick, one.head.full, one.head.compressed, one.head.raw_bytes,
                         one.payload, one.offset, one.head.crc});
  }
  return keyframes;
}

result<restore_plan> plan_restore(std::span<const stored_keyframe> keyframes, std::uint64_t total_ticks,
                                  std::uint64_t tick) noexcept {
  if (tick > total_ticks) {
    return fail(error_code::out_of_range, error::no_offset, "tick {u} of {u}",
                static_cast<std::int64_t>(tick), static_cast<std::int64_t>(total_ticks));
  }
  const auto following = std::ranges::upper_bound(keyframes, tick, {}, &stored_keyframe::tick);
  restore_plan plan;
  auto full = following;
  while (full != keyframes.begin() && !(full - 1)->full) --full;
  if (full == keyframes.begin()) {
    return fail(error_code::missing_keyframe, error::no_offset, "no full keyframe at or before tick {u}",
                static_cast<std::int64_t>(tick));
  }
  plan.full = static_cast<std::size_t>(full - keyframes.begin()) - 1;
  plan.keyframe = static_cast<std::size_t>(following - keyframes.begin()) - 1;
  plan.first_tick = keyframes[plan.keyframe].tick;
  plan.tick_count = tick - plan.first_tick;
  return plan;
}

}  // namespace tickreel::icrep
