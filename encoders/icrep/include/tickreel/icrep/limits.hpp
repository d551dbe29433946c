// A reader's limits. The defaults are the format's own.
#pragma once

#include <cstdint>

namespace tickreel::icrep {

struct limits {
  std::uint32_t metadata_bytes = 1u << 20;
  std::uint32_t snapshot_bytes = 64u << 20;  // decompressed
  std::uint32_t block_bytes = 4u << 20;      // decompressed: orders, events, voice
  std::uint32_t ratio = 256;                 // decompressed bytes for a stored one
  std::uint32_t entities = 50'000;           // in one snapshot
  std::uint32_t keyframes = 1'000'000;
  std::uint32_t orders_per_tick = 4096;
  std::uint32_t string_bytes = 64u << 10;
  std::uint32_t strings = 1'000'000;  // in one list: interned strings
  std::uint32_t sampled_positions = 256;
};

// Offsets are 32 bits wide, so a file ends before 4 GiB; writers stop at 3.75 GiB, so that the last sections
// still fit.
inline constexpr std::uint64_t writer_file_limit_bytes = (std::uint64_t{15} << 30) / 4;

// The highest tick that is written: higher numbers are not exact in JSON, and the highest of all has no
// successor.
inline constexpr std::uint64_t last_writable_tick = (std::uint64_t{1} << 53) - 1;

}  // namespace tickreel::icrep
