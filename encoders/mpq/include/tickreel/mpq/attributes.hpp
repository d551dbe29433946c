// The checksums that an archive keeps of its members, in its "(attributes)".
//
//   offset  type        content, little-endian
//   0       u32         100
//   4       u32         which columns follow: 1 CRC-32, 2 file times, 4 MD5
//   8       n x u32     CRC-32 of each row of the block table; 0: unknown
//   ..      n x u64     when each was changed, in 100 ns since 1601; 0: unknown
//   ..      n x 16 u8   MD5 of each; zeros: unknown
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/mpq/archive.hpp"
#include "tickreel/result.hpp"

namespace tickreel::mpq {

using md5_digest = std::array<std::byte, 16>;

// Of unpacked members.
struct row_attributes {
  std::optional<std::uint32_t> crc32;
  std::optional<std::uint64_t> file_time;
  std::optional<md5_digest> md5;
};

struct attributes {
  // Which columns there are.
  bool crc32 = false;
  bool file_times = false;
  bool md5 = false;
  std::vector<row_attributes> rows;  // by member::block
};

// Without columns when the archive keeps none, or in a version that nobody here knows.
result<attributes> read_attributes(const archive& of);

}  // namespace tickreel::mpq
