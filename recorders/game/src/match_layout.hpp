// Writes the sections of an .icrep from the reel of a match.
#pragma once

#include <cstddef>
#include <cstdint>

#include "match_parts.hpp"
#include "publish_match.hpp"
#include "tickreel/icrep/header.hpp"

namespace tickreel::game {

// The destination of a file.
class layout_target {
 public:
  virtual ~layout_target() = default;
  [[nodiscard]] virtual result<void> append(byte_span bytes) = 0;
  [[nodiscard]] virtual result<void> overwrite(byte_span bytes, std::uint64_t offset) = 0;
  // Its capacity, at most the range of the file's offsets.
  [[nodiscard]] virtual std::uint64_t max_bytes() const noexcept { return UINT32_MAX; }
};

// The bytes that the end may add to metadata.
inline constexpr std::size_t metadata_reserve_bytes = 4096;

// Writes one part of the match. over_limit, with the offset in the reel, as soon as the target's capacity is
// known to be exceeded, and if links of keyframes exceed chain_limits. `facts`: of the beginning, with later
// descriptions if the match was not ended. Reads the reel several times; memory: 33 bytes per keyframe.
[[nodiscard]] result<published_match> write_match(reel::reader& from, const icrep::metadata& facts,
                                                  const match_part& part, layout_target& to,
                                                  const publish_progress& progress);

}  // namespace tickreel::game
