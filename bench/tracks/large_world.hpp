// 10,000 units of 28 bytes, of which 100 change per tick, as record<T>() records them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "../support/program.hpp"
#include "tickreel/tickreel.hpp"

namespace tickreel::bench {

struct light_unit {
  std::int32_t x = 0, y = 0, z = 0;
  std::uint16_t heading = 0, kind = 0;
  std::int32_t health = 100;
  std::uint32_t owner = 0, id = 0;
};
TICKREEL_DESCRIBE(light_unit, x, y, z, heading, kind, health, owner, id);
struct light_units {
  std::array<light_unit, 10'000> all{};
};
TICKREEL_DESCRIBE(light_units, all);
static_assert(component_size<light_units> == 280'000);

class light_world {
 public:
  light_world();
  // 100 units, chosen at random, move by a constant and have a random health.
  const light_units& next();
  // Those units, in no order and possibly twice.
  [[nodiscard]] const std::vector<std::size_t>& changed() const noexcept { return changed_; }
  // The information in that: which units, without their order, and the health of each.
  [[nodiscard]] static double bound_bytes() noexcept;

 private:
  std::mt19937_64 random_{20220716};
  std::unique_ptr<light_units> now_;
  std::vector<std::size_t> changed_;
};

// Bytes, the writer's time, and ticks at random, of that world and of worlds.hpp's.
void measure_large_worlds(program& self);
// push_changes() compared with push(), alternately: the first world, on the game's thread.
void measure_pushed_changes(program& self);

}  // namespace tickreel::bench
