// Assembles component bytes from slots.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "tickreel/icrep/schema.hpp"

namespace tickreel::icrep {

inline void append_slots(byte_vector& out, std::uint64_t mask, const slot_spans& slots) {
  for (; mask != 0; mask &= mask - 1) {
    const byte_span slot = slots[static_cast<std::size_t>(std::countr_zero(mask))];
    out.insert(out.end(), slot.begin(), slot.end());
  }
}

// The slots of `mask` in which the two differ.
[[nodiscard]] inline std::uint64_t differing_slots(std::uint64_t mask, const slot_spans& a,
                                                   const slot_spans& b) noexcept {
  std::uint64_t differing = 0;
  for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto slot = static_cast<std::size_t>(std::countr_zero(rest));
    if (!std::ranges::equal(a[slot], b[slot])) differing |= std::uint64_t{1} << slot;
  }
  return differing;
}

}  // namespace tickreel::icrep
