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
  std::uint8_t weapon_and_key = 0;  // see weapon_id(), additional_key_of()
  std::uint8_t special_action = 0;  // see samp_rec::special_action
  vector3 velocity_m_per_20ms;
  vector3 surf_offset_m;      // on the vehicle or object below the player
  std::uint16_t surf_id = 0;  // see surface()
  std::uint16_t animation_id = 0;
  std::uint16_t animation_flags = 0;  // see animation_flags_view

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

struct animation_flags_view {
  std::uint8_t blend_delta = 0;
  bool loop = false;
  bool lock_x = false;
  bool lock_y = false;
  bool freeze = false;
  std::uint8_t time = 0;  // 0 to 15
};
[[nodiscard]] constexpr animation_flags_view animation_flags_of(std::uint16_t flags) noexcept {
  return {static_cast<std::uint8_t>(flags & 0xFF),
          (flags & 0x0100) != 0,
          (flags & 0x0200) != 0,
          (flags & 0x0400) != 0,
          (flags & 0x0800) != 0,
          static_cast<std::uint8_t>(flags >> 12)};
}
[[nodiscard]] constexpr std::uint16_t to_animation_flags(const animation_flags_view& view) noexcept {
  return static_cast<std::uint16_t>(view.blend_delta | (view.loop ? 0x0100 : 0) | (view.lock_x ? 0x0200 : 0) |
                                    (view.lock_y ? 0x0400 : 0) | (view.freeze ? 0x0800 : 0) |
                                    ((view.time & 0x0F) << 12));
}

}  // namespace tickreel::samp_rec
