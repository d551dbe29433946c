#include "wire.hpp"

#include <algorithm>
#include <limits>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"

namespace tickreel::reel {

namespace {

using wire::reel_key;

void write_text(byte_writer& to, std::string_view text) noexcept {
  to.u8(static_cast<std::uint8_t>(text.size()));
  to.bytes(as_bytes(text));
}

std::string read_text(byte_reader& from) {
  const std::size_t length = from.u8();
  return std::string(as_text(from.bytes(length)));
}

byte_vector read_blob(byte_reader& from) {
  const byte_span bytes = from.bytes(from.u32());
  return {bytes.begin(), bytes.end()};
}

void write_core(byte_writer& to, const record_info& info, const reel_key& key) noexcept {
  to.u8(static_cast<std::uint8_t>(info.kind));
  to.u8(static_cast<std::uint8_t>(info.codec));
  to.u16(info.flags);
  to.u32(info.stored_bytes);
  to.u32(info.raw_bytes);
  to.u64(info.first_tick);
  to.u64(info.last_tick);
  to.i64(info.first_time_us);
  to.i64(info.last_time_us);
  to.u32(info.frames);
  to.u32(info.sequence);
  if (!key.counts_ticks()) return;
  to.u64(info.ticks_before.value_or(0));
  to.u32(info.updates_before);
}

record_info read_core(byte_reader& from, const reel_key& key) noexcept {
  record_info info;
  info.kind = static_cast<record_kind>(from.u8());
  info.codec = static_cast<codec_id>(from.u8());
  info.flags = from.u16();
  info.stored_bytes = from.u32();
  info.raw_bytes = from.u32();
  info.first_tick = from.u64();
  info.last_tick = from.u64();
  info.first_time_us = from.i64();
  info.last_time_us = from.i64();
  info.frames = from.u32();
  info.sequence = from.u32();
  if (key.counts_ticks()) {
    info.ticks_before = from.u64();
    info.updates_before = from.u32();
  }
  info.bytes = key.record_bytes(info.stored_bytes);
  return info;
}

std::uint32_t head_check(byte_span head, std::uint64_t reel_hash) noexcept {
  return static_cast<std::uint32_t>(xxh3_64(head) ^ reel_hash);
}

}  // namespace

result<gap> read_gap(byte_span payload) noexcept {
  byte_reader from(payload);
  gap found;
  found.ticks = from.u64();
  found.reason = static_cast<gap_reason>(from.u8());
  if (!from.ok()) return from.failure("gap record");
  return found;
}

result<event> read_event(byte_span payload) noexcept {
  byte_reader from(payload);
  event found;
  found.type = from.u32();
  if (!from.ok()) return from.failure("event record");
  found.bytes = payload.subspan(from.position());
  return found;
}

namespace wire {

result<byte_vector> write_header(const header& from) {
  constexpr std::size_t text_limit = 255;
  bool fits = from.encoder_name.size() <= text_limit &&
              from.metadata.size() <= std::numeric_limits<std::uint16_t>::max();
  std::size_t body = 1 + from.encoder_name.size() + 4 + 4 + 8 + 4 + from.schema.size() + 2;
  for (const metadata_entry& entry : from.metadata) {
    fits = fits && entry.key.size() <= text_limit;
    body += 1 + entry.key.size() + 4 + entry.value.size();
  }
  if (!fits || body > limits{}.max_header_bytes) {
    return fail(error_code::invalid_argument, error::no_offset, "the reel's header is too large");
  }
  const auto millihertz = to_millihertz(from.ticks_per_second);
  if (!millihertz) {
    return fail(error_code::invalid_argument, error::no_offset,
                "ticks_per_second must be 0, or 0.001 to 4294967.295");
  }
  if (from.version < oldest_format_version || from.version > format_version) {
    return fail(error_code::invalid_argument, error::no_offset, "there is no reel version {}", from.version);
  }
  byte_vector bytes(header_prefix_bytes + body + hash_bytes);
  byte_writer to(bytes);
  to.bytes(as_bytes(file_magic));
  to.u16(from.version);
  to.u16(0);
  to.u32(static_cast<std::uint32_t>(body));
  write_text(to, from.encoder_name);
  to.u32(from.encoder_version);
  to.u32(*millihertz);
  to.i64(from.start_time_us);
  to.u32(static_cast<std::uint32_t>(from.schema.size()));
  to.bytes(from.schema);
  to.u16(static_cast<std::uint16_t>(from.metadata.size()));
  for (const metadata_entry& entry : from.metadata) {
    write_text(to, entry.key);
    to.u32(static_cast<std::uint32_t>(entry.value.size()));
    to.bytes(entry.value);
  }
  to.u64(xxh3_64(to.written()));
  return bytes;
}

result<std::uint64_t> header_size(byte_span prefix, const limits& limits) {
  const byte_span magic = prefix.first(std::min(prefix.size(), file_magic.size()));
  if (as_text(magic) != file_magic.substr(0, magic.size())) return fail(error_code::bad_magic, 0);
  byte_reader from(prefix);
  from.skip(file_magic.size());
  const std::uint16_t version = from.u16();
  from.skip(2);
  const std::uint32_t body = from.u32();
  if (!from.ok()) return from.failure("reel header");
  if (version < oldest_format_version || version > format_version) {
    return fail(error_code::unsupported_version, file_magic.size(), "reel version {}; known are 1 to {}",
                version, format_version);
  }
  if (body > limits.max_header_bytes) {
    return fail(error_code::over_limit, 12, "a header of {} bytes; the limit is {}", body,
                limits.max_header_bytes);
  }
  return header_prefix_bytes + std::uint64_t{body} + hash_bytes;
}

result<opened_header> read_header(byte_span bytes) {
  if (bytes.size() < header_prefix_bytes + hash_bytes) {
    return fail(error_code::truncated, bytes.size(), "reel header");
  }
  const byte_span hashed = bytes.first(bytes.size() - hash_bytes);
  opened_header opened;
  opened.bytes = bytes.size();
  opened.key = key_of(bytes);
  opened.head.version = opened.key.version;
  if (opened.key.hash != xxh3_64(hashed)) {
    return fail(error_code::checksum_mismatch, hashed.size(), "reel header");
  }
  byte_reader from(hashed.subspan(header_prefix_bytes), header_prefix_bytes);
  opened.head.encoder_name = read_text(from);
  opened.head.encoder_version = from.u32();
  opened.head.ticks_per_second = from.u32() / 1000.0;
  opened.head.start_time_us = from.i64();
  opened.head.schema = read_blob(from);
  const std::size_t count = from.u16();
  for (std::size_t i = 0; i < count && from.ok(); ++i) {
    metadata_entry entry;
    entry.key = read_text(from);
    entry.value = read_blob(from);
    opened.head.metadata.push_back(std::move(entry));
  }
  // The hash is valid, so this is an error of a writer and not damage.
  if (!from.ok() || !from.at_end()) return fail(error_code::malformed, from.offset(), "reel header");
  return opened;
}

reel_key key_of(byte_span header_bytes) noexcept {
  reel_key key;
  key.version = byte_reader(header_bytes.subspan(file_magic.size())).u16();
  key.hash = byte_reader(header_bytes.last(hash_bytes)).u64();
  return key;
}

void write_head(byte_writer& to, const record_info& info, const reel_key& key) noexcept {
  const std::size_t start = to.size();
  to.u32(record_magic);
  write_core(to, info, key);
  to.u32(head_check(to.written().subspan(start), key.hash));
}

std::optional<record_info> read_head(byte_span bytes, std::uint64_t offset, const reel_key& key) noexcept {
  byte_reader from(bytes);
  if (from.u32() != record_magic) return std::nullopt;
  record_info info = read_core(from, key);
  const std::uint32_t check = from.u32();
  if (!from.ok()) return std::nullopt;
  if (check != head_check(bytes.first(key.head_bytes() - head_check_bytes), key.hash)) return std::nullopt;
  info.offset = offset;
  return info;
}

bool hash_matches(byte_span whole_record, const reel_key& key) noexcept {
  if (whole_record.size() < key.head_bytes() + hash_bytes) return false;
  return byte_reader(whole_record.last(hash_bytes)).u64() ==
         xxh3_64(whole_record.first(whole_record.size() - hash_bytes));
}

void write_record(byte_vector& out, const record_info& info, byte_span stored, const reel_key& key) {
  out.resize(key.head_bytes() + stored.size() + hash_bytes);
  byte_writer to(out);
  write_head(to, info, key);
  to.bytes(stored);
  to.u64(xxh3_64(to.written()));
}

byte_vector write_index(const std::vector<record_info>& records, const reel_key& key) {
  // Removed records have no position.
  const auto count = static_cast<std::size_t>(
      std::count_if(records.begin(), records.end(), [](const record_info& info) { return info.bytes != 0; }));
  byte_vector bytes(4 + count * key.index_entry_bytes());
  byte_writer to(bytes);
  to.u32(static_cast<std::uint32_t>(count));
  for (const record_info& info : records) {
    if (info.bytes == 0) continue;
    to.u64(info.offset);
    write_core(to, info, key);
  }
  return bytes;
}

std::optional<std::vector<record_info>> read_index(byte_span payload, std::uint64_t first_offset,
                                                   std::uint64_t index_offset, const reel_key& key) {
  byte_reader from(payload);
  const std::size_t count = from.u32();
  if (!from.ok() || from.remaining() != count * std::uint64_t{key.index_entry_bytes()}) return std::nullopt;
  std::vector<record_info> records;
  records.reserve(count);
  std::uint64_t earliest = first_offset;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t offset = from.u64();
    record_info info = read_core(from, key);
    info.offset = offset;
    if (offset < earliest || offset > index_offset || info.bytes > index_offset - offset) {
      return std::nullopt;
    }
    earliest = end_of(info);
    records.push_back(info);
  }
  return records;
}

void write_end(byte_writer& to, const end_payload& from) noexcept {
  to.u64(from.index_offset);
  to.u64(from.frames);
  to.u64(from.lost_ticks);
  to.u64(from.chunks);
}

std::optional<end_payload> read_end(byte_span payload) noexcept {
  byte_reader from(payload);
  end_payload end;
  end.index_offset = from.u64();
  end.frames = from.u64();
  end.lost_ticks = from.u64();
  end.chunks = from.u64();
  if (!from.ok()) return std::nullopt;
  return end;
}

void write_gap(byte_writer& to, const gap& from) noexcept {
  to.u64(from.ticks);
  to.u8(static_cast<std::uint8_t>(from.reason));
}

}  // namespace wire
}  // namespace tickreel::reel
