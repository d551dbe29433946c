// Writes moving values ahead of their position, so that they stay within their tolerance for longer.
#pragma once

#include <array>

#include "tickreel/echo/state.hpp"

namespace tickreel::butter {

// The distance: a value that continues to move as in the last tick is written as it will be after `reach`
// more ticks. If a tick's motion is twice the limit or more, no value serves two ticks, and leading is off.
class lead {
 public:
  lead(float share, float limit) noexcept : reach_(share * limit), useful_square_(4 * limit * limit) {}

  // If the square of a tick's motion is below useful_square(), and more than 0.
  [[nodiscard]] float reach() const noexcept { return reach_; }
  [[nodiscard]] float useful_square() const noexcept { return useful_square_; }

 private:
  float reach_;
  float useful_square_;
};

// An input within this distance of a decoder's value is that value, and is kept. In square metres, and as the
// square of an angle's sine.
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

// The data of the previous tick that leading needs.
struct lead_memory {
  std::array<pose_axes, echo::max_players> poses[2];  // in the order of the players of each of two frames
  std::array<echo::bone_player, echo::max_players> bones;
};

}  // namespace tickreel::butter
