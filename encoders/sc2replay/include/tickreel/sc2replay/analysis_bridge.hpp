// Converts a replay's events to analysis events, in the order of their ticks. Pure: bytes in, events out.
//
//   analysis event           from
//   unit_created             unit_born
//   construction_started     unit_init
//   construction_completed   unit_done
//   unit_destroyed           unit_died; units that transform or merge die without a killer
//   unit_position_sample     unit_positions
//   player_stat_snapshot     player_stats, and counts of the units born and dead to date: units_* count all
//                            units, because replays do not mark buildings, and buildings_* stay 0
//   resource_collected       derived: the difference between two player_stats; 0 minerals, 1 vespene
//   upgrade_completed        upgrade, except those at the start and those that only change the appearance
//   camera_position_sample   camera_update, at most one per half game second, at the end of it
//   selection_changed        selection_delta and recalled control groups; derived where units leave, because
//                            this requires following the selection
//   control_group_event      control_group_update, except for clearing
//   ability_used             command; right clicks, which name no ability, have right_click_ability_id;
//                            derived for a later target of a command
//   match_ended              derived: the last leave, or the end of the game, and the players' results
//
// Ticks are loops. Positions have 4096 steps per map unit, the camera's distance is in whole map units, food in
// the game's 4096ths. Players are tracker numbers, teams count from 1. Unit types and upgrades are numbered
// in the order in which they occur, see unit_types(); abilities are link * 32 + index of the game's data. Tags
// keep the low 16 bits of the number of reuses of an index.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tickreel/analysis/event.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"
#include "tickreel/sc2replay/game_event.hpp"
#include "tickreel/sc2replay/message.hpp"
#include "tickreel/sc2replay/players.hpp"
#include "tickreel/sc2replay/tracker_event.hpp"

namespace tickreel::sc2replay {

// Everything must outlive the bridge. Missing streams are empty.
struct bridge_sources {
  std::uint32_t base_build = 0;
  std::uint64_t loops = 0;  // of the whole game, from the header
  byte_span game_events;
  byte_span message_events;
  byte_span tracker_events;
  std::span<const player> players;
  double ticks_per_second = loops_per_game_second;  // of the minutes in actions per minute
};

// The unit of an event, as known from earlier events.
struct unit_facts {
  std::uint8_t owner = 0;                         // after the event
  std::optional<std::uint8_t> owner_before = {};  // of a change of the owner
  std::uint32_t type = 0;                         // in unit_types(); after the event
  std::string_view type_name;
  std::optional<map_point> place = {};  // where it died, or where its construction began
};

// The next result: an analysis event, its source event, or both.
struct bridged {
  // Null: the source event has no counterpart. Events that only contribute to a later one are not returned
  // alone.
  const analysis::event* event = nullptr;
  // The type name of the unit or the upgrade that `event` contains as a number; empty for others.
  std::string_view type_name;
  // For deaths, finished buildings, and changes of a unit's type or owner.
  std::optional<unit_facts> unit = {};
  // At most one of them; none if no single event is the source. An event with several results is returned
  // with each.
  const game_event* game = nullptr;
  const tracker_event* tracker = nullptr;
  const message* said = nullptr;
};

// A kind of event without a counterpart among analysis events, and its count.
struct left_out {
  std::string_view what;  // static text, in the plural
  std::uint64_t count = 0;
};

// A stream that could not be read to its end; earlier events were returned.
struct bridge_problem {
  std::string_view member;
  error what;
};

class analysis_bridge {
 public:
  explicit analysis_bridge(const bridge_sources& from);
  analysis_bridge(analysis_bridge&&) noexcept;
  analysis_bridge& operator=(analysis_bridge&&) noexcept;
  ~analysis_bridge();

  // False at the end. `out` is valid until the next call.
  bool next(bridged& out);

  // The names of unit_type and upgrade_id to date.
  [[nodiscard]] const std::deque<std::string>& unit_types() const noexcept;
  [[nodiscard]] const std::deque<std::string>& upgrades() const noexcept;

  // Complete once next() has returned false.
  [[nodiscard]] std::span<const left_out> without_counterpart() const noexcept;
  [[nodiscard]] std::span<const bridge_problem> problems() const noexcept;
  // Changes of selections that name units which the selection before lacks or already has. `removed` of
  // selection_changed may be wrong from there until the user's next whole selection.
  [[nodiscard]] std::uint64_t contradictory_selections() const noexcept;

  // The tracker number of a game event's or message's user, if it is a player's.
  [[nodiscard]] std::optional<std::uint8_t> player_of_user(std::uint8_t user) const noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::sc2replay
