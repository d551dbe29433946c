// Finds what nobody told: engagements, wiped armies, destroyed bases and comebacks, by watching states and
// events; and samples cameras and statistics at their usual rates.
//
//   detector found(rules);
//   at each state:   found.begin(tick);  found.see(unit) ... ;  found.end(events);
//   at each event:   found.happened(event, events);
//   at last:         found.finish(tick, events);
//
// Whole numbers only, and nothing depends on memory addresses or the clock: the same input gives the same
// events on every machine. All that it makes is marked as derived. One thread at a time; allocates.
//
// The rules
//   engagement_started  units of opposing teams, one of an army among them, are within weapon_range of each
//                       other. Who is in range of somebody who is in range belongs to it. "Friendly" is the
//                       team of the lowest player number.
//   engagement_ended    one side has nobody left, or for calm_ms nobody was in range and nobody was lost. Its
//                       duration ends with the last contact or loss. Fights that meet go on as the older one
//                       and end once.
//   army_wipe           at an engagement's end, for a player who lost more than army_wipe_percent of the
//   value
//                       that his whole army had when he entered it, and of what joined the army meanwhile.
//   base_destroyed      the last building of a base is gone. Buildings of a player within base_range of each
//                       other are one base, if it ever had base_buildings of them at once.
//   comeback_moment     a player's army value was below losing_percent of his strongest enemy's, and is now
//                       above it. Looked at whenever there are new statistics.
//   camera_position_sample, player_stat_snapshot    every camera_interval_ms and statistics_interval_ms.
//
// A unit that is not seen any more is lost. What the game tells in events itself, of one of these types, is
// not made here once it did.
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
  std::int64_t value = 0;  // in the simulation's money; taken to be within 2^40 of 0, as armies are
};

// What the events unit_created and construction_started do not say about a type of unit.
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
  std::uint32_t army_wipe_units = 3;  // a loss of fewer is none

  // 0: no bases.
  std::int32_t base_range = 0;
  std::uint32_t base_buildings = 3;

  std::uint32_t losing_percent = 30;

  std::uint32_t camera_interval_ms = 500;         // 2 a second
  std::uint32_t statistics_interval_ms = 60'000;  // once a minute

  // Of players 0, 1, ...; those beyond are alone. Empty: everybody against everybody.
  std::vector<std::uint32_t> teams = {};
  // By type. Types that are not here are army, and worth nothing.
  std::map<std::uint32_t, unit_kind> kinds = {};
};

class detector {
 public:
  explicit detector(const detector_rules& rules);
  detector(detector&&) noexcept;
  detector& operator=(detector&&) noexcept;
  ~detector();

  // A look at the whole world as it is at `tick`; ticks never fall.
  void begin(std::uint64_t tick);
  void see(const observed_unit& unit);
  void see_camera(std::uint32_t player, world_position viewport_center, std::uint16_t zoom_level);
  // Without this, statistics are what looks and events tell: alive, lost, killed, army value.
  void see_statistics(std::uint32_t player, const player_stats& stats);
  // What was not seen since begin() is gone. Appends what follows from that; all has this look's tick.
  void end(std::vector<event>& out);

  // Something that the game told; never earlier than what was told before. What follows from it has its tick.
  void happened(const event& what, std::vector<event>& out);

  // Nothing more comes: engagements that go on end now.
  void finish(std::uint64_t tick, std::vector<event>& out);

  // The types that it can make: bit n for type n.
  [[nodiscard]] static std::uint32_t types() noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::analysis
