// MCAP: little-endian, no padding. A text is a u32 length and UTF-8; a map or an array is a u32 length in bytes and its
// elements; times are nanoseconds.
//
//   file      magic, header, data records, data end, summary records, summary offsets, footer, magic
//   record    u8 kind, u64 bytes of the content, content
//
//   01 header           text profile, text library
//   02 footer           u64 offset of the summary, u64 offset of the summary offsets, u32 CRC of both and of these
//                       two numbers with the footer's kind and length
//   03 schema           u16 number, text name, text encoding, u32 length and bytes
//   04 channel          u16 number, u16 schema (0: none), text topic, text encoding of messages, map of texts
//   05 message          u16 channel, u32 sequence, u64 time recorded, u64 time published, data
//   06 chunk            u64 first time, u64 last time, u64 bytes of the records, u32 their CRC, text compression,
//                       u64 length and bytes: schemas, channels and messages
//   07 message index    u16 channel, array of (u64 time, u64 offset in the records of the chunk before)
//   08 chunk index      u64 first time, u64 last time, u64 offset, u64 bytes, map of (u16 channel, u64 offset of the
//                       message index), u64 bytes of the message indexes, text compression, u64 stored bytes,
//                       u64 bytes of the records
//   09 attachment       u64 time, u64 time created, text name, text media type, u64 length and bytes,
//                       u32 CRC of all that
//   0A attachment index u64 offset, u64 bytes, u64 time, u64 time created, u64 length, text name, text media type
//   0B statistics       u64 messages, u16 schemas, u32 channels, u32 attachments, u32 metadata, u32 chunks,
//                       u64 first time, u64 last time, map of (u16 channel, u64 messages)
//   0C metadata         text name, map of texts
//   0D metadata index   u64 offset, u64 bytes, text name
//   0E summary offset   u8 kind, u64 offset, u64 bytes of all records of the kind in the summary
//   0F data end         u32 CRC of everything before it
//
// In a file of another writer, a CRC of 0 is not known, and an offset of 0 means that the part is absent.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tickreel::mcap {

enum class kind : std::uint8_t {
  header = 0x01,
  footer = 0x02,
  schema = 0x03,
  channel = 0x04,
  message = 0x05,
  chunk = 0x06,
  message_index = 0x07,
  chunk_index = 0x08,
  attachment = 0x09,
  attachment_index = 0x0A,
  statistics = 0x0B,
  metadata = 0x0C,
  metadata_index = 0x0D,
  summary_offset = 0x0E,
  data_end = 0x0F,
};

inline constexpr std::size_t record_head_bytes = 9;
inline constexpr std::size_t footer_bytes = 20;
inline constexpr std::size_t pair_bytes = 16;     // u64, u64
inline constexpr std::size_t counted_bytes = 10;  // u16, u64

}  // namespace tickreel::mcap
