// .mcap files: records, those of chunks decompressed.
#pragma once

#include "../../../encoders/mcap/src/layout.hpp"
#include "../../../encoders/mcap/src/record_fields.hpp"
#include "parts.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/codec/crc32.hpp"

namespace tickreel::fuzz {

// The first part: u8 bits: 1 the end and the footer, 2 a summary; the content of the header. An item: u8 bits: 1 in a chunk, 2 a
// chunk begins with it, 4 compressed by zstd, 8 by lz4; u8 kind; the content of the record, of an attachment without its CRC.
struct mcap_format {
  static constexpr std::size_t fixed_parts = 1;
  static constexpr std::size_t item_head_bytes = 1 + 1;
  static constexpr std::size_t crc_bytes = 4;
  static constexpr std::uint64_t largest_chunk_bytes = 1u << 18;
  enum : unsigned { in_chunk = 1, begins_chunk = 2, by_zstd = 4, by_lz4 = 8 };

  static codec_id codec_of(unsigned bits) {
    if ((bits & by_zstd) != 0) return codec_id::zstd;
    return (bits & by_lz4) != 0 ? codec_id::lz4 : codec_id::none;
  }

  static void add_item(parts& to, unsigned bits, mcap::kind of, byte_span content) {
    to.push_back({static_cast<std::byte>(bits), static_cast<std::byte>(of)});
    append(to.back(), content);
  }

  // False at the end and at a wrong length.
  static bool take_record(byte_reader& from, mcap::kind& of, byte_span& content) {
    of = static_cast<mcap::kind>(from.u8());
    const std::uint64_t bytes = from.u64();
    if (!from.ok() || bytes > from.remaining()) return false;
    content = from.bytes(static_cast<std::size_t>(bytes));
    return true;
  }

  static void split_chunk(byte_span content, parts& out) {
    static decompressor unpacker;
    mcap::chunk_fields chunk;
    if (!mcap::read_chunk(content, chunk) || chunk.bytes > largest_chunk_bytes) return;
    byte_span records = chunk.stored;
    byte_vector unpacked;
    unsigned bits = in_chunk | begins_chunk;
    if (!chunk.compression.empty()) {
      const auto codec = codec_from_name(chunk.compression);
      const auto limit = static_cast<std::size_t>(chunk.bytes);
      if (!codec || !unpacker.decompress(*codec, chunk.stored, limit, unpacked)) return;
      bits |= *codec == codec_id::zstd ? by_zstd : by_lz4;
      records = unpacked;
    }
    mcap::kind of{};
    byte_span inner;
    for (byte_reader from(records); take_record(from, of, inner); bits &= ~unsigned{begins_chunk})
      add_item(out, bits, of, inner);
  }

  static std::optional<parts> split(byte_span input) {
    if (!as_text(input).starts_with(mcap::magic)) return std::nullopt;
    byte_reader from(input.subspan(mcap::magic.size()));
    mcap::kind of{};
    byte_span content;
    if (!take_record(from, of, content) || of != mcap::kind::header) return std::nullopt;
    parts out(1);
    append(out[0], content);
    unsigned end_bits = 0;
    while (end_bits == 0 && take_record(from, of, content)) {
      if (of == mcap::kind::data_end) {
        end_bits = 1;
      } else if (of == mcap::kind::chunk) {
        split_chunk(content, out);
      } else if (of == mcap::kind::attachment) {
        add_item(out, 0, of, content.first(content.size() - std::min(content.size(), crc_bytes)));
      } else if (of != mcap::kind::message_index) {
        add_item(out, 0, of, content);
      }
    }
    if (end_bits != 0 && take_record(from, of, content) && of != mcap::kind::footer) end_bits |= 2;
    out[0].insert(out[0].begin(), static_cast<std::byte>(end_bits));
    return out;
  }

  template <class Fill>
  static void append_record(byte_vector& out, mcap::kind of, std::size_t bytes, const Fill& fill) {
    const std::size_t begin = out.size();
    out.resize(begin + mcap::record_head_bytes + bytes);
    byte_writer to(mutable_byte_span(out).subspan(begin));
    to.u8(static_cast<std::uint8_t>(of));
    to.u64(bytes);
    fill(to);
  }
  static void append_record(byte_vector& out, mcap::kind of, byte_span content) {
    append_record(out, of, content.size(), [&](byte_writer& to) { to.bytes(content); });
  }
  static void append_crc(byte_vector& out, byte_span covered) {
    const std::uint32_t crc = crc32(covered);
    out.resize(out.size() + crc_bytes);
    byte_writer(mutable_byte_span(out).last(crc_bytes)).u32(crc);
  }

