// An analysis event: one of 21 types, for charts, searches and highlights. Playback and events are
// independent of each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "tickreel/analysis/event_types.hpp"
#include "tickreel/analysis/highlights.hpp"

namespace tickreel::analysis {

// The index is the event's number in files; never reorder.
using event_data =
    std::variant<unit_created, construction_started, construction_completed, unit_destroyed,
                 unit_position_sample, player_stat_snapshot, resource_collected, upgrade_completed,
                 camera_position_sample, selection_changed, control_group_event, ability_used, pause_event,
                 match_ended, vote_event, engagement_started, engagement_ended, superweapon_fired,
                 base_destroyed, army_wipe, comeback_moment>;

struct event {
  event_data what;
  // Derived from recorded states, not reported by the game. Not part of any file.
  bool derived = false;
  bool operator==(const event&) const = default;
};

[[nodiscard]] std::uint64_t tick_of(const event& happened) noexcept;

// "unit_created", ... and back to the index. Names are stable; static storage.
[[nodiscard]] std::string_view type_name(const event& happened) noexcept;
[[nodiscard]] std::string_view type_name(std::size_t type) noexcept;
[[nodiscard]] std::optional<std::size_t> type_from_name(std::string_view name) noexcept;
inline constexpr std::size_t type_count = std::variant_size_v<event_data>;

// Whether a player takes part: as owner, killer's owner, voter, winner, or subject.
[[nodiscard]] bool concerns(const event& happened, std::uint32_t player) noexcept;

// Appends one line of JSON without its end: "tick", "type", the fields, and "derived":true if it is. A field
// with several kinds is an object with the key "kind".
void append_json(const event& happened, std::string& out);

}  // namespace tickreel::analysis
