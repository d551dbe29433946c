// The losses that a file's metadata report: those of its recorder, and of later copies.
#pragma once

#include <cstdint>
#include <optional>

#include "tickreel/icrep/metadata.hpp"

namespace tickreel::icrep {

// A key of Tickreel: {"ticks", "keyframes", "events"}. Other readers ignore it.
inline constexpr const char* lost_metadata_key = "x_lost";

struct lost_content {
  std::uint64_t ticks = 0;
  std::uint64_t keyframes = 0;
  std::uint64_t events = 0;  // and voice packets; or whole blocks of them if their number is unknown
  [[nodiscard]] bool any() const noexcept { return ticks != 0 || keyframes != 0 || events != 0; }
  bool operator==(const lost_content&) const = default;
};

// Empty if the metadata do not contain it.
[[nodiscard]] std::optional<lost_content> lost_content_of(const metadata& facts);
// Replaces the reported losses.
void set_lost_content(metadata& facts, const lost_content& lost);

}  // namespace tickreel::icrep
