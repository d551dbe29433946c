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
//   04 channel          u16 number, u16 schema, text topic, text encoding of messages, map of texts
//   05 message          u16 channel, u32 sequence, u64 time recorded, u64 time published, data
//   06 chunk            u64 first time, u64 last time, u64 bytes of the records, u32 their CRC, text compression,
//                       u64 length and bytes: schemas, channels and messages
//   07 message index    u16 channel, array of (u64 time, u64 offset in the records of the chunk before)
//   08 chunk index      u64 first time, u64 last time, u64 offset, u64 bytes, map of (u16 channel, u64 offset of the
//                       message index), u64 bytes of the message indexes, text compression, u64 stored bytes,
//                       u64 bytes of the records
//   0B statistics       u64 messages, u16 schemas, u32 channels, u32 attachments, u32 metadata, u32 chunks,
//                       u64 first time, u64 last time, map of (u16 channel, u64 messages)
//   0C metadata         text name, map of texts
//   0D metadata index   u64 offset, u64 bytes, text name
//   0E summary offset   u8 kind, u64 offset, u64 bytes of all records of the kind in the summary
//   0F data end         u32 CRC of everything before it
#include "tickreel/mcap/encoder.hpp"

#include <algorithm>

#include "tickreel/bytes/writer.hpp"
#include "tickreel/codec/crc32.hpp"