  // Writes the items, and remembers what the summary states.
  class file_writer {
   public:
    explicit file_writer(byte_span header) {
      append(file_, as_bytes(mcap::magic));
      append_record(file_, mcap::kind::header, header);
    }

    bool add(unsigned bits, mcap::kind of, byte_span content) {
      const bool inside = (bits & in_chunk) != 0;
      if ((!inside || (bits & begins_chunk) != 0) && !close_chunk()) return false;
      if (of == mcap::kind::message) ++messages_;
      if (of == mcap::kind::schema || of == mcap::kind::channel) append_record(channels_, of, content);
      if (inside) {
        if (chunk_.empty()) codec_ = codec_of(bits);
        append_record(chunk_, of, content);
        return true;
      }
      if (of == mcap::kind::metadata) add_metadata_index(content);
      byte_vector whole(content.begin(), content.end());
      if (of == mcap::kind::attachment) append_crc(whole, content);
      append_record(file_, of, whole);
      return true;
    }

    std::optional<byte_vector> finish(unsigned end_bits) {
      if (!close_chunk()) return std::nullopt;
      if (end_bits == 0) return std::move(file_);
      byte_vector crc;
      append_crc(crc, file_);
      append_record(file_, mcap::kind::data_end, crc);
      const std::size_t summary = file_.size();
      if ((end_bits & 2) != 0) {
        append(file_, channels_);
        append_record(file_, mcap::kind::statistics, sizeof messages_,
                      [&](byte_writer& to) { to.u64(messages_); });
        append(file_, indexes_);
      }
      append_record(file_, mcap::kind::footer, mcap::footer_bytes, [&](byte_writer& to) {
        to.u64((end_bits & 2) != 0 ? summary : 0);
        to.u64(0);
        to.u32(crc32(byte_span(file_).subspan(summary, file_.size() - summary - crc_bytes)));
      });
      append(file_, as_bytes(mcap::magic));
      return std::move(file_);
    }

   private:
    bool close_chunk() {
      if (chunk_.empty()) return true;
      const auto stored = packed(codec_, chunk_);
      if (!stored) return false;
      const std::string_view codec = codec_ == codec_id::none ? std::string_view() : name(codec_);
      append_record(indexes_, mcap::kind::chunk_index, 3 * sizeof(std::uint64_t), [&](byte_writer& to) {
        to.u64(0);
        to.u64(0);
        to.u64(file_.size());
      });
      const std::size_t bytes = 3 * 8 + crc_bytes + 4 + codec.size() + 8 + stored->size();
      append_record(file_, mcap::kind::chunk, bytes, [&](byte_writer& to) {
        to.u64(0);
        to.u64(0);
        to.u64(chunk_.size());
        to.u32(crc32(chunk_));
        to.u32(static_cast<std::uint32_t>(codec.size()));
        to.bytes(as_bytes(codec));
        to.u64(stored->size());
        to.bytes(*stored);
      });
      chunk_.clear();
      return true;
    }
    void add_metadata_index(byte_span content) {
      byte_reader from(content);
      const std::string_view name = mcap::read_text(from);
      append_record(indexes_, mcap::kind::metadata_index, 2 * 8 + 4 + name.size(), [&](byte_writer& to) {
        to.u64(file_.size());
        to.u64(mcap::record_head_bytes + content.size());
        to.u32(static_cast<std::uint32_t>(name.size()));
        to.bytes(as_bytes(name));
      });
    }

    byte_vector file_;
    byte_vector chunk_;
    byte_vector channels_;
    byte_vector indexes_;
    codec_id codec_ = codec_id::none;
    std::uint64_t messages_ = 0;
  };

  static std::optional<byte_vector> join(const parts& from) {
    if (from[0].empty()) return std::nullopt;
    const byte_span begin = from[0];
    file_writer to(begin.subspan(1));
    for (std::size_t i = fixed_parts; i < from.size(); ++i) {
      byte_vector item = from[i];
      item.resize(std::max(item.size(), item_head_bytes));
      const auto bits = std::to_integer<unsigned>(item[0]);
      const auto of = static_cast<mcap::kind>(item[1]);
      if (!to.add(bits, of, byte_span(item).subspan(item_head_bytes))) return std::nullopt;
    }
    return to.finish(std::to_integer<unsigned>(begin[0]) & 3);
  }

  static void mutate_part(byte_vector& part, random_source& random, bool fixed) {
    if (fixed) return mutate_bytes(part);
    mutate_fields_or_content(part, item_head_bytes, random);
  }
};

}  // namespace tickreel::fuzz
