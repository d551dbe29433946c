// The block layouts from before rotations were quaternions. They can be read; all new recordings use the
// current blocks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/describe/describe.hpp"
#include "tickreel/samp_rec/on_foot.hpp"
#include "tickreel/samp_rec/vehicle.hpp"

namespace tickreel::samp_rec {

// 56 bytes.
struct legacy_on_foot_block {
  static constexpr std::size_t wire_bytes = 56;

  std::uint32_t time_ms = 0;
  std::int16_t left_right = 0;
  std::int16_t up_down = 0;
  std::uint16_t keys = 0;
  vector3 position_m;
  float heading_degrees = 0;
  std::uint8_t health = 0;
  std::uint8_t armour = 0;
  std::uint8_t weapon_and_key = 0;
  std::uint8_t special_action = 0;
  vector3 velocity_m_per_20ms;
  vector3 surf_offset_m;
  std::uint16_t surf_id = 0;
  bool operator==(const legacy_on_foot_block&) const = default;
};
TICKREEL_DESCRIBE(legacy_on_foot_block, time_ms, left_right, up_down, keys, position_m, heading_degrees,
                  health, armour, weapon_and_key, special_action, velocity_m_per_20ms, surf_offset_m,
                  surf_id);

// 75 bytes.
struct legacy_vehicle_block {
  static constexpr std::size_t wire_bytes = 75;

  std::uint32_t time_ms = 0;
  std::uint16_t vehicle_id = 0;
  std::int16_t left_right = 0;
  std::int16_t up_down = 0;
  std::uint16_t keys = 0;
  vector3 right;    // of length 1
  vector3 forward;  // of length 1
  vector3 position_m;
  vector3 velocity_m_per_20ms;
  float vehicle_health = 0;
  std::uint8_t driver_health = 0;
  std::uint8_t driver_armour = 0;
  std::uint8_t weapon_and_key = 0;
  std::uint8_t siren = 0;
  std::uint8_t landing_gear = 0;
  std::uint16_t trailer_id = 0;
  std::uint32_t special = 0;
  bool operator==(const legacy_vehicle_block&) const = default;
};
TICKREEL_DESCRIBE(legacy_vehicle_block, time_ms, vehicle_id, left_right, up_down, keys, right, forward,
                  position_m, velocity_m_per_20ms, vehicle_health, driver_health, driver_armour,
                  weapon_and_key, siren, landing_gear, trailer_id, special);

void read(byte_reader& from, legacy_on_foot_block& to) noexcept;
void read(byte_reader& from, legacy_vehicle_block& to) noexcept;

// Only for exact copies of old files.
void write(byte_writer& to, const legacy_on_foot_block& from) noexcept;
void write(byte_writer& to, const legacy_vehicle_block& from) noexcept;

// Position, rotation and velocity are finite.
[[nodiscard]] bool is_finite(const legacy_on_foot_block& block) noexcept;
[[nodiscard]] bool is_finite(const legacy_vehicle_block& block) noexcept;

// Converts to a current block: the rotation becomes a quaternion; the animation, which was not recorded, is
// 0.
[[nodiscard]] on_foot_block modernised(const legacy_on_foot_block& block) noexcept;
[[nodiscard]] vehicle_block modernised(const legacy_vehicle_block& block) noexcept;

}  // namespace tickreel::samp_rec
