// A small map file: 8 by 9 units.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "tickreel/mpq/write_archive.hpp"

namespace tickreel::test {

inline void put_number(byte_vector& to, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to.push_back(static_cast<std::byte>(value >> (8 * i) & 0xFFu));
}
inline void put_zero_terminated(byte_vector& to, std::string_view text) {
  const byte_span bytes = as_bytes(text);
  to.insert(to.end(), bytes.begin(), bytes.end());
  to.push_back(std::byte{0});
}

struct map_edges {
  std::uint32_t left = 1, bottom = 2, right = 5, top = 4;
};

inline byte_vector map_info(std::uint32_t version, const map_edges& edges, bool own_preview = false) {
  byte_vector out;
  put_number(out, 0x4D617049, 4);
  put_number(out, version, 4);
  if (version >= 0x18) put_number(out, 77, 8);
  put_number(out, 8, 4);
  put_number(out, 9, 4);
  put_number(out, 1, 4);
  put_number(out, own_preview ? 2 : 1, 4);
  if (own_preview) put_zero_terminated(out, "earth.tga");
  if (version >= 0x1F) put_zero_terminated(out, "");
  if (version >= 0x26) put_zero_terminated(out, "");
  if (version >= 0x1F) put_number(out, 1, 4);
  put_number(out, 0, 4);
  put_zero_terminated(out, "Dark");
  put_zero_terminated(out, "Char");
  for (const std::uint32_t edge : {edges.left, edges.bottom, edges.right, edges.top})
    put_number(out, edge, 4);
  return out;
}

struct pixel_counts {
  std::uint32_t width = 8, height = 8;
};

// The blue of each pixel says its place: 10 * row + column, rows from the top.
inline byte_vector minimap(int bits, bool from_top, bool packed, pixel_counts size = {}) {
  byte_vector out;
  put_number(out, packed ? 0x0A0000u : 0x020000u, 3);
  put_number(out, 0, 8);
  put_number(out, 0, 1);
  put_number(out, size.width, 2);
  put_number(out, size.height, 2);
  put_number(out, static_cast<std::uint64_t>(bits), 1);
  put_number(out, from_top ? 0x20u : 0u, 1);
  for (unsigned stored = 0; stored < size.height; ++stored) {
    const unsigned row = from_top ? stored : size.height - 1 - stored;
    for (unsigned column = 0; column < size.width; ++column) {
      // A run of one, and a run of the others, which are single ones.
      if (packed && column == 0) put_number(out, 0x80, 1);
      if (packed && column == 1) put_number(out, size.width - 2, 1);
      put_number(out, (10 * row + column) & 0xFFu, 1);
      put_number(out, 0, bits / 8 - 1);
    }
  }
  return out;
}

inline byte_vector map_file(byte_vector info, byte_vector picture) {
  std::vector<mpq::new_member> members;
  members.push_back({"MapInfo", std::move(info)});
  members.push_back({"Minimap.tga", std::move(picture)});
  return *mpq::write_archive({}, members);
}

}  // namespace tickreel::test
