// Live files and spools, as recorders of version 0.1 wrote them. Recovery always supports them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tickreel/icrep/block.hpp"
#include "tickreel/icrep/header.hpp"

namespace tickreel::test {

// Header and provisional metadata. Order blocks follow.
inline byte_vector begin_live_file(std::string_view metadata_json) {
  icrep::file_header header;
  header.live = true;
  header.metadata = {icrep::header_bytes, static_cast<std::uint32_t>(metadata_json.size())};
  header.orders = {header.metadata.offset + header.metadata.length, 0};
  const std::array head = icrep::to_bytes(header);
  byte_vector file(head.begin(), head.end());
  const byte_span text = as_bytes(metadata_json);
  file.insert(file.end(), text.begin(), text.end());
  return file;
}

// A keyframe in a spool.
inline result<void> append_keyframe_block(byte_vector& out, std::uint64_t tick, bool full, byte_span raw) {
  icrep::block_header head;
  head.kind = icrep::block_kind::keyframe;
  head.first_tick = tick;
  head.count = 1;
  head.full = full;
  return icrep::append_block(out, head, raw, true);
}

}  // namespace tickreel::test
