// Derived events for a game's own world: what the rules of analysis/detector.hpp find in recorded states.
//
// Given to a recorder, events are found on the writer's thread while a match is recorded and written with the
// others; the metadata say which types are derived. derive_events() finds the same events in a file.
// Keyframes are the looks, so a match with a keyframe every tick is watched most closely; between keyframes
// unit_created, unit_destroyed and unit_position_sample events are.
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
  std::optional<analysis::player_stats> stats = {};  // nothing: counted by the detector
};

// How the detector sees a game's entities and players. Both functions run on the writer's thread and must
// depend on nothing but what they are given.
struct detection {
  analysis::detector_rules rules = {};
  // Nothing for an entity that does not matter.
  std::function<std::optional<analysis::observed_unit>(const world_view&, const icrep::entity_snapshot&)>
      unit = {};
  std::function<observed_player(const world_view&, const icrep::player_state&)> player = {};
};

// What a recorder with the same `how` would have written. Events that are marked as derived already are left
// out of the input.
[[nodiscard]] result<std::vector<analysis::event>> derive_events(const replay& from, const detection& how);

}  // namespace tickreel::game
