// Detects the layout of a .rec file from both of its ends, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"
#include "tickreel/samp_rec/header.hpp"

namespace tickreel::samp_rec {

enum class block_layout : std::uint8_t {
  none,  // a header without blocks
  vehicle,
  on_foot,
  legacy_vehicle,
  legacy_on_foot,
  vcmp_on_foot,  // the three of the VC-MP plugin, see vcmp.hpp
  vcmp_driver,
  vcmp_packets,  // of no fixed size
};
[[nodiscard]] std::string_view name(block_layout layout) noexcept;
// 0 for none and vcmp_packets.
[[nodiscard]] std::size_t block_bytes(block_layout layout) noexcept;
[[nodiscard]] constexpr bool is_legacy(block_layout layout) noexcept {
  return layout == block_layout::legacy_vehicle || layout == block_layout::legacy_on_foot;
}
[[nodiscard]] constexpr bool is_vcmp(block_layout layout) noexcept {
  return layout == block_layout::vcmp_on_foot || layout == block_layout::vcmp_driver ||
         layout == block_layout::vcmp_packets;
}

struct file_shape {
  block_layout layout = block_layout::none;
  recording_kind kind = recording_kind::none;  // determined by the layout; none for vcmp_packets
  std::uint32_t version = 0;                   // 0 for a file without header
  std::uint64_t file_bytes = 0;
  std::uint32_t header_bytes = 0;  // 0: the oldest files have none
  std::uint64_t block_count = 0;   // 0 for vcmp_packets, which must be counted
  std::uint32_t tail_bytes = 0;    // of a truncated last block; every player ignores it

  // Of a block in the file; not for vcmp_packets.
  [[nodiscard]] std::uint64_t block_offset(std::uint64_t index) const noexcept {
    return header_bytes + index * block_bytes(layout);
  }
};

struct detect_options {
  samp_rec::limits limits = {};
  // VC-MP's first versions count from 1000 like SA-MP. True: 1000 is VC-MP's (and not supported).
  bool vcmp = false;
};

// A file is detected by both of its ends.
inline constexpr std::size_t detect_head_bytes = 2048;
inline constexpr std::size_t detect_tail_bytes = 2048;
// Times may go back by this much: more than in any known file, less than in random data.
inline constexpr std::uint32_t detect_time_tolerance_ms = 1000;

// `head` and `tail` are the file's first and last bytes, at least detect_*_bytes of them or the whole file.
// The tail may be empty for a first check. over_limit; truncated below eight bytes; unsupported_version for
// VC-MP before 1004; not_recognised ("block layout not recognised") if nothing fits.
result<file_shape> detect(byte_span head, byte_span tail, std::uint64_t file_bytes,
                          const detect_options& options = {}) noexcept;
result<file_shape> detect(byte_span file, const detect_options& options = {}) noexcept;

}  // namespace tickreel::samp_rec
