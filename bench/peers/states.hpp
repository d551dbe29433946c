// The ticks that are recorded: described structs as games have them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "../support/worlds.hpp"
#include "tickreel/describe/declare.hpp"

namespace tickreel::bench {

// 8 kB, of which every player moves.
using shooter_state = world_state<128>;
// 320 kB, of which 1 % changes.
using strategy_state = world_state<5'000>;

struct body {
  std::array<float, 3> position{}, velocity{}, spin{};  // m, m/s, rad/s in the body's own axes
  std::array<float, 4> rotation{0, 0, 0, 1};            // x, y, z, w
};
TICKREEL_DESCRIBE(body, position, velocity, spin, rotation);

// 104 kB: rigid bodies that fall, bounce and turn, all of them in every tick.
struct physics_state {
  static constexpr std::size_t count = 2'000;
  std::array<body, count> bodies{};
};
TICKREEL_DESCRIBE(physics_state, bodies);

// The same with the declarations that docs/recording-structs.md recommends.
struct declared_body {
  std::array<float, 3> position{}, velocity{}, spin{};
  std::array<float, 4> rotation{0, 0, 0, 1};
};
TICKREEL_DESCRIBE(declared_body, position, velocity, spin, rotation);
TICKREEL_DECLARE(declared_body, (position, tolerance(0.0005), integral_of("velocity", 60), unit_name("m")),
                 (velocity, tolerance(0.005), unit_name("m/s")), (spin, tolerance(0.005), unit_name("rad/s")),
                 (rotation, tolerance(0.0005), rotation));
struct declared_physics_state {
  std::array<declared_body, physics_state::count> bodies{};
};
TICKREEL_DESCRIBE(declared_physics_state, bodies);

// The same bits on every machine.
[[nodiscard]] std::vector<shooter_state> shooter_states(std::size_t ticks);
[[nodiscard]] std::vector<strategy_state> strategy_states(std::size_t ticks);
[[nodiscard]] std::vector<physics_state> physics_states(std::size_t ticks);

}  // namespace tickreel::bench
