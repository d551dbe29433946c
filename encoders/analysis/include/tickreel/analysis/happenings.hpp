// What can happen in a match: one struct each, each with the tick it happened at. event.hpp joins them.
// Players, unit types, resources, upgrades and abilities are the game's own numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tickreel/analysis/match.hpp"
#include "tickreel/analysis/types.hpp"

namespace tickreel::analysis {

enum class control_group_action : std::uint32_t { assign, append, recall };

[[nodiscard]] std::span<const std::string_view> words(std::type_identity<control_group_action>) noexcept;

struct unit_position {
  unit_tag tag;
  world_position pos;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tag", self.tag);
    visit("pos", self.pos);
  }
  bool operator==(const unit_position&) const = default;
};

// Money and values in the simulation's own units; apm_x100 is actions per minute times 100.
struct player_stats {
  std::int64_t credits = 0;
  std::int32_t power_made = 0;
  std::int32_t power_used = 0;
  std::int64_t army_value = 0;
  std::uint32_t units_alive = 0;
  std::uint32_t units_lost = 0;
  std::uint32_t units_killed = 0;
  std::uint32_t buildings_alive = 0;
  std::uint32_t buildings_lost = 0;
  std::uint32_t buildings_killed = 0;
  std::int64_t collected = 0;
  std::int64_t spent = 0;
  std::uint32_t apm_x100 = 0;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("credits", self.credits);
    visit("power_made", self.power_made);
    visit("power_used", self.power_used);
    visit("army_value", self.army_value);
    visit("units_alive", self.units_alive);
    visit("units_lost", self.units_lost);
    visit("units_killed", self.units_killed);
    visit("buildings_alive", self.buildings_alive);
    visit("buildings_lost", self.buildings_lost);
    visit("buildings_killed", self.buildings_killed);
    visit("collected", self.collected);
    visit("spent", self.spent);
    visit("apm_x100", self.apm_x100);
  }
  bool operator==(const player_stats&) const = default;
};

// A unit exists from here on.
struct unit_created {
  static constexpr std::string_view type_name = "unit_created";
  std::uint64_t tick = 0;
  unit_tag tag;
  std::uint32_t unit_type = 0;
  std::uint32_t owner = 0;
  world_position pos;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("tag", self.tag);
    visit("unit_type", self.unit_type);
    visit("owner", self.owner);
    visit("pos", self.pos);
  }
  bool operator==(const unit_created&) const = default;
};

struct construction_started {
  static constexpr std::string_view type_name = "construction_started";
  std::uint64_t tick = 0;
  unit_tag tag;
  std::uint32_t unit_type = 0;
  std::uint32_t owner = 0;
  world_position pos;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("tag", self.tag);
    visit("unit_type", self.unit_type);
    visit("owner", self.owner);
    visit("pos", self.pos);
  }
  bool operator==(const construction_started&) const = default;
};

struct construction_completed {
  static constexpr std::string_view type_name = "construction_completed";
  std::uint64_t tick = 0;
  unit_tag tag;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("tag", self.tag);
  }
  bool operator==(const construction_completed&) const = default;
};

// Without a killer: by nobody, or nobody known.
struct unit_destroyed {
  static constexpr std::string_view type_name = "unit_destroyed";
  std::uint64_t tick = 0;
  unit_tag tag;
  std::optional<unit_tag> killer_tag;
  std::optional<std::uint32_t> killer_owner;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("tag", self.tag);
    visit("killer_tag", self.killer_tag);
    visit("killer_owner", self.killer_owner);
  }
  bool operator==(const unit_destroyed&) const = default;
};

// At most 256 units, by ascending tag.
struct unit_position_sample {
  static constexpr std::string_view type_name = "unit_position_sample";
  std::uint64_t tick = 0;
  std::vector<unit_position> positions;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("positions", self.positions);
  }
  bool operator==(const unit_position_sample&) const = default;
};

struct player_stat_snapshot {
  static constexpr std::string_view type_name = "player_stat_snapshot";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  player_stats stats;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("player", self.player);
    visit("stats", self.stats);
  }
  bool operator==(const player_stat_snapshot&) const = default;
};

struct resource_collected {
  static constexpr std::string_view type_name = "resource_collected";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  std::uint32_t resource_type = 0;
  std::int32_t amount = 0;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("player", self.player);
    visit("resource_type", self.resource_type);
    visit("amount", self.amount);
  }
  bool operator==(const resource_collected&) const = default;
};

struct upgrade_completed {
  static constexpr std::string_view type_name = "upgrade_completed";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  std::uint32_t upgrade_id = 0;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("player", self.player);
    visit("upgrade_id", self.upgrade_id);
  }
  bool operator==(const upgrade_completed&) const = default;
};

struct camera_position_sample {
  static constexpr std::string_view type_name = "camera_position_sample";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  world_position viewport_center;
  std::uint16_t zoom_level = 0;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("player", self.player);
    visit("viewport_center", self.viewport_center);
    visit("zoom_level", self.zoom_level);
  }
  bool operator==(const camera_position_sample&) const = default;
};

// The difference to the selection before.
struct selection_changed {
  static constexpr std::string_view type_name = "selection_changed";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  std::vector<unit_tag> added;
  std::vector<unit_tag> removed;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("player", self.player);
    visit("added", self.added);
    visit("removed", self.removed);
  }
  bool operator==(const selection_changed&) const = default;
};

struct control_group_event {
  static constexpr std::string_view type_name = "control_group_event";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  std::uint8_t group = 0;
  control_group_action action = control_group_action::assign;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("player", self.player);
    visit("group", self.group);
    visit("action", self.action);
  }
  bool operator==(const control_group_event&) const = default;
};

struct ability_used {
  static constexpr std::string_view type_name = "ability_used";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  std::uint32_t ability_id = 0;
  std::optional<world_position> target;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("player", self.player);
    visit("ability_id", self.ability_id);
    visit("target", self.target);
  }
  bool operator==(const ability_used&) const = default;
};

struct pause_event {
  static constexpr std::string_view type_name = "pause_event";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  bool paused = false;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("player", self.player);
    visit("paused", self.paused);
  }
  bool operator==(const pause_event&) const = default;
};

struct match_ended {
  static constexpr std::string_view type_name = "match_ended";
  std::uint64_t tick = 0;
  match_outcome outcome;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("outcome", self.outcome);
  }
  bool operator==(const match_ended&) const = default;
};

struct vote_event {
  static constexpr std::string_view type_name = "vote_event";
  std::uint64_t tick = 0;
  vote::happening event;
  static constexpr void fields(auto& self, auto&& visit) {
    visit("tick", self.tick);
    visit("event", self.event);
  }
  bool operator==(const vote_event&) const = default;
};

}  // namespace tickreel::analysis
