// What moves is written ahead of where it is, so that it stays within its tolerance for longer.
#pragma once

#include <array>
#include <cmath>
#include <utility>

#include "rounding.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::butter {

// Where motion leads that goes on as it did from the last tick to this one. Where a tick's motion is twice
// the limit or more, no value serves two ticks, and nothing leads.
class lead {
 public:
  lead(float share, float limit) noexcept : reach_(share * limit), useful_square_(4 * limit * limit) {}

  [[nodiscard]] echo::vec3 ahead(const echo::vec3& now, const echo::vec3& before) const noexcept {
    const echo::vec3 way = now - before;
    const float share = share_of(square(way));
    return share > 0 ? plus(now, way, share) : now;
  }

  // How far ahead, where the square of a tick's motion is below useful_square().
  [[nodiscard]] float reach() const noexcept { return reach_; }
  [[nodiscard]] float useful_square() const noexcept { return useful_square_; }

  // The axes only, which then have neither unit length nor a right angle between them. False where it does
  // not lead.
  [[nodiscard]] bool ahead(const echo::pose& now, const std::pair<echo::vec3, echo::vec3>& before_axes,
                           echo::pose& target) const noexcept {
    const echo::vec3 forward_way = now.forward - before_axes.first;
    const echo::vec3 up_way = now.up - before_axes.second;
    const float share = share_of(square(forward_way) + square(up_way));
    if (!(share > 0)) return false;
    target = now;
    target.forward = plus(now.forward, forward_way, share);
    target.up = plus(now.up, up_way, share);
    return true;
  }

 private:
  [[nodiscard]] static echo::vec3 plus(const echo::vec3& from, const echo::vec3& way, float share) noexcept {
    return {from.x + share * way.x, from.y + share * way.y, from.z + share * way.z};
  }
  // How much of a tick's motion to add. None for NaN.
  [[nodiscard]] float share_of(float way_square) const noexcept {
    return way_square > 0 && way_square < useful_square_ ? reach_ / std::sqrt(way_square) : 0.0f;
  }

  float reach_;
  float useful_square_;
};

// What an encoder that leads must know of the tick before: forward and up of each pose, and the bones.
struct lead_memory {
  using axes = std::array<std::pair<echo::vec3, echo::vec3>, 4>;

  std::array<axes, echo::max_players> poses[2];  // in the order of the players of each of two frames
  std::array<echo::bone_player, echo::max_players> bones;
};

}  // namespace tickreel::butter
