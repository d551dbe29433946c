// Follows each user's selection and control groups, which deltas and masks refer to.
#pragma once

#include <array>
#include <vector>

#include "tickreel/sc2replay/game_actions.hpp"

namespace tickreel::sc2replay {

class selection_tracker {
 public:
  // The units that joined and left the active selection. Valid until the next call.
  struct difference {
    std::vector<unit_tag> added;
    std::vector<unit_tag> removed;
    [[nodiscard]] bool any() const noexcept { return !added.empty() || !removed.empty(); }
  };

  // Null if the active selection did not change.
  const difference* apply(std::uint8_t user, const selection_delta& delta);
  const difference* apply(std::uint8_t user, const control_group_update& update);

  // The number of events with units that the tracked selection lacks: `removed` may be wrong from there until
  // the user's next selection.
  [[nodiscard]] std::uint64_t contradictions() const noexcept { return contradictions_; }

 private:
  using units = std::vector<std::uint32_t>;  // ascending values of unit_tag
  using groups = std::array<units, 16>;

  [[nodiscard]] units without(const units& from, const selection_mask& mask);
  void add(units& to, std::span<const std::uint32_t> more);
  const difference* changed(const units& before, const units& after);

  std::array<groups, 32> users_;
  difference difference_;
  std::uint64_t contradictions_ = 0;
};

}  // namespace tickreel::sc2replay
