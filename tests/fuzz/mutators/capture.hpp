// Captures of messages: the records, decompressed, and their fields.
#pragma once

#include "message.hpp"
#include "parts.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/tape/container.hpp"

namespace tickreel::fuzz {

// The first part: u8 bits: 1 zstd frames, 2 a seek table. An item: u8 1 if a zstd frame begins with it, the record.
struct capture_format {
  static constexpr std::size_t fixed_parts = 1;

  static std::optional<parts> split(byte_span input) {
    const auto read = [&](std::uint64_t offset, std::size_t count) -> result<byte_span> {
      if (offset >= input.size()) return byte_span{};
      const byte_span rest = input.subspan(static_cast<std::size_t>(offset));
      return rest.first(std::min(count, rest.size()));
    };
    auto reader = tape::record_reader::open(read, input.size());
    if (!reader) return std::nullopt;
    const auto table = tape::read_seek_table(read, input.size());
    const bool has_table = table && !table->empty();
    parts out = {{static_cast<std::byte>((reader->is_compressed() ? 1 : 0) | (has_table ? 2 : 0))}};
    constexpr std::size_t max_bytes = 1u << 18;
    byte_span record;
    std::size_t bytes = 0;
    for (auto more = reader->next(record); more && *more && bytes < max_bytes; more = reader->next(record)) {
      out.push_back({static_cast<std::byte>(reader->begins_block())});
      append(out.back(), record);
      bytes += record.size();
    }
    return out;
  }

  static std::optional<byte_vector> join(const parts& from) {
    const unsigned bits = from[0].empty() ? 0 : std::to_integer<unsigned>(from[0][0]);
    std::vector<byte_vector> blocks;
    for (std::size_t i = 1; i < from.size(); ++i) {
      const byte_span item = from[i];
      if (blocks.empty() || (!item.empty() && std::to_integer<unsigned>(item[0]) % 2 == 1))
        blocks.emplace_back();
      const byte_span record = item.subspan(std::min<std::size_t>(item.size(), 1));
      tape::message_writer(blocks.back()).varint(record.size());
      append(blocks.back(), record);
    }
    std::vector<tape::block_sizes> sizes;
    byte_vector out;
    for (const byte_vector& each : blocks) {
      const auto stored = packed((bits & 1) != 0 ? codec_id::zstd : codec_id::none, each);
      if (!stored) return std::nullopt;
      append(out, *stored);
      sizes.push_back({static_cast<std::uint32_t>(stored->size()), static_cast<std::uint32_t>(each.size())});
    }
    if ((bits & 2) != 0) tape::append_seek_table(sizes, out);
    return out;
  }

  static void mutate_part(byte_vector& part, random_source& random, bool fixed) {
    if (fixed || part.empty() || below(random, 8) == 0) return mutate_bytes(part);
    const auto record = mutate_message(byte_span(part).subspan(1), random);
    if (!record) return mutate_bytes(part);
    part.resize(1);
    append(part, *record);
  }
};

}  // namespace tickreel::fuzz
