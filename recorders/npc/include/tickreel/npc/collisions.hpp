// Finds actors of a script that collide.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tickreel/npc/script.hpp"
#include "tickreel/npc/timeline.hpp"

namespace tickreel::npc {

// The closest approach of two actors within one period of contact.
struct collision {
  std::uint32_t first = 0;  // numbers of the actors
  std::uint32_t second = 0;
  double from_s = 0;
  double to_s = 0;
  vec3 where;             // of the first actor, at the closest approach
  double distance_m = 0;  // between their centres
};

struct collision_options {
  double step_s = 0.1;
  std::size_t most = 100;  // maximum number of reported collisions
  // Limit of examined positions, neighbours and open collisions; if it is reached, `complete` is false.
  std::uint64_t looks = 20'000'000;
  std::function<bool()> cancelled = {};  // true: cancel, which also makes `complete` false
};

struct collision_report {
  std::vector<collision> found;  // by time
  bool complete = true;
};

// Actors are upright cylinders as wide as the mean of length and width of their kind. Time is proportional to
// actors, their neighbours and duration, up to `looks`.
[[nodiscard]] collision_report collisions_of(std::span<const plan* const> parts,
                                             std::span<const timeline> when,
                                             const collision_options& options = {});

}  // namespace tickreel::npc
