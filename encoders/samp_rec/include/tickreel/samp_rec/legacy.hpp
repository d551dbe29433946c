// The block layouts from before rotations were quaternions. They are read; what is recorded, built or edited
// is written as blocks of today.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"
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

  static constexpr void fields(auto& self, auto&& visit) {
    visit("time_ms", self.time_ms);
    visit("left_right", self.left_right);
    visit("up_down", self.up_down);
    visit("keys", self.keys);
    visit("position_m", self.position_m);
    visit("heading_degrees", self.heading_degrees);
    visit("health", self.health);
    visit("armour", self.armour);
    visit("weapon_and_key", self.weapon_and_key);
    visit("special_action", self.special_action);
    visit("velocity_m_per_20ms", self.velocity_m_per_20ms);
    visit("surf_offset_m", self.surf_offset_m);
    visit("surf_id", self.surf_id);
  }
  bool operator==(const legacy_on_foot_block&) const = default;
};

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

  static constexpr void fields(auto& self, auto&& visit) {
    visit("time_ms", self.time_ms);
    visit("vehicle_id", self.vehicle_id);
    visit("left_right", self.left_right);
    visit("up_down", self.up_down);
    visit("keys", self.keys);
    visit("right", self.right);
    visit("forward", self.forward);
    visit("position_m", self.position_m);
    visit("velocity_m_per_20ms", self.velocity_m_per_20ms);
    visit("vehicle_health", self.vehicle_health);
    visit("driver_health", self.driver_health);
    visit("driver_armour", self.driver_armour);
    visit("weapon_and_key", self.weapon_and_key);
    visit("siren", self.siren);
    visit("landing_gear", self.landing_gear);
    visit("trailer_id", self.trailer_id);
    visit("special", self.special);
  }
  bool operator==(const legacy_vehicle_block&) const = default;
};

void read(byte_reader& from, legacy_on_foot_block& to) noexcept;
void read(byte_reader& from, legacy_vehicle_block& to) noexcept;

// For exact copies of old files only.
void write(byte_writer& to, const legacy_on_foot_block& from) noexcept;
void write(byte_writer& to, const legacy_vehicle_block& from) noexcept;

// Position, rotation and velocity hold numbers.
[[nodiscard]] bool is_finite(const legacy_on_foot_block& block) noexcept;
[[nodiscard]] bool is_finite(const legacy_vehicle_block& block) noexcept;

// The same as a block of today: the rotation becomes a quaternion; an animation was not recorded and is 0.
[[nodiscard]] on_foot_block modernised(const legacy_on_foot_block& block) noexcept;
[[nodiscard]] vehicle_block modernised(const legacy_vehicle_block& block) noexcept;

}  // namespace tickreel::samp_rec
