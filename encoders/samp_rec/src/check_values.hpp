// Values of single blocks without a meaning in the game, or that no player can have.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "check_keys.hpp"
#include "tickreel/samp_rec/check.hpp"

namespace tickreel::samp_rec::detail {

struct odd_value {
  const char* detail = nullptr;  // null: no finding
  double measured = 0;
  double limit = 0;
};

// The axes of all recorded blocks are within this.
inline constexpr int max_axis = 128;
// The game gives a player at most 176; higher values come from a server.
inline constexpr std::uint8_t max_player_health = 200;
// Vehicles have 1000; servers give theirs more so that they last longer.
inline constexpr float max_vehicle_health = 1e6f;

inline odd_value odd_value_of(const on_foot_block& block) noexcept {
  if (block.special_action != 0 && name(static_cast<special_action>(block.special_action)).empty())
    return {"there is no such special action", static_cast<double>(block.special_action), 68};
  if (block.health > max_player_health)
    return {"more health than a player has", static_cast<double>(block.health), max_player_health};
  // 0xffff is the servers' number for none.
  if (block.surf_id != 0xffff && block.surf_id != 0 && surface_of(block.surf_id).kind == surface_kind::none)
    return {"the surface id does not exist", static_cast<double>(block.surf_id), 3999};
  if (block.animation_id > animation::last_id)
    return {"there is no such animation", static_cast<double>(block.animation_id), animation::last_id};
  if (std::abs(int{block.left_right}) > max_axis || std::abs(int{block.up_down}) > max_axis)
    return {"a key axis beyond its end",
            static_cast<double>(std::max(std::abs(int{block.left_right}), std::abs(int{block.up_down}))),
            max_axis};
  return {};
}

inline odd_value odd_value_of(const vehicle_block& block) noexcept {
  if (block.driver_health > max_player_health)
    return {"more health than a player has", static_cast<double>(block.driver_health), max_player_health};
  // NaN is also unusual.
  if (!(std::abs(block.vehicle_health) <= max_vehicle_health))
    return {"a vehicle's health out of range", static_cast<double>(block.vehicle_health),
            static_cast<double>(max_vehicle_health)};
  if (block.siren > 1) return {"a siren is on (1) or off (0)", static_cast<double>(block.siren), 1};
  if (block.landing_gear > 1)
    return {"a gear is up (1) or down (0)", static_cast<double>(block.landing_gear), 1};
  if (std::abs(int{block.left_right}) > max_axis || std::abs(int{block.up_down}) > max_axis)
    return {"a key axis beyond its end",
            static_cast<double>(std::max(std::abs(int{block.left_right}), std::abs(int{block.up_down}))),
            max_axis};
  return {};
}

// Reports each unusual value once while it lasts; another one is a separate finding.
template <class Block>
class odd_value_watch {
 public:
  odd_value look(const Block& block) noexcept {
    const odd_value found = odd_value_of(block);
    if (found.detail != last_detail_) odd_ = {};
    last_detail_ = found.detail;
    return odd_.held(found.detail != nullptr, block.time_ms, 0) ? found : odd_value{};
  }

 private:
  sustained odd_;
  const char* last_detail_ = nullptr;
};

inline std::uint8_t health_of(const on_foot_block& block) noexcept {
  return block.health;
}
inline std::uint8_t health_of(const vehicle_block& block) noexcept {
  return block.driver_health;
}

// Lasting states: a dead player does not move, and a burning vehicle soon explodes.
template <class Block>
class life_watch {
 public:
  // `speed` in m/s.
  odd_value look(const Block& block, double speed, std::uint32_t span_ms) noexcept {
    constexpr double moving_m_per_s = 0.5;
    if (dead_.held(health_of(block) == 0 && speed > moving_m_per_s, block.time_ms, span_ms))
      return {"moves on with no health left", 0, 1};
    if constexpr (requires { block.vehicle_health; }) {
      // A burning vehicle explodes after about five seconds.
      constexpr double burns_below = 250;
      constexpr std::uint32_t burns_ms = 10'000;
      const auto health = static_cast<double>(block.vehicle_health);
      if (burning_.held(health < burns_below && speed > moving_m_per_s, block.time_ms, burns_ms))
        return {"drives on while it burns", health, burns_below};
    }
    return {};
  }

 private:
  sustained dead_, burning_;
};

// Detects a climb along the nose at a slope that wheels cannot hold, slower than wings need. Helicopters
// climb level.
class slope_watch {
 public:
  // Velocity in m/s; `ahead` is the share of it along the nose. The slope in degrees if it is too steep for
  // too long, otherwise 0.
  double look(double speed, double rising, double ahead, std::uint32_t time_ms,
              std::uint32_t span_ms) noexcept {
    constexpr double from_m_per_s = 1, wings_m_per_s = 25, along_the_nose = 0.85;
    const double slope =
        speed > from_m_per_s ? std::asin(std::min(1.0, rising / speed)) * (180 / 3.141592653589793) : 0;
    const bool steep = slope > steepest_degrees && ahead > along_the_nose && speed < wings_m_per_s;
    return steep_.held(steep, time_ms, span_ms) ? slope : 0;
  }
  static constexpr double steepest_degrees = 50;

 private:
  sustained steep_;
};

}  // namespace tickreel::samp_rec::detail
