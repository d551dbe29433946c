// Computes statistics of each player of a replay: actions, economy, army, losses, and build orders. Pure: a
// replay in, numbers out. docs/statistics.md defines every value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/result.hpp"
#include "tickreel/sc2replay/game_event.hpp"
#include "tickreel/sc2replay/replay.hpp"
#include "tickreel/sc2replay/tracker_event.hpp"

namespace tickreel::sc2replay {

// Whether it is an action of a player: an order, its repetition, a change of the selection, a control group.
// Automatic updates of the game are not.
[[nodiscard]] bool is_action(const game_event& event) noexcept;

// One player_stats event, every 160 loops in all known builds. Resources are the sum of minerals and vespene.
struct economy_sample {
  std::uint64_t tick = 0;
  double supply_used = 0;
  double supply_made = 0;
  std::int64_t workers = 0;
  double income = 0;  // per minute of game time (16 loops per second), in every version
  std::int64_t unspent = 0;
  std::int64_t army_value = 0;
};

enum class build_kind : std::uint8_t {
  started,     // a building, a warped-in unit, or one whose egg or cocoon shows the start
  completed,   // a unit from a building: replays do not contain the start of its training
  morphed,     // into another type for the first time; at its start if a cocoon shows it
  researched,  // completed; replays do not contain its start
};
// "started", "completed", "morphed", "researched".
[[nodiscard]] std::string_view name(build_kind value) noexcept;

struct build_step {
  std::uint64_t tick = 0;
  // Just before `tick`: the last sample, and the units that began, merged and died since; 0: no sample.
  // Training times come from a table, so chrono boost becomes visible with the next sample.
  double supply_used = 0;
  build_kind kind = build_kind::started;
  std::string type_name;   // the game's own: "SupplyDepot"
  bool cancelled = false;  // by its owner during construction
};

struct player_statistics {
  std::uint8_t number = 0;  // as player::number
  // From game events; empty for computers, and if they are missing.
  bool has_actions = false;
  std::uint64_t actions = 0;
  std::uint64_t first_tick = 0;  // of a resumed game: when this player took over; actions count from there
  std::uint64_t last_tick = 0;   // of the last event, which may be the leave
  std::vector<std::uint32_t> actions_by_minute;
  // From tracker events, which replays have from 2.0.8 on.
  bool has_tracker = false;
  std::vector<economy_sample> samples;
  std::uint64_t units_created = 0;  // including buildings, without those at the start
  // Killed units, including buildings; without units that expire.
  std::uint64_t units_lost = 0;
  std::uint64_t units_killed = 0;  // likewise, of other players; not of the map itself
  std::uint64_t workers_created = 0;
  std::uint64_t upgrades = 0;
  std::int64_t minerals_lost = 0;
  std::int64_t vespene_lost = 0;
  std::uint64_t supply_blocked_ticks = 0;
  std::vector<build_step> build_order;

  // Of the samples; empty if there are none.
  [[nodiscard]] std::optional<double> average_income() const noexcept;
  [[nodiscard]] std::optional<double> average_unspent() const noexcept;
  // 35 * (0.00137 * income - ln(unspent)) + 240, of both averages, with the income per minute of game time:
  // the "spending quotient" that whatthefat proposed on teamliquid.net in 2011. Empty if nothing was unspent
  // or nothing collected.
  [[nodiscard]] std::optional<double> spending_quotient() const noexcept;
};

struct match_statistics {
  std::vector<player_statistics> players;  // in the order of replay::players
  // Streams that could not be read to their end: earlier events are counted.
  std::optional<error> game_stopped;
  std::optional<error> tracker_stopped;
};

// The replay's events must be decompressed. Allocates; `minute_ticks` is the number of loops per minute of
// actions_by_minute, above 0. Minutes beyond a day are counted in the last one.
[[nodiscard]] match_statistics measure(const replay& of, double minute_ticks);

}  // namespace tickreel::sc2replay
