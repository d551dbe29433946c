// The supply of a player between two samples, from the units that began and died since.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tickreel/sc2replay/statistics.hpp"

namespace tickreel::sc2replay {

// Of a unit of melee games in loops of game time; an unknown type uses none.
struct unit_supply {
  std::string_view type;
  double supply = 0;
  std::uint32_t training_ticks = 0;  // in a building, without chrono boost; 0: not trained
};
[[nodiscard]] unit_supply supply_of(std::string_view type) noexcept;

class supply_timeline {
 public:
  void add(std::uint64_t tick, double supply);
  // Ends the input.
  void finish();
  // Just before the events of `tick`: the last sample before it, which is exact, and the changes since.
  // Before the first sample the value at the start; 0 without any sample.
  [[nodiscard]] double before(std::uint64_t tick, std::span<const economy_sample> samples) const noexcept;

 private:
  struct change {
    std::uint64_t tick = 0;
    double sum = 0;  // of all up to and including this one, once finished
  };
  [[nodiscard]] double sum_before(std::uint64_t tick) const noexcept;
  std::vector<change> changes_;
};

}  // namespace tickreel::sc2replay
