// The first eight bytes of a SA-MP / open.mp NPC recording (.rec), and the limits of all readers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tickreel::samp_rec {

// The kind of a recording; the file contains the number.
enum class recording_kind : std::uint32_t {
  none = 0,  // only a header
  vehicle = 1,
  on_foot = 2,
};
[[nodiscard]] std::string_view name(recording_kind kind) noexcept;

// | offset | type | field                 |
// |      0 | u32  | version, 1000         |
// |      4 | u32  | recording_kind        |
// |      8 |      | blocks, 67 or 72 bytes each, to the end of the file; no count, no checksum |
struct file_header {
  static constexpr std::size_t wire_bytes = 8;
  static constexpr std::uint32_t samp_version = 1000;

  std::uint32_t version = samp_version;
  recording_kind kind = recording_kind::none;
  bool operator==(const file_header&) const = default;
};

struct limits {
  std::uint64_t file_bytes = 256u << 20;
  std::uint64_t blocks = 4'000'000;
};

}  // namespace tickreel::samp_rec
