// Derived events of a game's own world: the rules of analysis/detector.hpp find them in recorded states.
// If a recorder has a detector, events are derived on the writer thread during the match and written with the
// others; the metadata list the derived types. derive_events() derives the same events from a file. The
// detector sees only keyframes, so a keyframe every tick gives the most exact events; between keyframes it
// uses unit_created, unit_destroyed and unit_position_sample events.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "tickreel/analysis/detector.hpp"
#include "tickreel/game/world_view.hpp"
#include "tickreel/result.hpp"

namespace tickreel::game {

class replay;

struct observed_camera {
  analysis::world_position viewport_center;
  std::uint16_t zoom_level = 0;
};
struct observed_player {
  std::optional<observed_camera> camera = {};
  std::optional<analysis::player_stats> stats = {};  // empty: counted by the detector
};

// Converts a game's entities and players to the detector's. Both functions run on the writer thread and must
// depend only on their arguments.
struct detection {
  analysis::detector_rules rules = {};
  // Empty for an entity that the detector ignores.
  std::function<std::optional<analysis::observed_unit>(const world_view&, const icrep::entity_snapshot&)>
      unit = {};
  std::function<observed_player(const world_view&, const icrep::player_state&)> player = {};
};

// The events that a recorder with the same `how` would have written. Events of the input that are marked as
// derived are ignored.
[[nodiscard]] result<std::vector<analysis::event>> derive_events(const replay& from, const detection& how);

}  // namespace tickreel::game
