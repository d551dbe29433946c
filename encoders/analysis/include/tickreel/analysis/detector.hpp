// Detects events that a game does not report: engagements, wiped armies, destroyed bases and comebacks, from states
// and events; and samples cameras and statistics at their usual rates.
//
//   detector found(rules);
//   at each state:   found.begin(tick);  found.see(unit) ... ;  found.end(events);
//   at each event:   found.happened(event, events);
//   at last:         found.finish(tick, events);
//
// Uses whole numbers only, independent of memory addresses and the clock: the same input produces the same
// events on every machine. All its events are marked as derived. One thread at a time; allocates.
//
// The rules
//   engagement_started  units of opposing teams, at least one of an army, are within weapon_range of each
//                       other. Units in range of a member belong to it. "Friendly" is the team of the
//                       lowest player number.
//   engagement_ended    one side has no units left, or for calm_ms none was in range and none was lost. Its
//                       duration ends with the last contact or loss. Engagements that meet continue as the older
//                       one and end once.
//   army_wipe           at an engagement's end, for a player who lost more than army_wipe_percent of the value
//                       of the whole army at the start of the engagement and of the units that joined it since.
//   base_destroyed      the last building of a base is gone. Buildings of a player within base_range of each
//                       other are one base, if it ever had base_buildings of them at the same time.
//   comeback_moment     a player's army value was below losing_percent of the strongest enemy's, and is now
//                       above it. Checked at new statistics.
//   camera_position_sample, player_stat_snapshot    every camera_interval_ms and statistics_interval_ms.
//
// A unit that is no longer seen is lost. Types that the game itself reports as events are not derived after
// the first of them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "tickreel/analysis/event.hpp"

namespace tickreel::analysis {

enum class unit_role : std::uint8_t { army, worker, building };

struct observed_unit {
  unit_tag tag;
  std::uint32_t owner = 0;
  world_position pos;
  unit_role role = unit_role::army;
  std::int64_t value = 0;  // in the simulation's money; must be within 2^40 of 0
};

// Properties of a type of unit that the events unit_created and construction_started lack.
struct unit_kind {
  unit_role role = unit_role::army;
  std::int64_t value = 0;
};

struct detector_rules {
  std::uint32_t ticks_per_second = 15;

  // In the units of world_position. 0: no engagements, and no wiped armies.
  std::int32_t weapon_range = 0;
  std::uint32_t calm_ms = 5'000;
  std::uint32_t army_wipe_percent = 70;
  std::uint32_t army_wipe_units = 3;  // fewer lost units are not a wipe

  // 0: no bases.
  std::int32_t base_range = 0;
  std::uint32_t base_buildings = 3;

  std::uint32_t losing_percent = 30;

  std::uint32_t camera_interval_ms = 500;         // 2 a second
  std::uint32_t statistics_interval_ms = 60'000;  // once a minute

  // Of players 0, 1, ...; further players have their own teams. Empty: all against all.
  std::vector<std::uint32_t> teams = {};
  // By type. Other types are army, without value.
  std::map<std::uint32_t, unit_kind> kinds = {};
};

class detector {
 public:
  explicit detector(const detector_rules& rules);
  detector(detector&&) noexcept;
  detector& operator=(detector&&) noexcept;
  ~detector();

  // Starts an observation of the whole world at `tick`; ticks never fall.
  void begin(std::uint64_t tick);
  void see(const observed_unit& unit);
  void see_camera(std::uint32_t player, world_position viewport_center, std::uint16_t zoom_level);
  // Without this, statistics come from observations and events: alive, lost, killed, army value.
  void see_statistics(std::uint32_t player, const player_stats& stats);
  // Units not seen since begin() are lost. Appends the resulting events, all with this tick.
  void end(std::vector<event>& out);

  // An event reported by the game; ticks never fall. Resulting events have its tick.
  void happened(const event& what, std::vector<event>& out);

  // The end: finishes running engagements.
  void finish(std::uint64_t tick, std::vector<event>& out);

  // The types that it can produce: bit n for type n.
  [[nodiscard]] static std::uint32_t types() noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::analysis
