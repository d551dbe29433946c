// State for a live recording: each of its ticks is scanned once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "tickreel/files/recording.hpp"
#include "timeline.hpp"

namespace tickreel::viewer {

struct live_watch {
  static constexpr std::uint32_t points = 4000;

  explicit live_watch(std::unique_ptr<files::recording> of)
      : scanned(std::move(of)), line(points, presentation_of(*scanned).has_sparse_ticks) {}

  // Adds the new part, and scans it.
  result<files::growth> look();

  std::unique_ptr<files::recording> scanned;  // in addition to the one that seeks
  timeline line;
  std::optional<files::summary> about;
  std::optional<files::tick_position> first;
  std::optional<files::tick_position> last;
  // Not returned before.
  std::string events;
  bool too_many_events = false;
};

}  // namespace tickreel::viewer
