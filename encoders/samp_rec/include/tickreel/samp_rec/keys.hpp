// Names of keys, special actions, weapons and animations. Blocks keep the raw numbers, so unknown ones are
// preserved.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tickreel::samp_rec {

// Bits of a block's `keys`; the comments are their functions in a vehicle.
enum class key : std::uint16_t {
  action = 1,
  crouch = 2,  // horn
  fire = 4,
  sprint = 8,  // accelerate
  enter_exit = 16,
  jump = 32,  // brake, reverse
  look_right = 64,
  aim = 128,  // handbrake
  look_left = 256,
  look_behind = 512,  // sub-mission
  walk = 1024,
  analogue_up = 2048,
  analogue_down = 4096,
  analogue_left = 8192,
  analogue_right = 16384,
};

[[nodiscard]] constexpr std::uint16_t bits(key one) noexcept {
  return static_cast<std::uint16_t>(one);
}
[[nodiscard]] constexpr std::uint16_t operator|(key a, key b) noexcept {
  return static_cast<std::uint16_t>(bits(a) | bits(b));
}
[[nodiscard]] constexpr std::uint16_t operator|(std::uint16_t keys, key more) noexcept {
  return static_cast<std::uint16_t>(keys | bits(more));
}
[[nodiscard]] constexpr bool holds(std::uint16_t keys, key one) noexcept {
  return (keys & bits(one)) != 0;
}

// The two axes, `left_right` and `up_down`: digital input produces these, a pad any value between.
namespace axis {
inline constexpr std::int16_t none = 0;
inline constexpr std::int16_t left = -128;
inline constexpr std::int16_t right = 128;
inline constexpr std::int16_t forward = -128;  // of up_down
inline constexpr std::int16_t back = 128;
}  // namespace axis

enum class special_action : std::uint8_t {
  none = 0,
  duck = 1,
  jetpack = 2,
  entering_vehicle = 3,
  leaving_vehicle = 4,
  dance_1 = 5,
  dance_2 = 6,
  dance_3 = 7,
  dance_4 = 8,
  hands_up = 10,
  phone = 11,
  sitting = 12,
  stop_phone = 13,
  beer = 20,
  smoke = 21,
  wine = 22,
  sprunk = 23,
  cuffed = 24,
  carry = 25,
  urinating = 68,
};

// Only the low six bits of a block's `weapon_and_key` name the weapon. The high two are another key: 1 yes, 2 no,
// 3 ctrl and back.
enum class weapon : std::uint8_t {
  fist = 0,
  brass_knuckles = 1,
  golf_club = 2,
  nightstick = 3,
  knife = 4,
  baseball_bat = 5,
  shovel = 6,
  pool_cue = 7,
  katana = 8,
  chainsaw = 9,
  purple_dildo = 10,
  dildo = 11,
  vibrator = 12,
  silver_vibrator = 13,
  flowers = 14,
  cane = 15,
  grenade = 16,
  tear_gas = 17,
  molotov = 18,
  pistol = 22,
  silenced_pistol = 23,
  desert_eagle = 24,
  shotgun = 25,
  sawnoff_shotgun = 26,
  combat_shotgun = 27,
  uzi = 28,
  mp5 = 29,
  ak47 = 30,
  m4 = 31,
  tec9 = 32,
  country_rifle = 33,
  sniper_rifle = 34,
  rocket_launcher = 35,
  heat_seeker = 36,
  flamethrower = 37,
  minigun = 38,
  satchel_charge = 39,
  detonator = 40,
  spray_can = 41,
  fire_extinguisher = 42,
  camera = 43,
  night_vision = 44,
  thermal_vision = 45,
  parachute = 46,
};
inline constexpr std::uint8_t last_weapon_id = 46;

[[nodiscard]] constexpr std::uint8_t weapon_id(std::uint8_t weapon_and_key) noexcept {
  return weapon_and_key & 0x3F;
}

// The common ones of the SA-MP animation list.
namespace animation {
inline constexpr std::uint16_t none = 0;
inline constexpr std::uint16_t idle = 1189;
inline constexpr std::uint16_t sprint = 1223;
inline constexpr std::uint16_t run = 1224;
inline constexpr std::uint16_t walk = 1231;
// The list of SA-MP and open.mp ends here (GetAnimationName).
inline constexpr std::uint16_t last_id = 1812;
// The flags of four of five recorded blocks.
inline constexpr std::uint16_t usual_flags = 0x8004;
}  // namespace animation

// Its name above; empty for a number without a name.
[[nodiscard]] std::string_view name(key one) noexcept;
[[nodiscard]] std::string_view name(special_action action) noexcept;
[[nodiscard]] std::string_view name(weapon held) noexcept;

// All known names, in the order of their numbers.
[[nodiscard]] std::vector<std::string_view> key_names();
[[nodiscard]] std::vector<std::string_view> special_action_names();
[[nodiscard]] std::vector<std::string_view> weapon_names();

[[nodiscard]] std::optional<key> key_named(std::string_view name) noexcept;
[[nodiscard]] std::optional<special_action> special_action_named(std::string_view name) noexcept;
[[nodiscard]] std::optional<weapon> weapon_named(std::string_view name) noexcept;

}  // namespace tickreel::samp_rec
