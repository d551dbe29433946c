// A replay's events as analysis events, in the order of their ticks. Pure: bytes in, events out.
//
//   analysis event           from
//   unit_created             unit_born
//   construction_started     unit_init
//   construction_completed   unit_done
//   unit_destroyed           unit_died; units that become another or merge die without a killer
//   unit_position_sample     unit_positions
//   player_stat_snapshot     player_stats, and counts of the units born and dead so far: units_* count all
//                            units, as replays do not tell buildings apart, and buildings_* stay 0
//   resource_collected       derived: what was collected between two player_stats; 0 minerals, 1 vespene
//   upgrade_completed        upgrade, but for what is there at the start and what only looks different
//   camera_position_sample   camera_update, at most one each half game second, at the end of it
//   selection_changed        selection_delta and recalled control groups; derived where units go, which ones
//                            takes following the selection
//   control_group_event      control_group_update, but for clearing
//   ability_used             command; right clicks, which name no ability, have right_click_ability_id;
//   derived
//                            where a later target of one comes
//   match_ended              derived: the last leave, or the end of the game, and the players' results
//
// Ticks are loops. Places have 4096 steps a map unit, the camera's distance is in whole map units, food in
// the game's 4096ths. Players are tracker numbers, teams count from 1. Unit types and upgrades are numbered
// as they come, see unit_types(); abilities are link * 32 + index of the game's data. Tags keep the low 16
// bits of how often a place was given anew.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/analysis/event.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"
#include "tickreel/sc2replay/game_event.hpp"
#include "tickreel/sc2replay/message.hpp"
#include "tickreel/sc2replay/players.hpp"
#include "tickreel/sc2replay/tracker_event.hpp"

namespace tickreel::sc2replay {

// Everything must outlive the bridge. Streams that are not there are empty.
struct bridge_sources {
  std::uint32_t base_build = 0;
  std::uint64_t loops = 0;  // of the whole game, as the header says
  byte_span game_events;
  byte_span message_events;
  byte_span tracker_events;
  std::span<const player> players;
  double ticks_per_second = loops_per_game_second;  // of the minutes in actions per minute
};

// A unit that an event is about, as far as the events before tell.
struct unit_facts {
  std::uint8_t owner = 0;                         // after the event
  std::optional<std::uint8_t> owner_before = {};  // of a change of the owner
  std::uint32_t type = 0;                         // in unit_types(); after the event
  std::string_view type_name;
  std::optional<map_point> place = {};  // where it died, or was begun to be built
};

// What came next: an analysis event, what it was made from, or both.
struct bridged {
  // Null: what it was made from has no counterpart. What only goes into a later event does not come alone.
  const analysis::event* event = nullptr;
  // The type of the unit or the upgrade that `event` names with a number; empty for others.
  std::string_view type_name;
  // Of deaths, finished buildings, and changes of a unit's type or owner.
  std::optional<unit_facts> unit = {};
  // At most one of them; none for what no single event says. An event that became several comes with each.
  const game_event* game = nullptr;
  const tracker_event* tracker = nullptr;
  const message* said = nullptr;
};

// Something without a counterpart among analysis events, and how often it came.
struct left_out {
  std::string_view what;  // static text, in the plural
  std::uint64_t count = 0;
};

// A stream that could not be read to its end; what came before was given.
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

  // The names behind unit_type and upgrade_id that came so far.
  [[nodiscard]] const std::deque<std::string>& unit_types() const noexcept;
  [[nodiscard]] const std::deque<std::string>& upgrades() const noexcept;

  // Complete once next() has returned false.
  [[nodiscard]] std::span<const left_out> without_counterpart() const noexcept;
  [[nodiscard]] std::span<const bridge_problem> problems() const noexcept;

  // The tracker number of a game event's or message's user, when it is a player's.
  [[nodiscard]] std::optional<std::uint8_t> player_of_user(std::uint8_t user) const noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::sc2replay
