// The first 108 bytes of a file: its sections and their positions.
#pragma once

#include <array>
#include <cstdint>

#include "tickreel/bytes/span.hpp"
#include "tickreel/icrep/digest.hpp"
#include "tickreel/result.hpp"

namespace tickreel::icrep {

// A part of the file. Absent: length 0 and offset 0.
struct section {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  bool operator==(const section&) const = default;
};

struct file_header {
  bool is_signed = false;
  bool has_events = false;
  bool has_voice = false;
  bool incomplete = false;  // data was lost during the recording
  bool live = false;        // never finished: orders extend to the end of the file, the rest is in spools
  section metadata;
  section orders;
  section keyframes;
  section events;
  section signature;
  section voice;
  section embedded;
  std::uint64_t total_ticks = 0;  // the highest tick + 1
  digest final_state_hash{};      // after the last tick; zeros: unknown
  std::uint32_t lost_frame_count = 0;
  bool operator==(const file_header&) const = default;
};

inline constexpr std::size_t header_bytes = 108;

[[nodiscard]] std::array<std::byte, header_bytes> to_bytes(const file_header& header) noexcept;

// truncated, bad_magic, unsupported_version, unsupported_codec (both with the number), malformed for flags
// without a meaning. Sections are not checked.
[[nodiscard]] result<file_header> read_header(byte_span file) noexcept;

// The offset of the first byte after all sections. A file that is not live ends there; later bytes are not part of it.
[[nodiscard]] std::uint64_t end_of_sections(const file_header& header) noexcept;

}  // namespace tickreel::icrep
