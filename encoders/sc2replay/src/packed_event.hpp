// What game events and messages have in common.
#pragma once

#include "tickreel/sc2replay/interpret.hpp"

namespace tickreel::sc2replay {

// Selector 0 to 3: 6, 14, 22 or 32 bits follow.
inline std::uint32_t read_tick_delta(packed_reader& from) noexcept {
  static constexpr unsigned widths[] = {6, 14, 22, 32};
  return static_cast<std::uint32_t>(from.bits(widths[from.bits(2)]));
}

}  // namespace tickreel::sc2replay
