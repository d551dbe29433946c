// What is told of a recording that is still being written: each of its ticks is walked once.
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
      : walked(std::move(of)), line(points, presentation_of(*walked).has_sparse_ticks) {}

  // Takes in what came, and walks it.
  result<files::growth> look();

  std::unique_ptr<files::recording> walked;  // beside the one that is sought in
  timeline line;
  std::optional<files::summary> about;
  std::optional<files::tick_position> first;
  std::optional<files::tick_position> last;
  // That nobody has asked for yet.
  std::string events;
  bool too_many_events = false;
};

}  // namespace tickreel::viewer
