#include "tickreel/samp_rec/keys.hpp"

#include <algorithm>
#include <iterator>

namespace tickreel::samp_rec {

namespace {

template <class Value>
struct named {
  Value value;
  std::string_view name;
};

constexpr named<key> keys[] = {
    {key::action, "action"},
    {key::crouch, "crouch"},
    {key::fire, "fire"},
    {key::sprint, "sprint"},
    {key::enter_exit, "enter_exit"},
    {key::jump, "jump"},
    {key::look_right, "look_right"},
    {key::aim, "aim"},
    {key::look_left, "look_left"},
    {key::look_behind, "look_behind"},
    {key::walk, "walk"},
    {key::analogue_up, "analogue_up"},
    {key::analogue_down, "analogue_down"},
    {key::analogue_left, "analogue_left"},
    {key::analogue_right, "analogue_right"},
};

constexpr named<special_action> special_actions[] = {
    {special_action::none, "none"},
    {special_action::duck, "duck"},
    {special_action::jetpack, "jetpack"},
    {special_action::entering_vehicle, "entering_vehicle"},
    {special_action::leaving_vehicle, "leaving_vehicle"},
    {special_action::dance_1, "dance_1"},
    {special_action::dance_2, "dance_2"},
    {special_action::dance_3, "dance_3"},
    {special_action::dance_4, "dance_4"},
    {special_action::hands_up, "hands_up"},
    {special_action::phone, "phone"},
    {special_action::sitting, "sitting"},
    {special_action::stop_phone, "stop_phone"},
    {special_action::beer, "beer"},
    {special_action::smoke, "smoke"},
    {special_action::wine, "wine"},
    {special_action::sprunk, "sprunk"},
    {special_action::cuffed, "cuffed"},
    {special_action::carry, "carry"},
    {special_action::urinating, "urinating"},
};

constexpr named<weapon> weapons[] = {
    {weapon::fist, "fist"},
    {weapon::brass_knuckles, "brass_knuckles"},
    {weapon::golf_club, "golf_club"},
    {weapon::nightstick, "nightstick"},
    {weapon::knife, "knife"},
    {weapon::baseball_bat, "baseball_bat"},
    {weapon::shovel, "shovel"},
    {weapon::pool_cue, "pool_cue"},
    {weapon::katana, "katana"},
    {weapon::chainsaw, "chainsaw"},
    {weapon::purple_dildo, "purple_dildo"},
    {weapon::dildo, "dildo"},
    {weapon::vibrator, "vibrator"},
    {weapon::silver_vibrator, "silver_vibrator"},
    {weapon::flowers, "flowers"},
    {weapon::cane, "cane"},
    {weapon::grenade, "grenade"},
    {weapon::tear_gas, "tear_gas"},
    {weapon::molotov, "molotov"},
    {weapon::pistol, "pistol"},
    {weapon::silenced_pistol, "silenced_pistol"},
    {weapon::desert_eagle, "desert_eagle"},
    {weapon::shotgun, "shotgun"},
    {weapon::sawnoff_shotgun, "sawnoff_shotgun"},
    {weapon::combat_shotgun, "combat_shotgun"},
    {weapon::uzi, "uzi"},
    {weapon::mp5, "mp5"},
    {weapon::ak47, "ak47"},
    {weapon::m4, "m4"},
    {weapon::tec9, "tec9"},
    {weapon::country_rifle, "country_rifle"},
    {weapon::sniper_rifle, "sniper_rifle"},
    {weapon::rocket_launcher, "rocket_launcher"},
    {weapon::heat_seeker, "heat_seeker"},
    {weapon::flamethrower, "flamethrower"},
    {weapon::minigun, "minigun"},
    {weapon::satchel_charge, "satchel_charge"},
    {weapon::detonator, "detonator"},
    {weapon::spray_can, "spray_can"},
    {weapon::fire_extinguisher, "fire_extinguisher"},
    {weapon::camera, "camera"},
    {weapon::night_vision, "night_vision"},
    {weapon::thermal_vision, "thermal_vision"},
    {weapon::parachute, "parachute"},
};

template <class Value, std::size_t Count>
std::string_view name_in(const named<Value> (&table)[Count], Value value) noexcept {
  const auto found =
      std::find_if(std::begin(table), std::end(table), [&](const auto& each) { return each.value == value; });
  return found == std::end(table) ? std::string_view() : found->name;
}

template <class Value, std::size_t Count>
std::optional<Value> value_in(const named<Value> (&table)[Count], std::string_view name) noexcept {
  const auto found =
      std::find_if(std::begin(table), std::end(table), [&](const auto& each) { return each.name == name; });
  if (found == std::end(table)) return std::nullopt;
  return found->value;
}

template <class Value, std::size_t Count>
std::vector<std::string_view> names_in(const named<Value> (&table)[Count]) {
  std::vector<std::string_view> names;
  for (const auto& each : table) names.push_back(each.name);
  return names;
}

}  // namespace

std::vector<std::string_view> key_names() {
  return names_in(keys);
}
std::vector<std::string_view> special_action_names() {
  return names_in(special_actions);
}
std::vector<std::string_view> weapon_names() {
  return names_in(weapons);
}

std::string_view name(key one) noexcept {
  return name_in(keys, one);
}
std::string_view name(special_action action) noexcept {
  return name_in(special_actions, action);
}
std::string_view name(weapon held) noexcept {
  return name_in(weapons, held);
}

std::optional<key> key_named(std::string_view name) noexcept {
  return value_in(keys, name);
}
std::optional<special_action> special_action_named(std::string_view name) noexcept {
  return value_in(special_actions, name);
}
std::optional<weapon> weapon_named(std::string_view name) noexcept {
  return value_in(weapons, name);
}

}  // namespace tickreel::samp_rec
