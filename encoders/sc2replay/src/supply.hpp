// The supply that a player uses between two samples of it, from what began and died since.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tickreel/sc2replay/statistics.hpp"

namespace tickreel::sc2replay {

// Of a unit of melee games in loops of game time; a type that is not known uses none.
struct unit_supply {
  std::string_view type;
  double supply = 0;
  std::uint32_t training_ticks = 0;  // in a building, without chrono boost; 0: it comes another way
};
[[nodiscard]] unit_supply supply_of(std::string_view type) noexcept;

class supply_timeline {
 public:
  void add(std::uint64_t tick, double supply);
  // Nothing is added any more.
  void finish();
  // Right before what happens in `tick`: the last sample until then, which is exact, and what changed since.
  // Before the first sample what was there at the start; 0 without any sample.
  [[nodiscard]] double before(std::uint64_t tick, std::span<const economy_sample> samples) const noexcept;

 private:
  struct change {
    std::uint64_t tick = 0;
    double sum = 0;  // of all until and with this one, once finished
  };
  [[nodiscard]] double sum_before(std::uint64_t tick) const noexcept;
  std::vector<change> changes_;
};

}  // namespace tickreel::sc2replay
