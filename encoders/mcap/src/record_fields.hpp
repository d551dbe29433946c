// The fields of records. Each function returns whether the content is valid; texts point into it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/mcap/reader.hpp"

namespace tickreel::mcap {

struct chunk_fields {
  std::uint64_t bytes = 0;  // of the records
  std::uint32_t crc = 0;    // of the records; 0: not known
  std::string_view compression;
  byte_span stored;
};

struct attachment_fields {
  std::uint64_t time_ns = 0;
  std::string_view name;
  std::string_view media_type;
  std::size_t content_at = 0;  // in the record's content
  std::uint64_t content_bytes = 0;
};

[[nodiscard]] inline std::string_view read_text(byte_reader& from) noexcept {
  return as_text(from.bytes(from.u32()));
}

// The number of the schema or channel; empty if it is invalid.
[[nodiscard]] std::optional<std::uint16_t> read_schema_record(byte_span content, stored_schema& out);
[[nodiscard]] std::optional<std::uint16_t> read_channel_record(byte_span content, stored_channel& out);
[[nodiscard]] bool read_chunk(byte_span content, chunk_fields& out) noexcept;
// Sets the members of metadata, and the kind.
[[nodiscard]] bool read_metadata(byte_span content, item& out);
// `head`: the first bytes of the content, which has `content_bytes`.
[[nodiscard]] bool read_attachment(byte_span head, std::uint64_t record_bytes,
                                   attachment_fields& out) noexcept;

}  // namespace tickreel::mcap
