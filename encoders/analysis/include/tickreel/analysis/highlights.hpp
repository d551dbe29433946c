// Happenings worth watching again: found by looking at many ticks together.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tickreel/analysis/types.hpp"

namespace tickreel::analysis {

struct engagement_started {
  static constexpr std::string_view type_name = "engagement_started";
  std::uint64_t tick = 0;
  world_position center_pos;
  std::vector<unit_tag> friendly_units;
  std::vector<unit_tag> enemy_units;
  std::int64_t value_friendly = 0;
  std::int64_t value_enemy = 0;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("center_pos", self.center_pos);
    visit("friendly_units", self.friendly_units);
    visit("enemy_units", self.enemy_units);
    visit("value_friendly", self.value_friendly);
    visit("value_enemy", self.value_enemy);
  }
  bool operator==(const engagement_started&) const = default;
};

struct engagement_ended {
  static constexpr std::string_view type_name = "engagement_ended";
  std::uint64_t tick = 0;
  world_position center_pos;
  std::uint32_t friendly_losses = 0;
  std::uint32_t enemy_losses = 0;
  std::uint32_t friendly_survivors = 0;
  std::uint32_t enemy_survivors = 0;
  std::uint64_t duration_ticks = 0;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("center_pos", self.center_pos);
    visit("friendly_losses", self.friendly_losses);
    visit("enemy_losses", self.enemy_losses);
    visit("friendly_survivors", self.friendly_survivors);
    visit("enemy_survivors", self.enemy_survivors);
    visit("duration_ticks", self.duration_ticks);
  }
  bool operator==(const engagement_ended&) const = default;
};

struct superweapon_fired {
  static constexpr std::string_view type_name = "superweapon_fired";
  std::uint64_t tick = 0;
  std::uint32_t weapon_type = 0;
  world_position target_pos;
  std::uint32_t player = 0;
  std::uint32_t units_affected = 0;
  std::uint32_t buildings_affected = 0;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("weapon_type", self.weapon_type);
    visit("target_pos", self.target_pos);
    visit("player", self.player);
    visit("units_affected", self.units_affected);
    visit("buildings_affected", self.buildings_affected);
  }
  bool operator==(const superweapon_fired&) const = default;
};

struct base_destroyed {
  static constexpr std::string_view type_name = "base_destroyed";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  world_position pos;
  std::vector<unit_tag> buildings_lost;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("player", self.player);
    visit("pos", self.pos);
    visit("buildings_lost", self.buildings_lost);
  }
  bool operator==(const base_destroyed&) const = default;
};

// percentage_of_army: whole percent.
struct army_wipe {
  static constexpr std::string_view type_name = "army_wipe";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  std::uint32_t units_lost = 0;
  std::int64_t total_value_lost = 0;
  std::uint16_t percentage_of_army = 0;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("player", self.player);
    visit("units_lost", self.units_lost);
    visit("total_value_lost", self.total_value_lost);
    visit("percentage_of_army", self.percentage_of_army);
  }
  bool operator==(const army_wipe&) const = default;
};

// Values in the simulation's money.
struct comeback_moment {
  static constexpr std::string_view type_name = "comeback_moment";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  std::int64_t deficit_before = 0;
  std::int64_t advantage_after = 0;
  std::int64_t swing_value = 0;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("player", self.player);
    visit("deficit_before", self.deficit_before);
    visit("advantage_after", self.advantage_after);
    visit("swing_value", self.swing_value);
  }
  bool operator==(const comeback_moment&) const = default;
};

}  // namespace tickreel::analysis
