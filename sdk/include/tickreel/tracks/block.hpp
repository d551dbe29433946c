// Types shared by writers and readers of blocks of rows. docs/formats/tracks.md specifies the bytes.
#pragma once

#include <cstdint>

namespace tickreel::tracks {

// The purpose of a block, for the writer only.
enum class stage : std::uint8_t {
  live,     // blocks of about a second
  archive,  // blocks of about ten seconds
};

inline constexpr std::uint32_t default_min_change_row_bytes = 64u << 10;

struct block_options {
  tracks::stage stage = tracks::stage::live;
  // The maximum number of rows of a block, 1 to 65536.
  std::uint32_t max_rows = 1024;
  // Number of columns that are coded together: to read one of them, a reader decodes those before it. 0: 16
  // live, 32 in an archive, and more so that there are about 64 groups at most.
  std::uint32_t group_columns = 0;
  // Rows of at least this many bytes, in an archive of at least 256 KiB, are coded as changes of records
  // (shape.records) while few of them change. Readers before version 2 of rows cannot read these blocks.
  std::uint32_t min_change_row_bytes = default_min_change_row_bytes;
  // The maximum number of rows of such a block. 0: max_rows.
  std::uint32_t max_change_rows = 0;
};

// A reader's limits.
struct block_limits {
  std::uint32_t rows = 65536;
  std::uint64_t memory_bytes = std::uint64_t{64} << 20;
};

}  // namespace tickreel::tracks
