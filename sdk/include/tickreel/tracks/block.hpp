// What the two sides of a block of rows agree on. docs/formats/tracks.md specifies it to the byte.
#pragma once

#include <cstdint>

namespace tickreel::tracks {

// What a block is written for. Readers need not know.
enum class stage : std::uint8_t {
  live,     // blocks of about a second
  archive,  // blocks of about ten seconds
};

struct block_options {
  tracks::stage stage = tracks::stage::live;
  // Rows that a block has at most, 1 to 65536.
  std::uint32_t most_rows = 1024;
  // Columns that are coded together: to read one of them is to decode those before it. 0: 16 live, 32 in an
  // archive.
  std::uint32_t group_columns = 0;
};

// What a reader takes at most, whatever a block says.
struct block_limits {
  std::uint32_t rows = 65536;
  std::uint64_t memory_bytes = std::uint64_t{64} << 20;
};

}  // namespace tickreel::tracks
