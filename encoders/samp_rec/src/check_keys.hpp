// Compares keys with the speed. Only lasting contradictions count: players press a key before they move, roll
// after they release it, and run against walls.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "tickreel/samp_rec/motion.hpp"
#include "tickreel/samp_rec/on_foot.hpp"
#include "tickreel/samp_rec/vehicle.hpp"

namespace tickreel::samp_rec::detail {

// A condition that must last.
class sustained {
 public:
  // True once, when the condition has been true for `span_ms`; again only after it was false.
  bool held(bool condition, std::uint32_t time_ms, std::uint32_t span_ms) noexcept {
    if (!condition || time_ms < since_ms_) {
      active_ = reported_ = false;
      since_ms_ = time_ms;
      if (!condition) return false;
    }
    if (!active_) {
      active_ = true;
      since_ms_ = time_ms;
    }
    if (reported_ || time_ms - since_ms_ < span_ms) return false;
    reported_ = true;
    return true;
  }
  [[nodiscard]] bool active() const noexcept { return active_; }

 private:
  std::uint32_t since_ms_ = 0;
  bool active_ = false;
  bool reported_ = false;
};

struct wrong_keys {
  const char* detail = nullptr;  // null: no finding
  double measured = 0;           // m/s
  double limit = 0;
};

template <class Block>
class key_watch;

template <>
class key_watch<on_foot_block> {
 public:
  // `speed` and `rising` in m/s.
  wrong_keys look(const on_foot_block& block, double speed, double rising, std::uint32_t span_ms) noexcept {
    const bool pressed = block.left_right != 0 || block.up_down != 0;
    const bool walks = holds(block.keys, key::walk), sprints = holds(block.keys, key::sprint);
    // Fighting, falling, flying, dancing and carried players have other speeds.
    const bool plain =
        (block.keys & (key::aim | key::crouch | key::fire | key::jump | key::enter_exit)) == 0 &&
        block.special_action == 0 && block.surf_id == 0 && std::abs(rising) < 1;
    const bool moves = speed > creep_m_per_s;
    const std::uint32_t now = block.time_ms;
    wrong_keys wrong;
    const auto rule = [&](sustained& state, bool condition, std::uint32_t span, const char* detail,
                          double limit) {
      if (state.held(plain && condition, now, span)) wrong = {detail, speed, limit};
    };
    rule(glides_, !pressed && speed > glide_m_per_s, span_ms, "moves without a key pressed", glide_m_per_s);
    rule(on_the_spot_, pressed && speed < still_m_per_s, 3 * span_ms, "walks on the spot", still_m_per_s);
    rule(too_fast_walk_, pressed && walks && speed > walk_most, span_ms, "too fast for the walk key",
         walk_most);
    rule(too_fast_run_, pressed && !walks && !sprints && speed > run_most, span_ms,
         "too fast without the sprint key", run_most);
    rule(too_slow_run_, pressed && !walks && !sprints && moves && speed < run_least, span_ms,
         "too slow without the walk key", run_least);
    rule(too_fast_sprint_, pressed && !walks && sprints && speed > sprint_most, span_ms,
         "faster than players sprint", sprint_most);
    rule(too_slow_sprint_, pressed && !walks && sprints && moves && speed < sprint_least, span_ms,
         "too slow for the sprint key", sprint_least);
    return wrong;
  }

 private:
  // Limits around measured values: walking 1.4 to 1.9 m/s, running 4.1 to 6.1, sprinting 3.8 to 6.3; no
  // player exceeds 9 m/s for half a second.
  static constexpr double still_m_per_s = 0.02, creep_m_per_s = 0.3, glide_m_per_s = 1;
  static constexpr double walk_most = 2.6, run_least = 1.9, run_most = 6.4, sprint_least = 3, sprint_most = 9;

  sustained glides_, on_the_spot_, too_fast_walk_, too_fast_run_, too_slow_run_, too_fast_sprint_,
      too_slow_sprint_;
};

template <>
class key_watch<vehicle_block> {
 public:
  wrong_keys look(const vehicle_block& block, double speed, double, std::uint32_t span_ms) noexcept {
    const bool drives =
        (block.keys & (key::sprint | key::jump | key::aim | key::analogue_up | key::analogue_down)) != 0 ||
        block.up_down != 0;
    const bool accelerates =
        holds(block.keys, key::sprint) && !holds(block.keys, key::jump) && !holds(block.keys, key::aim);
    const double height = static_cast<double>(block.position_m.z);
    const bool rolls = !drives && speed > roll_m_per_s;
    if (rolls && !rolls_.active()) {
      roll_from_m_per_s_ = speed;
      roll_from_height_m_ = height;
    }
    // Rolling reduces speed, also for trains and aircraft, unless it goes downhill.
    if (rolls_.held(rolls, block.time_ms, 5 * span_ms) && speed > roll_from_m_per_s_ - roll_loss_m_per_s &&
        height > roll_from_height_m_ - roll_fall_m) {
      return {"keeps its speed without accelerating", speed, roll_from_m_per_s_ - roll_loss_m_per_s};
    }
    if (stands_.held(accelerates && speed < still_m_per_s, block.time_ms, 3 * span_ms)) {
      return {"stands with the accelerator held", speed, still_m_per_s};
    }
    // The same key reverses, and lets helicopters sink.
    const bool brakes = holds(block.keys, key::jump) && !holds(block.keys, key::sprint) &&
                        speed > roll_m_per_s && goes_ahead(block);
    if (!brakes || !brakes_.active() || speed < brake_from_m_per_s_ - roll_loss_m_per_s) {
      brake_from_m_per_s_ = speed;
      brake_from_height_m_ = height;
      brakes_ = {};
    }
    if (brakes_.held(brakes && height > brake_from_height_m_ - brake_fall_m, block.time_ms, 2 * span_ms)) {
      return {"keeps its speed with the brake held", speed, brake_from_m_per_s_ - roll_loss_m_per_s};
    }
    return {};
  }

 private:
  static bool goes_ahead(const vehicle_block& block) noexcept {
    const vector3 nose = forward_of(block.rotation), way = block.velocity_m_per_20ms;
    return nose.x * way.x + nose.y * way.y + nose.z * way.z > 0;
  }

  static constexpr double brake_fall_m = 0.5;
  static constexpr double roll_m_per_s = 5, roll_loss_m_per_s = 0.25, roll_fall_m = 2, still_m_per_s = 0.05;

  sustained rolls_, stands_, brakes_;
  double roll_from_m_per_s_ = 0, roll_from_height_m_ = 0;
  double brake_from_m_per_s_ = 0, brake_from_height_m_ = 0;
};

}  // namespace tickreel::samp_rec::detail
