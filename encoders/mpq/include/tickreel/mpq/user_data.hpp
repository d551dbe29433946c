// The optional data before an archive: a few bytes of the program that the file belongs to.
//
//   offset  type     file prefix, little-endian
//   0       4 x u8   "MPQ", 0x1B
//   4       u32      space reserved for the user data: 512 in replays
//   8       u32      offset of the archive: 1024 in replays; offsets inside the archive count from there
//   12      u32      n, size of the user data
//   16      n        the user data
//   ..               zeros up to the archive
#pragma once

#include <cstdint>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"

namespace tickreel::mpq {

inline constexpr std::size_t prefix_bytes = 16;
inline constexpr std::uint32_t usual_user_data_room = 512;
inline constexpr std::uint32_t usual_archive_offset = 1024;

struct file_prefix {
  std::uint32_t user_data_room = usual_user_data_room;
  std::uint32_t archive_offset = usual_archive_offset;
  std::uint32_t user_data_bytes = 0;
};

// From a file's first 16 bytes. bad_magic without this prefix; malformed if the user data would overlap the
// archive.
result<file_prefix> read_prefix(byte_span file) noexcept;

// The bytes before the archive, `archive_offset` of them. over_limit if the user data exceed their space.
result<byte_vector> write_prefix(byte_span user_data, const file_prefix& layout = {});

}  // namespace tickreel::mpq
