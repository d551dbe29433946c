#include "tickreel/mcap/encoder.hpp"

#include <algorithm>
#include <limits>

#include "layout.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/codec/crc32.hpp"

namespace tickreel::mcap {

namespace {

constexpr std::size_t max_channels = 65535;
constexpr error too_long{error_code::over_limit, error::no_offset, "a text of 4 GiB or more", {0, 0}, 0};
constexpr bool fits_u32(std::size_t bytes) noexcept {
  return bytes <= std::numeric_limits<std::uint32_t>::max();
}

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

result<std::uint16_t> encoder::add_channel(const channel& added) {
  if (channels_.size() == max_channels) {
    return fail(error_code::over_limit, error::no_offset, "an .mcap has at most {} channels",
                static_cast<std::int64_t>(max_channels));
  }
  for (const std::size_t size :
       {added.topic.size(), added.schema_name.size(), added.schema.size(), added.schema_encoding.size(),
        added.encoding.size(), added.metadata.size()}) {
    if (!fits_u32(size)) return fail(too_long);
  }
  const auto number = static_cast<std::uint16_t>(channels_.size() + 1);
  known_channel& made = channels_.emplace_back();
  if (added.has_schema) {
    const std::size_t schema_bytes =
        2 + text_bytes(added.schema_name) + text_bytes(added.schema_encoding) + text_bytes(added.schema);
    append_record(made.records, kind::schema, schema_bytes, [&](byte_writer& to) {
      to.u16(number);
      put_text(to, added.schema_name);
      put_text(to, added.schema_encoding);
      put_text(to, added.schema);
    });
  }
  made.schema_bytes = made.records.size();
  const std::size_t channel_bytes =
      2 + 2 + text_bytes(added.topic) + text_bytes(added.encoding) + text_bytes(as_text(added.metadata));
  append_record(made.records, kind::channel, channel_bytes, [&](byte_writer& to) {
    to.u16(number);
    to.u16(added.has_schema ? number : 0);
    put_text(to, added.topic);
    put_text(to, added.encoding);
    put_text(to, as_text(added.metadata));
  });
  return number;
}

result<void> encoder::add_message(std::uint16_t channel, std::uint64_t time_ns, byte_span data,
                                  byte_vector& out) {
  const auto sequence = static_cast<std::uint32_t>(channels_[channel - 1u].messages);
  return add_message({channel, sequence, time_ns, time_ns, data}, out);
}

result<void> encoder::add_message(const message& added, byte_vector& out) {
  known_channel& of = channels_[added.channel - 1u];
  if (of.messages == 0) chunk_.insert(chunk_.end(), of.records.begin(), of.records.end());
  of.in_chunk.emplace_back(added.time_ns, chunk_.size());
  append_record(chunk_, kind::message, 2 + 4 + 8 + 8 + added.data.size(), [&](byte_writer& to) {
    to.u16(added.channel);
    to.u32(added.sequence);
    to.u64(added.time_ns);
    to.u64(added.publish_time_ns);
    to.bytes(added.data);
  });
  chunk_times_.add(added.time_ns, chunk_messages_ == 0);
  all_.add(added.time_ns, messages_ == 0);
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
  for (const auto& [key, value] : entries) {
    if (!fits_u32(key.size()) || !fits_u32(value.size())) return fail(too_long);
    map_bytes += text_bytes(key) + text_bytes(value);
  }
  if (!fits_u32(map_bytes) || !fits_u32(name.size())) return fail(too_long);
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

result<void> encoder::begin_attachment(const attachment& added, byte_vector& out) {
  if (auto closed = close_chunk(out); !closed) return closed;
  if (!fits_u32(added.name.size()) || !fits_u32(added.media_type.size())) return fail(too_long);
  const std::size_t head_bytes = 8 + 8 + text_bytes(added.name) + text_bytes(added.media_type) + 8;
  const std::size_t begin = out.size();
  out.resize(begin + record_head_bytes + head_bytes);
  byte_writer to(mutable_byte_span(out).subspan(begin));
  to.u8(static_cast<std::uint8_t>(kind::attachment));
  to.u64(head_bytes + added.bytes + 4);
  to.u64(added.time_ns);
  to.u64(added.created_ns);
  put_text(to, added.name);
  put_text(to, added.media_type);
  to.u64(added.bytes);
  attachment_crc_ = crc32(byte_span(out).subspan(begin + record_head_bytes));
  attachment_bytes_ = 0;
  attachments_.push_back({std::string(added.name), std::string(added.media_type), added.time_ns,
                          added.created_ns, added.bytes, offset_,
                          record_head_bytes + head_bytes + added.bytes + 4});
  take(out, begin);
  return {};
}

void encoder::add_attachment_bytes(byte_span part, byte_vector& out) {
  const std::size_t begin = out.size();
  out.insert(out.end(), part.begin(), part.end());
  attachment_crc_ = crc32(part, attachment_crc_);
  attachment_bytes_ += part.size();
  take(out, begin);
}

result<void> encoder::end_attachment(byte_vector& out) {
  if (attachment_bytes_ != attachments_.back().content_bytes) {
    return fail(error_code::invalid_argument, error::no_offset, "an attachment of {} bytes instead of {}",
                static_cast<std::int64_t>(attachment_bytes_),
                static_cast<std::int64_t>(attachments_.back().content_bytes));
  }
  const std::size_t begin = out.size();
  out.resize(begin + 4);
  byte_writer(mutable_byte_span(out).subspan(begin)).u32(attachment_crc_);
  take(out, begin);
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
    to.u16(static_cast<std::uint16_t>(
        std::ranges::count_if(channels_, [](const known_channel& each) { return each.schema_bytes != 0; })));
    to.u32(static_cast<std::uint32_t>(channels_.size()));
    to.u32(static_cast<std::uint32_t>(attachments_.size()));
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

void encoder::append_attachment_indexes(byte_vector& out) const {
  for (const stored_attachment& each : attachments_) {
    const std::size_t bytes = 2 * pair_bytes + 8 + text_bytes(each.name) + text_bytes(each.media_type);
    append_record(out, kind::attachment_index, bytes, [&](byte_writer& to) {
      to.u64(each.offset);
      to.u64(each.bytes);
      to.u64(each.time_ns);
      to.u64(each.created_ns);
      to.u64(each.content_bytes);
      put_text(to, each.name);
      put_text(to, each.media_type);
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
  add_group(kind::attachment_index, [&] { append_attachment_indexes(out); });
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
