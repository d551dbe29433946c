// Reels: records with their heads, decompressed.
#pragma once

#include "../../../sdk/src/reel/wire.hpp"
#include "parts.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::fuzz {

// The first part: u8 1 if there are an index and an end, u16 version, the body of the header. An item: the fields of the record's
// head that do not follow from other bytes, with the u8 distance of its sequence from the record before; the payload.
struct reel_format {
  static constexpr std::size_t fixed_parts = 1;
  static constexpr std::size_t item_head_bytes = 1 + 1 + 2 + 4 * 8 + 4 + 1;
  static constexpr std::size_t largest_record_bytes = 1u << 18;

  static byte_vector item_of(const reel::record& from) {
    byte_vector item(item_head_bytes);
    byte_writer to(item);
    to.u8(static_cast<std::uint8_t>(from.info.kind));
    to.u8(static_cast<std::uint8_t>(from.info.codec));
    to.u16(from.info.flags);
    to.u64(from.info.first_tick);
    to.u64(from.info.last_tick);
    to.i64(from.info.first_time_us);
    to.i64(from.info.last_time_us);
    to.u32(from.info.frames);
    to.u8(1);
    append(item, from.payload);
    return item;
  }

  static std::optional<parts> split(byte_span input) {
    reel::limits limits;
    limits.max_raw_bytes = limits.max_stored_bytes = largest_record_bytes;
    auto reader = reel::reader::from_memory(input, limits, false);
    if (!reader) return std::nullopt;
    const byte_span head = reader->header_bytes();
    const auto& contents = reader->contents();
    parts out(1);
    out[0] = {static_cast<std::byte>(contents.end == reel::reel_end::closed), head[8], head[9]};
    const std::size_t prefix = reel::wire::header_prefix_bytes;
    append(out[0], head.subspan(prefix, head.size() - prefix - reel::wire::hash_bytes));
    reel::record record;
    for (std::size_t number = 0; number < contents.records.size(); ++number) {
      const auto kind = contents.records[number].kind;
      if (kind == reel::record_kind::index || kind == reel::record_kind::end) continue;
      if (reader->read(number, record)) out.push_back(item_of(record));
    }
    return out;
  }

  static byte_vector header_of(byte_span part) {
    byte_reader from(part);
    from.skip(1);
    const std::uint16_t version = from.u16();
    const byte_span body = from.bytes(from.remaining());
    byte_vector header(reel::wire::header_prefix_bytes + body.size() + reel::wire::hash_bytes);
    byte_writer to(header);
    to.bytes(as_bytes(reel::wire::file_magic));
    to.u16(version);
    to.u16(0);
    to.u32(static_cast<std::uint32_t>(body.size()));
    to.bytes(body);
    to.u64(xxh3_64(to.written()));
    return header;
  }

  // The payload as stored; unchanged with an unknown codec.
  static byte_vector stored(reel::record_info& info, byte_span payload) {
    info.raw_bytes = static_cast<std::uint32_t>(payload.size());
    const bool known =
        info.codec == codec_id::gzip || info.codec == codec_id::lz4 || info.codec == codec_id::zstd;
    auto bytes = known ? packed(info.codec, payload) : std::nullopt;
    if (!bytes) bytes.emplace(payload.begin(), payload.end());
    info.stored_bytes = static_cast<std::uint32_t>(bytes->size());
    return std::move(*bytes);
  }

  static std::optional<byte_vector> join(const parts& from) {
    if (from[0].size() < 3) return std::nullopt;
    byte_vector out = header_of(from[0]);
    const reel::wire::reel_key key = reel::wire::key_of(out);
    std::vector<reel::record_info> written;
    reel::record_info next;
    next.sequence = 0xFFFFFFFF;
    next.ticks_before = 0;
    byte_vector record;
    const auto add = [&](byte_span payload) {
      next.offset = out.size();
      const byte_vector bytes = stored(next, payload);
      next.bytes = key.record_bytes(next.stored_bytes);
      reel::wire::write_record(record, next, bytes, key);
      append(out, record);
      written.push_back(next);
      const bool counts = next.kind == reel::record_kind::chunk || next.kind == reel::record_kind::gap;
      if (counts) *next.ticks_before += next.frames;
      if (next.changes_header()) ++next.updates_before;
    };
    for (std::size_t i = 1; i < from.size(); ++i) {
      byte_vector item = from[i];
      item.resize(std::max(item.size(), item_head_bytes));
      byte_reader in(item);
      next.kind = static_cast<reel::record_kind>(in.u8());
      next.codec = static_cast<codec_id>(in.u8());
      next.flags = in.u16();
      next.first_tick = in.u64();
      next.last_tick = in.u64();
      next.first_time_us = in.i64();
      next.last_time_us = in.i64();
      next.frames = in.u32();
      next.sequence += in.u8();
      add(in.bytes(in.remaining()));
    }
    if (std::to_integer<unsigned>(from[0][0]) == 1) add_end(next, written, key, add);
    return out;
  }

  template <class Add>
  static void add_end(reel::record_info& next, const std::vector<reel::record_info>& written,
                      const reel::wire::reel_key& key, const Add& add) {
    reel::wire::end_payload end;
    for (const reel::record_info& each : written) {
      end.chunks += each.kind == reel::record_kind::chunk ? 1 : 0;
      (each.kind == reel::record_kind::gap ? end.lost_ticks : end.frames) +=
          each.kind == reel::record_kind::chunk || each.kind == reel::record_kind::gap ? each.frames : 0;
    }
    const auto begin = [&](reel::record_kind kind) {
      reel::record_info fresh;
      fresh.kind = kind;
      fresh.sequence = next.sequence + 1;
      fresh.ticks_before = next.ticks_before;
      fresh.updates_before = next.updates_before;
      next = fresh;
    };
    begin(reel::record_kind::index);
    const byte_vector index = reel::wire::write_index(written, key);
    add(index);
    end.index_offset = written.back().offset;
    begin(reel::record_kind::end);
    byte_vector payload(reel::wire::end_payload_bytes);
    byte_writer to(payload);
    reel::wire::write_end(to, end);
    add(payload);
  }

  static void mutate_part(byte_vector& part, random_source& random, bool fixed) {
    if (fixed) return mutate_bytes(part);
    mutate_fields_or_content(part, item_head_bytes, random);
  }
};

}  // namespace tickreel::fuzz
