// .butter files: the head, and the frames of the decompressed chunks.
#pragma once

#include <array>

#include "parts.hpp"
#include "tickreel/butter/file.hpp"
#include "tickreel/bytes/endian.hpp"

namespace tickreel::fuzz {

// The first part: the head without the table of chunks. An item: u8 1 if a chunk begins with it, the frame.
struct butter_format {
  static constexpr std::size_t fixed_parts = 1;
  static constexpr std::size_t compression_at = 3;
  static constexpr std::size_t largest_chunk_bytes = 1u << 18;

  // At the marks of keyframes and differences; a value that looks like one divides a frame.
  static void split_chunk(byte_span chunk, parts& out) {
    const auto begins_frame = [&](std::size_t at) {
      return at + 1 < chunk.size() && chunk[at + 1] == std::byte{0xFE} &&
             (chunk[at] == std::byte{0xFC} || chunk[at] == std::byte{0xFE});
    };
    std::size_t from = 0;
    for (std::size_t at = 1; at <= chunk.size(); ++at) {
      if (at < chunk.size() && !begins_frame(at)) continue;
      out.push_back({static_cast<std::byte>(from == 0)});
      append(out.back(), chunk.subspan(from, at - from));
      from = at;
    }
  }

  static std::optional<parts> split(byte_span input) {
    const auto reader = butter::reader::open(input, {.limits = {.max_chunks = 1u << 12}});
    if (!reader || reader->chunk_count() == 0) return std::nullopt;
    const std::size_t table_bytes = 4 * (1 + reader->chunk_count());
    const byte_span head = input.first(static_cast<std::size_t>(reader->chunk_offset(0)) - table_bytes);
    parts out = {byte_vector(head.begin(), head.end())};
    static decompressor unpacker;
    byte_vector chunk;
    for (std::size_t number = 0; number < reader->chunk_count(); ++number) {
      const std::uint64_t offset = reader->chunk_offset(number);
      if (offset > input.size() || reader->chunk_bytes(number) > input.size() - offset) continue;
      const byte_span stored = input.subspan(static_cast<std::size_t>(offset), reader->chunk_bytes(number));
      const codec_id codec = butter::codec_of(reader->head().codec).codec;
      if (unpacker.decompress(codec, stored, largest_chunk_bytes, chunk)) split_chunk(chunk, out);
    }
    return out;
  }

  static std::optional<byte_vector> join(const parts& from) {
    if (from[0].size() <= compression_at) return std::nullopt;
    const auto codec = butter::codec_of(static_cast<butter::compression>(from[0][compression_at])).codec;
    std::vector<byte_vector> chunks;
    for (std::size_t i = 1; i < from.size(); ++i) {
      const byte_span item = from[i];
      if (chunks.empty() || (!item.empty() && std::to_integer<unsigned>(item[0]) == 1)) chunks.emplace_back();
      append(chunks.back(), item.subspan(std::min<std::size_t>(item.size(), 1)));
    }
    byte_vector out = from[0];
    const auto add_number = [&](std::size_t value) {
      std::array<std::byte, 4> bytes;
      detail::store<std::endian::little>(bytes.data(), static_cast<std::uint32_t>(value));
      append(out, bytes);
    };
    add_number(chunks.size());
    for (byte_vector& each : chunks) {
      auto stored = packed(codec, each);
      if (!stored) return std::nullopt;
      each = std::move(*stored);
      add_number(each.size());
    }
    for (const byte_vector& each : chunks) append(out, each);
    return out;
  }

  static void mutate_part(byte_vector& part, random_source&, bool) { mutate_bytes(part); }
};

}  // namespace tickreel::fuzz
