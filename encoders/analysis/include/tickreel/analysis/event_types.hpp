// The events of a match: one struct each, with its tick. event.hpp combines them. Players, unit types,
// resources, upgrades and abilities are the game's own numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tickreel/analysis/match.hpp"
#include "tickreel/analysis/types.hpp"
#include "tickreel/describe/describe.hpp"

namespace tickreel::analysis {

enum class control_group_action : std::uint32_t { assign, append, recall };

[[nodiscard]] std::span<const std::string_view> words(std::type_identity<control_group_action>) noexcept;

struct unit_position {
  unit_tag tag;
  world_position pos;
  bool operator==(const unit_position&) const = default;
};
TICKREEL_DESCRIBE(unit_position, tag, pos);

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
  bool operator==(const player_stats&) const = default;
};
TICKREEL_DESCRIBE(player_stats, credits, power_made, power_used, army_value, units_alive, units_lost,
                  units_killed, buildings_alive, buildings_lost, buildings_killed, collected, spent,
                  apm_x100);

// A unit exists from this tick on.
struct unit_created {
  static constexpr std::string_view type_name = "unit_created";
  std::uint64_t tick = 0;
  unit_tag tag;
  std::uint32_t unit_type = 0;
  std::uint32_t owner = 0;
  world_position pos;
  bool operator==(const unit_created&) const = default;
};
TICKREEL_DESCRIBE(unit_created, tick, tag, unit_type, owner, pos);

struct construction_started {
  static constexpr std::string_view type_name = "construction_started";
  std::uint64_t tick = 0;
  unit_tag tag;
  std::uint32_t unit_type = 0;
  std::uint32_t owner = 0;
  world_position pos;
  bool operator==(const construction_started&) const = default;
};
TICKREEL_DESCRIBE(construction_started, tick, tag, unit_type, owner, pos);

struct construction_completed {
  static constexpr std::string_view type_name = "construction_completed";
  std::uint64_t tick = 0;
  unit_tag tag;
  bool operator==(const construction_completed&) const = default;
};
TICKREEL_DESCRIBE(construction_completed, tick, tag);

// Without a killer: none, or unknown.
struct unit_destroyed {
  static constexpr std::string_view type_name = "unit_destroyed";
  std::uint64_t tick = 0;
  unit_tag tag;
  std::optional<unit_tag> killer_tag;
  std::optional<std::uint32_t> killer_owner;
  bool operator==(const unit_destroyed&) const = default;
};
TICKREEL_DESCRIBE(unit_destroyed, tick, tag, killer_tag, killer_owner);

// At most 256 units, by ascending tag.
struct unit_position_sample {
  static constexpr std::string_view type_name = "unit_position_sample";
  std::uint64_t tick = 0;
  std::vector<unit_position> positions;
  bool operator==(const unit_position_sample&) const = default;
};
TICKREEL_DESCRIBE(unit_position_sample, tick, positions);

struct player_stat_snapshot {
  static constexpr std::string_view type_name = "player_stat_snapshot";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  player_stats stats;
  bool operator==(const player_stat_snapshot&) const = default;
};
TICKREEL_DESCRIBE(player_stat_snapshot, tick, player, stats);

struct resource_collected {
  static constexpr std::string_view type_name = "resource_collected";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  std::uint32_t resource_type = 0;
  std::int32_t amount = 0;
  bool operator==(const resource_collected&) const = default;
};
TICKREEL_DESCRIBE(resource_collected, tick, player, resource_type, amount);

struct upgrade_completed {
  static constexpr std::string_view type_name = "upgrade_completed";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  std::uint32_t upgrade_id = 0;
  bool operator==(const upgrade_completed&) const = default;
};
TICKREEL_DESCRIBE(upgrade_completed, tick, player, upgrade_id);

struct camera_position_sample {
  static constexpr std::string_view type_name = "camera_position_sample";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  world_position viewport_center;
  std::uint16_t zoom_level = 0;
  bool operator==(const camera_position_sample&) const = default;
};
TICKREEL_DESCRIBE(camera_position_sample, tick, player, viewport_center, zoom_level);

// The difference to the previous selection.
struct selection_changed {
  static constexpr std::string_view type_name = "selection_changed";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  std::vector<unit_tag> added;
  std::vector<unit_tag> removed;
  bool operator==(const selection_changed&) const = default;
};
TICKREEL_DESCRIBE(selection_changed, tick, player, added, removed);

struct control_group_event {
  static constexpr std::string_view type_name = "control_group_event";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  std::uint8_t group = 0;
  control_group_action action = control_group_action::assign;
  bool operator==(const control_group_event&) const = default;
};
TICKREEL_DESCRIBE(control_group_event, tick, player, group, action);

struct ability_used {
  static constexpr std::string_view type_name = "ability_used";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  std::uint32_t ability_id = 0;
  std::optional<world_position> target;
  bool operator==(const ability_used&) const = default;
};
TICKREEL_DESCRIBE(ability_used, tick, player, ability_id, target);

struct pause_event {
  static constexpr std::string_view type_name = "pause_event";
  std::uint64_t tick = 0;
  std::uint32_t player = 0;
  bool paused = false;
  bool operator==(const pause_event&) const = default;
};
TICKREEL_DESCRIBE(pause_event, tick, player, paused);

struct match_ended {
  static constexpr std::string_view type_name = "match_ended";
  std::uint64_t tick = 0;
  match_outcome outcome;
  bool operator==(const match_ended&) const = default;
};
TICKREEL_DESCRIBE(match_ended, tick, outcome);

struct vote_event {
  static constexpr std::string_view type_name = "vote_event";
  std::uint64_t tick = 0;
  vote::event_data event;
  bool operator==(const vote_event&) const = default;
};
TICKREEL_DESCRIBE(vote_event, tick, event);

}  // namespace tickreel::analysis
