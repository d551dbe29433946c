#include "tickreel/samp_rec/fault.hpp"

#include <cmath>

namespace tickreel::samp_rec {

namespace {

bool is_unit(double size) noexcept {
  return std::abs(size - 1) <= rotation_length_tolerance;
}
bool rotation_fits(const vehicle_block& block) noexcept {
  return is_unit(length(block.rotation));
}
bool rotation_fits(const on_foot_block& block) noexcept {
  return is_unit(length(block.rotation));
}
bool rotation_fits(const legacy_on_foot_block& block) noexcept {
  return block.heading_degrees >= -360 && block.heading_degrees <= 720;
}
bool rotation_fits(const legacy_vehicle_block& block) noexcept {
  return is_unit(length(block.right)) && is_unit(length(block.forward));
}

bool extras_are_finite(const vehicle_block& block) noexcept {
  return std::isfinite(block.vehicle_health);
}
bool extras_are_finite(const legacy_vehicle_block& block) noexcept {
  return std::isfinite(block.vehicle_health);
}
bool extras_are_finite(const on_foot_block& block) noexcept {
  return is_finite(block.surf_offset_m);
}
bool extras_are_finite(const legacy_on_foot_block& block) noexcept {
  return is_finite(block.surf_offset_m);
}

template <class Block>
block_fault fault_in(const Block& block) noexcept {
  if (!is_finite(block)) return block_fault::not_finite;
  if (!extras_are_finite(block)) return block_fault::extras_not_finite;
  if (length(block.position_m) > far_position_m) return block_fault::far_position;
  return rotation_fits(block) ? block_fault::none : block_fault::rotation;
}

}  // namespace

block_fault fault_of(const vehicle_block& block) noexcept {
  return fault_in(block);
}
block_fault fault_of(const on_foot_block& block) noexcept {
  return fault_in(block);
}
block_fault fault_of(const legacy_vehicle_block& block) noexcept {
  return fault_in(block);
}
block_fault fault_of(const legacy_on_foot_block& block) noexcept {
  return fault_in(block);
}

const char* sentence(block_fault fault) noexcept {
  switch (fault) {
    case block_fault::none:
      break;
    case block_fault::not_finite:
      return "block {}: position, rotation and velocity must be numbers";
    case block_fault::extras_not_finite:
      return "block {}: the vehicle's health, or the place on a surface, must be numbers";
    case block_fault::far_position:
      return "block {}: the position is farther than 20,000 m from the world's centre";
    case block_fault::rotation:
      return "block {}: the rotation's length is off 1 by more than 0.02";
  }
  return "";
}

}  // namespace tickreel::samp_rec
