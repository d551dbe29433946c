// Errors of read values relative to the recorded ones.
#pragma once

#include <cstddef>
#include <span>

#include "tickreel/echo/state.hpp"

namespace tickreel::bench {

struct deviation {
  double sum = 0;
  double max = 0;
  std::size_t count = 0;

  void add(double value) noexcept;
  void add(const deviation& other) noexcept;
  [[nodiscard]] double mean() const noexcept { return count == 0 ? 0 : sum / static_cast<double>(count); }
};

struct accuracy {
  deviation position_mm;   // heads, bodies, hands
  deviation rotation_deg;  // of the same
  deviation disc_position_mm;
  deviation bone_position_mm;
  deviation bone_rotation_deg;
  std::size_t unmatched = 0;  // players or bones that are in only one of the two

  void add(const accuracy& other) noexcept;
};

[[nodiscard]] accuracy compare(const echo::state& recorded, const echo::state& read);
// Frame by frame; frames that only one side has count as unmatched.
[[nodiscard]] accuracy compare(std::span<const echo::state> recorded, std::span<const echo::state> read);

}  // namespace tickreel::bench
