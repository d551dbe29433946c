// Invalid values of blocks. Readers use them to detect files, and writers to reject blocks, so a file whose
// blocks have no fault is always detected.
#pragma once

#include <cstdint>

#include "tickreel/samp_rec/block.hpp"
#include "tickreel/samp_rec/legacy.hpp"

namespace tickreel::samp_rec {

// No player gets farther from the world's centre; the world ends at 3,000 m, where water continues.
inline constexpr double far_position_m = 20'000;
inline constexpr double rotation_length_tolerance = 0.02;

enum class block_fault : std::uint8_t {
  none,
  not_finite,         // a position, rotation or velocity that is not finite
  extras_not_finite,  // the same for a vehicle's health, or for the position on a vehicle
  far_position,       // beyond far_position_m
  rotation,           // of another length than 1, by more than rotation_length_tolerance; an invalid heading
};

// The first of the faults above. Pure; for blocks of SA-MP's layouts.
[[nodiscard]] block_fault fault_of(const vehicle_block& block) noexcept;
[[nodiscard]] block_fault fault_of(const on_foot_block& block) noexcept;
[[nodiscard]] block_fault fault_of(const legacy_vehicle_block& block) noexcept;
[[nodiscard]] block_fault fault_of(const legacy_on_foot_block& block) noexcept;

// "block {}: the position is farther than ...", static text for an error's detail. Empty for none.
[[nodiscard]] const char* sentence(block_fault fault) noexcept;

}  // namespace tickreel::samp_rec
