// What moves is written ahead of where it is, so that it stays within its tolerance for longer.
#pragma once

#include <array>

#include "tickreel/echo/state.hpp"

namespace tickreel::butter {

// How far ahead: what goes on as it did from the last tick to this one is written where it will be after
// `reach` more. Where a tick's motion is twice the limit or more, no value serves two ticks, and nothing
// leads.
class lead {
 public:
  lead(float share, float limit) noexcept : reach_(share * limit), useful_square_(4 * limit * limit) {}

  // Where the square of a tick's motion is below useful_square(), and more than 0.
  [[nodiscard]] float reach() const noexcept { return reach_; }
  [[nodiscard]] float useful_square() const noexcept { return useful_square_; }

 private:
  float reach_;
  float useful_square_;
};

// What is written comes this near only to what a decoder gave: then it is that, and is kept. In square
// metres, and as the square of an angle's sine.
inline constexpr float written_place_square = 1e-12f;
inline constexpr float written_sine_square = 1e-9f;

// Forward and up of four poses, by component.
struct pose_axes {
  struct vectors {
    std::array<float, 4> x, y, z;
  };
  vectors forward;
  vectors up;
};

// What an encoder that leads must know of the tick before.
struct lead_memory {
  std::array<pose_axes, echo::max_players> poses[2];  // in the order of the players of each of two frames
  std::array<echo::bone_player, echo::max_players> bones;
};

}  // namespace tickreel::butter
