// The sections of an .icrep, one after the other, from the reel of a match.
#pragma once

#include <cstddef>
#include <cstdint>

#include "match_parts.hpp"
#include "publish_match.hpp"
#include "tickreel/icrep/header.hpp"

namespace tickreel::game {

// Where a file is laid out.
class layout_target {
 public:
  virtual ~layout_target() = default;
  [[nodiscard]] virtual result<void> append(byte_span bytes) = 0;
  [[nodiscard]] virtual result<void> overwrite(byte_span bytes, std::uint64_t offset) = 0;
  // That it takes, no more than the offsets of a file reach.
  [[nodiscard]] virtual std::uint64_t most_bytes() const noexcept { return UINT32_MAX; }
};

// What the end may add to metadata.
inline constexpr std::size_t metadata_reserve_bytes = 4096;

// Lays out one part of the match. over_limit, with the offset in the reel, as soon as it is known that the
// target will not take it all, and where links of keyframes cost more than chain_limits. `facts`: of the
// beginning, with what was described since if the match was not ended. Reads the reel several times; in
// memory are 33 bytes a keyframe.
[[nodiscard]] result<published_match> lay_out_match(reel::reader& from, const icrep::metadata& facts,
                                                    const match_part& part, layout_target& to,
                                                    const publish_progress& progress);

}  // namespace tickreel::game
