// Highlights: events found by comparing many ticks.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tickreel/analysis/types.hpp"
#include "tickreel/describe/describe.hpp"

namespace tickreel::analysis {

struct engagement_started {
  static constexpr std::string_view type_name = "engagement_started";
  std::uint64_t tick = 0;
  world_position center_pos;
  std::vector<unit_tag> friendly_units;
  std::vector<unit_tag> enemy_units;
  std::int64_t value_friendly = 0;
  std::int64_t value_enemy = 0;
  bool operator==(const engagement_started&) const = default;
};
TICKREEL_DESCRIBE(engagement_started, tick, center_pos, friendly_units, enemy_units, value_friendly,
                  value_enemy);

struct engagement_ended {
  static constexpr std::string_view type_name = "engagement_ended";
  std::uint64_t tick = 0;
  world_position center_pos;
  std::uint32_t friendly_losses = 0;
  std::uint32_t enemy_losses = 0;
  std::uint32_t friendly_survivors = 0;
  std::uint32_t enemy_survivors = 0;
  std::uint64_t duration_ticks = 0;
  bool operator==(const engagement_ended&) const = default;
};
TICKREEL_DESCRIBE(engagement_ended, tick, center_pos, friendly_losses, enemy_losses, friendly_survivors,
                  enemy_survivors, duration_ticks);

struct superweapon_fired {
  static constexpr std::string_view type_name = "superweapon_fired";
  std::uint64_t tick = 0;
  std::uint32_t weapon_type = 0;
  world_position target_pos;
  std::uint32_t player = 0;
  std::uint32_t units_affected = 0;
  std::uint32_t buildings_affected = 0;
  bool operator==(const superweapon_fired&) const = default;
};
TICKREEL_DESCRIBE(superweapon_fired, tick, weapon_type, target_pos, player, units_affected,
                  buildings_affected);

struct base_destroyed {
  static constexpr std::string_view type_name = "base_destroyed";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  world_position pos;
  std::vector<unit_tag> buildings_lost;
  bool operator==(const base_destroyed&) const = default;
};
TICKREEL_DESCRIBE(base_destroyed, tick, player, pos, buildings_lost);

// percentage_of_army: whole percent.
struct army_wipe {
  static constexpr std::string_view type_name = "army_wipe";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  std::uint32_t units_lost = 0;
  std::int64_t total_value_lost = 0;
  std::uint16_t percentage_of_army = 0;
  bool operator==(const army_wipe&) const = default;
};
TICKREEL_DESCRIBE(army_wipe, tick, player, units_lost, total_value_lost, percentage_of_army);

// Values in the simulation's money.
struct comeback_moment {
  static constexpr std::string_view type_name = "comeback_moment";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  std::int64_t deficit_before = 0;
  std::int64_t advantage_after = 0;
  std::int64_t swing_value = 0;
  bool operator==(const comeback_moment&) const = default;
};
TICKREEL_DESCRIBE(comeback_moment, tick, player, deficit_before, advantage_after, swing_value);

}  // namespace tickreel::analysis
