// Sizes of a layout's slots, checked on the game's thread: bytes of a wrong size would cost a whole keyframe.
#pragma once

#include <array>
#include <vector>

#include "tickreel/game/world_recorder.hpp"

namespace tickreel::game {

class slot_sizes {
 public:
  explicit slot_sizes(const std::vector<slot_layout>& known) noexcept {
    sizes_.fill(unknown);
    for (const slot_layout& one : known) {
      if (one.slot.slot < sizes_.size()) sizes_[one.slot.slot] = one.slot.size_bytes;
    }
  }
  [[nodiscard]] bool takes(std::uint32_t slot, std::size_t bytes) const noexcept {
    if (slot >= sizes_.size() || sizes_[slot] == unknown) return false;
    return sizes_[slot] == 0 ? bytes <= icrep::limits{}.snapshot_bytes : bytes == sizes_[slot];
  }

 private:
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};
  std::array<std::uint32_t, 64> sizes_;
};

}  // namespace tickreel::game