namespace tickreel::mcap {

namespace {

enum class kind : std::uint8_t {
  header = 0x01,
  footer = 0x02,
  schema = 0x03,
  channel = 0x04,
  message = 0x05,
  chunk = 0x06,
  message_index = 0x07,
  chunk_index = 0x08,
  statistics = 0x0B,
  metadata = 0x0C,
  metadata_index = 0x0D,
  summary_offset = 0x0E,
  data_end = 0x0F,
};

constexpr std::size_t record_head_bytes = 9;
constexpr std::size_t footer_bytes = 20;
constexpr std::size_t pair_bytes = 16;     // u64, u64
constexpr std::size_t counted_bytes = 10;  // u16, u64

constexpr std::size_t text_bytes(std::string_view text) noexcept {
  return 4 + text.size();
}
void put_text(byte_writer& to, std::string_view text) noexcept {
  to.u32(static_cast<std::uint32_t>(text.size()));
  to.bytes(as_bytes(text));
}

// Appends a record whose content has exactly `bytes` bytes, which `fill` writes.
template <class Fill>
void append_record(byte_vector& out, kind of, std::size_t bytes, Fill&& fill) {
  const std::size_t begin = out.size();
  out.resize(begin + record_head_bytes + bytes);
  byte_writer to(mutable_byte_span(out).subspan(begin));
  to.u8(static_cast<std::uint8_t>(of));
  to.u64(bytes);
  fill(to);
}

void append_magic(byte_vector& out) {
  out.insert(out.end(), as_bytes(magic).begin(), as_bytes(magic).end());
}

}  // namespace

void encoder::times::add(std::uint64_t time_ns, bool is_first) noexcept {
  first = is_first ? time_ns : std::min(first, time_ns);
  last = is_first ? time_ns : std::max(last, time_ns);
}

encoder::encoder(std::size_t chunk_bytes, std::vector<compressor>&& packer) noexcept
    : chunk_bytes_(chunk_bytes), packer_(std::move(packer)) {}

result<encoder> encoder::create(const encoder_options& options) {
  codec_options codec = options.codec;
  if (codec.codec == codec_id::automatic) {
    codec.codec = is_available(codec_id::zstd) ? codec_id::zstd : codec_id::none;
  }
  std::vector<compressor> packer;
  if (codec.codec == codec_id::zstd) {
    auto created = compressor::create(codec);
    if (!created) return fail(created.error());
    packer.push_back(std::move(*created));
  } else if (codec.codec != codec_id::none) {
    return fail(error_code::invalid_argument, error::no_offset, "an .mcap takes none and zstd");
  }
  return encoder(options.chunk_bytes, std::move(packer));
}

void encoder::take(const byte_vector& out, std::size_t begin) noexcept {
  const byte_span added = byte_span(out).subspan(begin);
  crc_ = crc32(added, crc_);
  offset_ += added.size();
}

void encoder::begin(std::string_view library, byte_vector& out) {
  const std::size_t begin = out.size();
  append_magic(out);
  append_record(out, kind::header, text_bytes({}) + text_bytes(library), [&](byte_writer& to) {
    put_text(to, {});
    put_text(to, library);
  });
  take(out, begin);
}

std::uint16_t encoder::add_channel(const channel& added) {
  constexpr std::string_view encoding = "json";
  constexpr std::string_view schema_encoding = "jsonschema";
  const auto number = static_cast<std::uint16_t>(channels_.size() + 1);
  known_channel& made = channels_.emplace_back();
  const std::size_t schema_bytes =
      2 + text_bytes(added.schema_name) + text_bytes(schema_encoding) + text_bytes(added.schema);
  append_record(made.records, kind::schema, schema_bytes, [&](byte_writer& to) {
    to.u16(number);
    put_text(to, added.schema_name);
    put_text(to, schema_encoding);
    put_text(to, added.schema);
  });
  made.schema_bytes = made.records.size();
  const std::size_t channel_bytes = 2 + 2 + text_bytes(added.topic) + text_bytes(encoding) + 4;
  append_record(made.records, kind::channel, channel_bytes, [&](byte_writer& to) {
    to.u16(number);
    to.u16(number);
    put_text(to, added.topic);
    put_text(to, encoding);
    to.u32(0);
  });
  return number;
}

result<void> encoder::add_message(std::uint16_t channel, std::uint64_t time_ns, byte_span data,
                                  byte_vector& out) {
  known_channel& of = channels_[channel - 1u];
  if (of.messages == 0) chunk_.insert(chunk_.end(), of.records.begin(), of.records.end());
  of.in_chunk.emplace_back(time_ns, chunk_.size());
  append_record(chunk_, kind::message, 2 + 4 + 8 + 8 + data.size(), [&](byte_writer& to) {
    to.u16(channel);
    to.u32(static_cast<std::uint32_t>(of.messages));
    to.u64(time_ns);
    to.u64(time_ns);
    to.bytes(data);
  });
  chunk_times_.add(time_ns, chunk_messages_ == 0);
  all_.add(time_ns, messages_ == 0);
  ++chunk_messages_;
  ++messages_;
  ++of.messages;
  return chunk_.size() < chunk_bytes_ ? result<void>() : close_chunk(out);
}

result<void> encoder::close_chunk(byte_vector& out) {
  if (chunk_.empty()) return {};
  byte_span stored = chunk_;
  if (!packer_.empty()) {
    if (auto packed = packer_.front().compress(chunk_, packed_); !packed) return packed;
    stored = packed_;
  }
  stored_chunk made{
      .of = chunk_times_, .offset = offset_, .stored_bytes = stored.size(), .content_bytes = chunk_.size()};
  const std::size_t begin = out.size();
  const std::size_t bytes = pair_bytes + 8 + 4 + text_bytes(compression()) + 8 + stored.size();
  append_record(out, kind::chunk, bytes, [&](byte_writer& to) {
    to.u64(made.of.first);
    to.u64(made.of.last);
    to.u64(made.content_bytes);
    to.u32(crc32(chunk_));
    put_text(to, compression());
    to.u64(stored.size());
    to.bytes(stored);
  });
  take(out, begin);
  made.bytes = offset_ - made.offset;
  append_indexes(made, out);
  chunks_.push_back(std::move(made));
  chunk_.clear();
  chunk_messages_ = 0;
  return {};
}

void encoder::append_indexes(stored_chunk& chunk, byte_vector& out) {
  const std::uint64_t first = offset_;
  for (std::size_t at = 0; at < channels_.size(); ++at) {
    auto& messages = channels_[at].in_chunk;
    if (messages.empty()) continue;
    const auto number = static_cast<std::uint16_t>(at + 1);
    const std::size_t begin = out.size();
    chunk.indexes.emplace_back(number, offset_);
    append_record(out, kind::message_index, 2 + 4 + messages.size() * pair_bytes, [&](byte_writer& to) {
      to.u16(number);
      to.u32(static_cast<std::uint32_t>(messages.size() * pair_bytes));
      for (const auto& [time_ns, offset] : messages) {
        to.u64(time_ns);
        to.u64(offset);
      }
    });
    take(out, begin);
    messages.clear();
  }
  chunk.index_bytes = offset_ - first;
}

result<void> encoder::add_metadata(std::string_view name, std::span<const entry> entries, byte_vector& out) {
  if (auto closed = close_chunk(out); !closed) return closed;
  std::size_t map_bytes = 0;
  for (const auto& [key, value] : entries) map_bytes += text_bytes(key) + text_bytes(value);
  const std::size_t begin = out.size();
  const std::uint64_t offset = offset_;
  append_record(out, kind::metadata, text_bytes(name) + 4 + map_bytes, [&](byte_writer& to) {
    put_text(to, name);
    to.u32(static_cast<std::uint32_t>(map_bytes));
    for (const auto& [key, value] : entries) {
      put_text(to, key);
      put_text(to, value);
    }
  });
  take(out, begin);
  metadata_.push_back({std::string(name), offset, offset_ - offset});
  return {};
}

result<void> encoder::finish(byte_vector& out) {
  if (auto closed = close_chunk(out); !closed) return closed;
  const std::size_t begin = out.size();
  append_record(out, kind::data_end, 4, [&](byte_writer& to) { to.u32(crc_); });
  take(out, begin);
  append_summary(out);
  append_magic(out);
  return {};
}

void encoder::append_statistics(byte_vector& out) const {
  const std::size_t map_bytes = channels_.size() * counted_bytes;
  append_record(out, kind::statistics, 8 + 2 + 16 + pair_bytes + 4 + map_bytes, [&](byte_writer& to) {
    to.u64(messages_);
    to.u16(static_cast<std::uint16_t>(channels_.size()));
    to.u32(static_cast<std::uint32_t>(channels_.size()));
    to.u32(0);  // attachments
    to.u32(static_cast<std::uint32_t>(metadata_.size()));
    to.u32(static_cast<std::uint32_t>(chunks_.size()));
    to.u64(all_.first);
    to.u64(all_.last);
    to.u32(static_cast<std::uint32_t>(map_bytes));
    for (std::size_t at = 0; at < channels_.size(); ++at) {
      to.u16(static_cast<std::uint16_t>(at + 1));
      to.u64(channels_[at].messages);
    }
  });
}

void encoder::append_chunk_indexes(byte_vector& out) const {
  for (const stored_chunk& each : chunks_) {
    const std::size_t map_bytes = each.indexes.size() * counted_bytes;
    const std::size_t bytes = 2 * pair_bytes + 4 + map_bytes + 8 + text_bytes(compression()) + pair_bytes;
    append_record(out, kind::chunk_index, bytes, [&](byte_writer& to) {
      to.u64(each.of.first);
      to.u64(each.of.last);
      to.u64(each.offset);
      to.u64(each.bytes);
      to.u32(static_cast<std::uint32_t>(map_bytes));
      for (const auto& [channel, offset] : each.indexes) {
        to.u16(channel);
        to.u64(offset);
      }
      to.u64(each.index_bytes);
      put_text(to, compression());
      to.u64(each.stored_bytes);
      to.u64(each.content_bytes);
    });
  }
}

void encoder::append_summary(byte_vector& out) const {
  const std::size_t begin = out.size();
  struct group {
    kind of;
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  std::vector<group> groups;
  const auto add_group = [&](kind of, auto&& append) {
    const std::size_t from = out.size();
    append();
    if (out.size() != from) groups.push_back({of, from, out.size()});
  };
  add_group(kind::schema, [&] {
    for (const known_channel& each : channels_) {
      const byte_span schema = byte_span(each.records).first(each.schema_bytes);
      out.insert(out.end(), schema.begin(), schema.end());
    }
  });
  add_group(kind::channel, [&] {
    for (const known_channel& each : channels_) {
      const byte_span channel = byte_span(each.records).subspan(each.schema_bytes);
      out.insert(out.end(), channel.begin(), channel.end());
    }
  });
  add_group(kind::statistics, [&] { append_statistics(out); });
  add_group(kind::chunk_index, [&] { append_chunk_indexes(out); });
  add_group(kind::metadata_index, [&] {
    for (const stored_metadata& each : metadata_) {
      append_record(out, kind::metadata_index, pair_bytes + text_bytes(each.name), [&](byte_writer& to) {
        to.u64(each.offset);
        to.u64(each.bytes);
        put_text(to, each.name);
      });
    }
  });
  const std::uint64_t offsets = offset_ + (out.size() - begin);
  for (const group& each : groups) {
    append_record(out, kind::summary_offset, 1 + pair_bytes, [&](byte_writer& to) {
      to.u8(static_cast<std::uint8_t>(each.of));
      to.u64(offset_ + (each.begin - begin));
      to.u64(each.end - each.begin);
    });
  }
  append_record(out, kind::footer, footer_bytes, [&](byte_writer& to) {
    to.u64(offset_);
    to.u64(offsets);
    const std::size_t before_crc = out.size() - 4;
    to.u32(crc32(byte_span(out).subspan(begin, before_crc - begin)));
  });
}

}  // namespace tickreel::mcap
