// The checksums of an archive's members, in its "(attributes)".
//
//   offset  type        content, little-endian
//   0       u32         100
//   4       u32         the following columns: 1 CRC-32, 2 file times, 4 MD5
//   8       n x u32     CRC-32 of each row of the block table; 0: unknown
//   ..      n x u64     modification time of each, in 100 ns since 1601; 0: unknown
//   ..      n x 16 u8   MD5 of each; zeros: unknown
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tickreel/mpq/archive.hpp"
#include "tickreel/result.hpp"

namespace tickreel::mpq {

using md5_digest = std::array<std::byte, 16>;

// Of decompressed members.
struct row_attributes {
  std::optional<std::uint32_t> crc32;
  std::optional<std::uint64_t> file_time;
  std::optional<md5_digest> md5;
};

struct attributes {
  // The present columns.
  bool crc32 = false;
  bool file_times = false;
  bool md5 = false;
  std::vector<row_attributes> rows;  // by member::block
};

// Without columns if the archive has none, or in an unknown version.
result<attributes> read_attributes(const archive& of);

}  // namespace tickreel::mpq
