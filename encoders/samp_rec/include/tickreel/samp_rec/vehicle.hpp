// One block of a recording in a vehicle.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "tickreel/describe/describe.hpp"
#include "tickreel/samp_rec/header.hpp"
#include "tickreel/samp_rec/keys.hpp"
#include "tickreel/samp_rec/motion.hpp"

namespace tickreel::samp_rec {

// The content of `special` for a Hydra (model 520).
struct thruster_angles {
  static constexpr std::uint16_t most = 5000;
  std::uint16_t first = 0;   // 0 to 5000
  std::uint16_t second = 0;  // 0 to 5000
};

// 67 bytes, little-endian, without padding, in the order of the members. Every bit of a file is preserved:
// invalid numbers, NaNs, -0.0.
struct vehicle_block {
  static constexpr std::size_t wire_bytes = 67;
  static constexpr recording_kind kind = recording_kind::vehicle;

  std::uint32_t time_ms = 0;     // since the start of the recording; never falls
  std::uint16_t vehicle_id = 0;  // on the recording server; players ignore it
  std::int16_t left_right = 0;   // -128 left, 128 right
  std::int16_t up_down = 0;      // -128 forward, 128 back
  std::uint16_t keys = 0;        // bits of key
  quaternion rotation;
  vector3 position_m;
  vector3 velocity_m_per_20ms;
  float vehicle_health = 1000;  // 1000: new; below 250 it burns
  std::uint8_t driver_health = 100;
  std::uint8_t driver_armour = 0;
  std::uint8_t weapon_and_key = 0;  // see weapon_id()
  std::uint8_t siren = 0;           // 1: on
  std::uint8_t landing_gear = 0;    // 0: down, 1: up
  std::uint16_t trailer_id = 0;
  // A train's speed, a Hydra's thrusters, otherwise 0. The vehicle's model decides, which is not in the file;
  // so both views are always available.
  std::uint32_t special = 0;

  // Signed along the track, in metres per 20 ms, -1 to 1.
  [[nodiscard]] float train_speed_m_per_20ms() const noexcept { return std::bit_cast<float>(special); }
  void set_train_speed_m_per_20ms(float speed) noexcept { special = std::bit_cast<std::uint32_t>(speed); }
  [[nodiscard]] thruster_angles thrusters() const noexcept {
    return {static_cast<std::uint16_t>(special & 0xFFFF), static_cast<std::uint16_t>(special >> 16)};
  }

  // By values: -0 equals 0, and NaN equals nothing; same_bits() compares bytes.
  bool operator==(const vehicle_block&) const = default;
};
TICKREEL_DESCRIBE(vehicle_block, time_ms, vehicle_id, left_right, up_down, keys, rotation, position_m,
                  velocity_m_per_20ms, vehicle_health, driver_health, driver_armour, weapon_and_key, siren,
                  landing_gear, trailer_id, special);

// The models whose `special` is a speed, and the one with thrusters.
[[nodiscard]] constexpr bool is_train_model(std::uint16_t model) noexcept {
  return model == 449 || model == 537 || model == 538 || model == 569 || model == 570;
}
inline constexpr std::uint16_t hydra_model = 520;

}  // namespace tickreel::samp_rec
