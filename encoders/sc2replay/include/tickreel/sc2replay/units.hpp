// Positions, units and times of all events of a replay.
#pragma once

#include <compare>
#include <cstdint>

namespace tickreel::sc2replay {

// In map units: one is a quarter of a small building's size, and the unit of the map editor. Exact: the
// game's own numbers are whole 4096ths or 256ths.
struct map_point {
  double x = 0;
  double y = 0;
  friend bool operator==(const map_point&, const map_point&) = default;
};

// The identity of a unit: its index in the game's table, and the number of reuses of that index. One number
// in game events, two in tracker events.
struct unit_tag {
  std::uint32_t value = 0;

  static constexpr unsigned recycle_bits = 18;
  static constexpr unit_tag of(std::uint32_t index, std::uint32_t recycle) noexcept {
    return {index << recycle_bits | (recycle & ((1u << recycle_bits) - 1))};
  }
  [[nodiscard]] constexpr std::uint32_t index() const noexcept { return value >> recycle_bits; }
  [[nodiscard]] constexpr std::uint32_t recycle() const noexcept {
    return value & ((1u << recycle_bits) - 1);
  }
  friend constexpr auto operator<=>(const unit_tag&, const unit_tag&) = default;
};

// Steps per map unit of each kind of coordinate.
inline constexpr double point_scale = 4096;  // targets of commands, pings
// Cameras from base build 15405 on; the beta's are points.
inline constexpr double camera_scale = 256;
inline constexpr std::uint32_t first_base_build_of_fine_tracker_places = 27950;

// The factor from a tracker event's coordinate to map units.
[[nodiscard]] constexpr int tracker_scale(std::uint32_t base_build) noexcept {
  return base_build < first_base_build_of_fine_tracker_places ? 4 : 1;
}

}  // namespace tickreel::sc2replay
