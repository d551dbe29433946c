// .icrep files: the sections, and blocks and keyframes decompressed.
#pragma once

#include "../../encoders/icrep/live_file.hpp"
#include "parts.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/icrep/block.hpp"
#include "tickreel/icrep/keyframe.hpp"
#include "tickreel/icrep/layout.hpp"

namespace tickreel::fuzz {

// The first parts: u8 1 live, u8 1 incomplete, u64 total ticks, u32 lost frames, 32 bytes final hash; metadata; signature; embedded
// resources. An item: u8 block kind, u8 bits: 1 compressed, 2 last, 4 full; u64 first tick, u32 count; the content.
struct icrep_format {
  static constexpr std::size_t fixed_parts = 4;
  static constexpr std::size_t item_head_bytes = 1 + 1 + 8 + 4;
  static constexpr std::size_t end_bytes = 1 + 1 + 8 + 4 + 32;

  static icrep::limits limits() {
    icrep::limits most;
    most.snapshot_bytes = 1u << 18;
    most.block_bytes = 1u << 18;
    return most;
  }

  static void add_item(parts& to, const icrep::block_header& head, byte_span content) {
    byte_vector item(item_head_bytes);
    byte_writer out(item);
    out.u8(static_cast<std::uint8_t>(head.kind));
    out.u8(static_cast<std::uint8_t>((head.compressed ? 1 : 0) | (head.last ? 2 : 0) | (head.full ? 4 : 0)));
    out.u64(head.first_tick);
    out.u32(head.count);
    append(item, content);
    to.push_back(std::move(item));
  }

  static void add_blocks(parts& to, byte_span stream, icrep::block_kind kind) {
    byte_vector buffer;
    for (const icrep::block& each : icrep::index_blocks(stream, kind, limits()).blocks) {
      const auto content = icrep::open_block(each, buffer);
      if (content) add_item(to, each.head, *content);
    }
  }

  static std::optional<parts> split(byte_span input) {
    const auto head = icrep::read_header(input);
    if (!head) return std::nullopt;
    const auto bytes_of = [&](const icrep::section& at) {
      if (at.offset > input.size() || at.length > input.size() - at.offset) return byte_span();
      return input.subspan(at.offset, at.length);
    };
    parts out(fixed_parts);
    out[0].resize(end_bytes);
    byte_writer to(out[0]);
    to.u8(head->live ? 1 : 0);
    to.u8(head->incomplete ? 1 : 0);
    to.u64(head->total_ticks);
    to.u32(head->lost_frame_count);
    to.bytes(head->final_state_hash);
    append(out[1], bytes_of(head->metadata));
    append(out[2], bytes_of(head->signature));
    append(out[3], bytes_of(head->embedded));
    using enum icrep::block_kind;
    if (head->live) {
      for (const auto kind : {orders, events, voice, keyframe}) add_blocks(out, input, kind);
      return out;
    }
    add_blocks(out, bytes_of(head->orders), orders);
    add_blocks(out, bytes_of(head->events), events);
    add_blocks(out, bytes_of(head->voice), voice);
    add_keyframes(out, bytes_of(head->keyframes), head->incomplete);
    return out;
  }

  static void add_keyframes(parts& to, byte_span section, bool incomplete) {
    byte_vector buffer;
    const auto keyframes = icrep::read_keyframe_section(section, incomplete, limits());
    if (!keyframes) return;
    for (const icrep::stored_keyframe& each : *keyframes) {
      const auto content = icrep::open_keyframe(each, buffer);
      icrep::block_header about;
      about.kind = icrep::block_kind::keyframe;
      about.compressed = each.compressed;
      about.full = each.full;
      about.first_tick = each.tick;
      about.count = 1;
      if (content) add_item(to, about, *content);
    }
  }

  static std::optional<byte_vector> join(const parts& from) {
    byte_vector end = from[0];
    end.resize(end_bytes);
    byte_reader in(end);
    icrep::file_sections sections;
    const bool live = in.u8() % 2 == 1;
    sections.incomplete = in.u8() % 2 == 1;
    sections.total_ticks = in.u64();
    sections.lost_frame_count = in.u32();
    for (std::byte& each : sections.final_state_hash) each = static_cast<std::byte>(in.u8());
    sections.metadata_json = as_text(from[1]);
    byte_vector streams[3], all;
    icrep::keyframe_section_writer keyframes;
    for (std::size_t i = fixed_parts; i < from.size(); ++i) {
      byte_vector item = from[i];
      item.resize(std::max(item.size(), item_head_bytes));
      byte_reader fields(item);
      icrep::block_header head;
      const std::size_t kind = fields.u8() % 4;
      head.kind = static_cast<icrep::block_kind>(kind);
      const unsigned bits = fields.u8();
      head.last = (bits & 2) != 0;
      head.full = (bits & 4) != 0;
      head.first_tick = fields.u64();
      head.count = fields.u32();
      const byte_span content = fields.rest();
      const bool compress = (bits & 1) != 0;
      // What the writers reject, for example ticks that fall, is left out.
      if (live) {
        (void)icrep::append_block(all, head, content, compress);
      } else if (head.kind == icrep::block_kind::keyframe) {
        (void)keyframes.add(head.first_tick, head.full, content, compress);
      } else {
        (void)icrep::append_block(streams[kind], head, content, compress);
      }
    }
    if (live) {
      byte_vector file = test::begin_live_file(sections.metadata_json);
      append(file, all);
      return file;
    }
    const byte_vector section = keyframes.count() == 0 ? byte_vector() : keyframes.finish();
    sections.orders = streams[static_cast<std::size_t>(icrep::block_kind::orders)];
    sections.events = streams[static_cast<std::size_t>(icrep::block_kind::events)];
    sections.voice = streams[static_cast<std::size_t>(icrep::block_kind::voice)];
    sections.keyframes = section;
    sections.signature = from[2];
    sections.embedded = from[3];
    auto file = icrep::encode_file(sections);
    if (!file) return std::nullopt;
    return std::move(*file);
  }

  static void mutate_part(byte_vector& part, random_source& random, bool fixed) {
    if (fixed) return mutate_bytes(part);
    mutate_fields_or_content(part, item_head_bytes, random);
  }
};

}  // namespace tickreel::fuzz
