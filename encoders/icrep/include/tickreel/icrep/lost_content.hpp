// What a file says of its own losses, in its metadata: of its recorder, and of whoever made a copy since.
#pragma once

#include <cstdint>
#include <optional>

#include "tickreel/icrep/metadata.hpp"

namespace tickreel::icrep {

// A key of our own: {"ticks", "keyframes", "events"}. Other readers pass over it.
inline constexpr const char* lost_metadata_key = "x_lost";

struct lost_content {
  std::uint64_t ticks = 0;
  std::uint64_t keyframes = 0;
  std::uint64_t events = 0;  // and voice packets; or whole blocks of them, where nobody knows how many
  [[nodiscard]] bool any() const noexcept { return ticks != 0 || keyframes != 0 || events != 0; }
  bool operator==(const lost_content&) const = default;
};

// Nothing where the metadata do not say.
[[nodiscard]] std::optional<lost_content> lost_content_of(const metadata& facts);
// In place of what was said.
void set_lost_content(metadata& facts, const lost_content& lost);

}  // namespace tickreel::icrep
