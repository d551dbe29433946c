// What each user has selected and what his control groups hold: deltas and masks mean nothing without it.
#pragma once

#include <array>
#include <vector>

#include "tickreel/sc2replay/game_actions.hpp"

namespace tickreel::sc2replay {

class selection_tracker {
 public:
  // What came to and went from the active selection. Valid until the next call.
  struct difference {
    std::vector<unit_tag> added;
    std::vector<unit_tag> removed;
    [[nodiscard]] bool any() const noexcept { return !added.empty() || !removed.empty(); }
  };

  // Null when the active selection stayed as it was.
  const difference* apply(std::uint8_t user, const selection_delta& delta);
  const difference* apply(std::uint8_t user, const control_group_update& update);

  // How often an event spoke of units that the selection followed here does not have: `removed` may be
  // wrong from there until the user selects anew.
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
