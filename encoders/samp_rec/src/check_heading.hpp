// Compares where a body points with where it moves.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "check_keys.hpp"
#include "check_math.hpp"
#include "tickreel/samp_rec/check.hpp"

namespace tickreel::samp_rec::detail {

struct wrong_heading {
  const char* detail = nullptr;   // null: no finding
  std::optional<double> degrees;  // between both, if the body moves and has a heading
  double limit = 0;
};

template <class Block>
class heading_watch {
 public:
  // Velocity in m/s.
  wrong_heading look(const Block& block, way velocity, const check_options& options) noexcept {
    constexpr bool drives = std::is_same_v<Block, vehicle_block>;
    // If its projection on the ground plane is shorter, a body points up or down and has no heading.
    constexpr double flat_enough = 0.3;
    wrong_heading out;
    out.limit = drives ? options.vehicle_heading_degrees : options.on_foot_heading_degrees;
    // The projection of forward_of() on the ground plane.
    const quaternion q = block.rotation;
    const auto facing_x = static_cast<double>(2 * (q.x * q.y + q.w * q.z));
    const auto facing_y = static_cast<double>(1 - 2 * (q.x * q.x + q.z * q.z));
    const double ground_squared = squared(velocity.x) + squared(velocity.y);
    bool wrong = false;
    if (ground_squared > 1 && squared(facing_x) + squared(facing_y) > squared(flat_enough)) {
      const double across = facing_x * velocity.y - facing_y * velocity.x;
      const double along = facing_x * velocity.x + facing_y * velocity.y;
      const double off = angle_degrees(std::abs(across), along);
      out.degrees = off;
      if constexpr (drives) {
        // While reversing, the brake may be released, and the accelerator brakes.
        const bool backwards = off > 180 - out.limit;
        reverses_ = backwards && (reverses_ || holds(block.keys, key::jump) || block.up_down > 0);
        wrong =
            off > out.limit && ground_squared > squared(options.vehicle_heading_from_m_per_s) && !reverses_;
      } else {
        // An aiming player walks sideways; a falling or carried one does not walk.
        wrong = off > out.limit && ground_squared > squared(options.on_foot_heading_from_m_per_s) &&
                !holds(block.keys, key::aim) && std::abs(velocity.z) < 1 && block.surf_id == 0;
      }
    }
    const std::uint32_t span_ms = drives ? options.vehicle_heading_span_ms : options.on_foot_heading_span_ms;
    if (wrong_.held(wrong, block.time_ms, span_ms)) {
      out.detail = drives ? "moves another way than the vehicle points" : "walks another way than it faces";
    }
    return out;
  }

 private:
  sustained wrong_;
  bool reverses_ = false;
};

}  // namespace tickreel::samp_rec::detail
