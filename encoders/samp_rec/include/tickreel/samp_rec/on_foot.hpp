// One block of a recording on foot.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tickreel/describe/describe.hpp"
#include "tickreel/samp_rec/header.hpp"
#include "tickreel/samp_rec/keys.hpp"
#include "tickreel/samp_rec/motion.hpp"

namespace tickreel::samp_rec {

// 72 bytes, little-endian, without padding, in the order of the members. Every bit of a file is preserved:
// invalid numbers, NaNs, -0.0.
struct on_foot_block {
  static constexpr std::size_t wire_bytes = 72;
  static constexpr recording_kind kind = recording_kind::on_foot;

  std::uint32_t time_ms = 0;    // since the start of the recording; never falls
  std::int16_t left_right = 0;  // -128 left, 128 right
  std::int16_t up_down = 0;     // -128 forward, 128 back
  std::uint16_t keys = 0;       // bits of key
  vector3 position_m;
  quaternion rotation;
  std::uint8_t health = 100;
  std::uint8_t armour = 0;
  std::uint8_t weapon_and_key = 0;  // see weapon_id()
  std::uint8_t special_action = 0;  // see samp_rec::special_action
  vector3 velocity_m_per_20ms;
  vector3 surf_offset_m;      // on the vehicle or object below the player
  std::uint16_t surf_id = 0;  // see surface()
  std::uint16_t animation_id = 0;
  // Bits 0-7 the blend delta, 8 loop, 9 and 10 locked axes, 11 freeze, 12-15 the time.
  std::uint16_t animation_flags = 0;

  // By values: -0 equals 0, and NaN equals nothing; same_bits() compares bytes.
  bool operator==(const on_foot_block&) const = default;
};
TICKREEL_DESCRIBE(on_foot_block, time_ms, left_right, up_down, keys, position_m, rotation, health, armour,
                  weapon_and_key, special_action, velocity_m_per_20ms, surf_offset_m, surf_id, animation_id,
                  animation_flags);

// The surface below the player: 1 to 1999 is a vehicle, 2000 to 3999 an object, all else none.
enum class surface_kind : std::uint8_t { none, vehicle, object };
struct surface {
  surface_kind kind = surface_kind::none;
  std::uint16_t id = 0;
};
[[nodiscard]] constexpr surface surface_of(std::uint16_t surf_id) noexcept {
  if (surf_id >= 1 && surf_id < 2000) return {surface_kind::vehicle, surf_id};
  if (surf_id >= 2000 && surf_id < 4000) {
    return {surface_kind::object, static_cast<std::uint16_t>(surf_id - 2000)};
  }
  return {};
}

}  // namespace tickreel::samp_rec
