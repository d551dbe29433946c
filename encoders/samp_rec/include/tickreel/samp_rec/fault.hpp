// What no block of a recording may hold: the one judgement of readers, which tell a file by it, and of
// writers, which refuse it. A file whose blocks have no fault is always recognised.
#pragma once

#include <cstdint>
#include <string_view>

#include "tickreel/samp_rec/block.hpp"
#include "tickreel/samp_rec/legacy.hpp"

namespace tickreel::samp_rec {

// Farther from the world's centre nobody gets; the world ends at 3,000 m, where water goes on.
inline constexpr double far_position_m = 20'000;
inline constexpr double rotation_length_tolerance = 0.02;

enum class block_fault : std::uint8_t {
  none,
  not_finite,         // a position, rotation or velocity that is not a number
  extras_not_finite,  // the same for a vehicle's health, or for where somebody stands on a vehicle
  far_position,       // beyond far_position_m
  rotation,           // of another length than 1, by more than rotation_length_tolerance; an odd heading
};

// The first of the faults above. Pure; for blocks of SA-MP's layouts.
[[nodiscard]] block_fault fault_of(const vehicle_block& block) noexcept;
[[nodiscard]] block_fault fault_of(const on_foot_block& block) noexcept;
[[nodiscard]] block_fault fault_of(const legacy_vehicle_block& block) noexcept;
[[nodiscard]] block_fault fault_of(const legacy_on_foot_block& block) noexcept;

// "block {}: the position is farther than ...", static text that ends with 0, for an error's detail. Empty
// for none.
[[nodiscard]] const char* sentence(block_fault fault) noexcept;

}  // namespace tickreel::samp_rec
