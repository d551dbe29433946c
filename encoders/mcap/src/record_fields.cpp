#include "record_fields.hpp"

namespace tickreel::mcap {

std::optional<std::uint16_t> read_schema_record(byte_span content, stored_schema& out) {
  byte_reader from(content);
  const std::uint16_t number = from.u16();
  out.name = read_text(from);
  out.encoding = read_text(from);
  out.data = read_text(from);
  if (!from.ok()) return std::nullopt;
  return number;
}

std::optional<std::uint16_t> read_channel_record(byte_span content, stored_channel& out) {
  byte_reader from(content);
  const std::uint16_t number = from.u16();
  out.schema = from.u16();
  out.topic = read_text(from);
  out.encoding = read_text(from);
  out.metadata = read_text(from);
  if (!from.ok()) return std::nullopt;
  return number;
}

bool read_chunk(byte_span content, chunk_fields& out) noexcept {
  byte_reader from(content);
  from.skip(2 * sizeof(std::uint64_t));
  out.bytes = from.u64();
  out.crc = from.u32();
  out.compression = read_text(from);
  const std::uint64_t stored = from.u64();
  if (!from.ok() || stored > from.remaining()) return false;
  out.stored = from.bytes(static_cast<std::size_t>(stored));
  return true;
}

bool read_metadata(byte_span content, item& out) {
  byte_reader from(content);
  out.name = read_text(from);
  byte_reader map(as_bytes(read_text(from)));
  if (!from.ok()) return false;
  while (!map.at_end() && map.ok()) {
    const std::string_view key = read_text(map);
    const std::string_view value = read_text(map);
    if (map.ok()) out.entries.emplace_back(key, value);
  }
  out.kind = item_kind::metadata;
  return map.ok();
}

bool read_attachment(byte_span head, std::uint64_t record_bytes, attachment_fields& out) noexcept {
  constexpr std::size_t crc_bytes = 4;
  byte_reader from(head);
  out.time_ns = from.u64();
  from.skip(sizeof(std::uint64_t));
  out.name = read_text(from);
  out.media_type = read_text(from);
  out.content_bytes = from.u64();
  out.content_at = from.position();
  return from.ok() && record_bytes >= out.content_at + crc_bytes &&
         out.content_bytes <= record_bytes - out.content_at - crc_bytes;
}

}  // namespace tickreel::mcap
