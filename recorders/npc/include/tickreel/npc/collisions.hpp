// Who of a script's actors is in somebody else's way.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tickreel/npc/script.hpp"
#include "tickreel/npc/timeline.hpp"

namespace tickreel::npc {

// The nearest that two actors come to each other in one stretch of time in which they touch.
struct collision {
  std::uint32_t first = 0;  // numbers of the actors
  std::uint32_t second = 0;
  double from_s = 0;
  double to_s = 0;
  vec3 where;             // of the first, when they are nearest
  double distance_m = 0;  // between their middles
};

struct collision_options {
  double step_s = 0.1;
  std::size_t most = 100;  // how many are told
  // So many positions, neighbours of them and open collisions are looked at; what is behind is left out, and
  // `complete` says so.
  std::uint64_t looks = 20'000'000;
  std::function<bool()> cancelled = {};  // true: give up, which `complete` says, too
};

struct collision_report {
  std::vector<collision> found;  // by time
  bool complete = true;
};

// Actors are taken for upright cylinders as wide as the mean of length and width of their kind. Time in
// proportion to actors, those near them, and time, up to `looks`.
[[nodiscard]] collision_report collisions_of(std::span<const plan* const> parts,
                                             std::span<const timeline> when,
                                             const collision_options& options = {});

}  // namespace tickreel::npc
