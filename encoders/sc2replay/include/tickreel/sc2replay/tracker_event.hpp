// replay.tracker.events, from 2.0.8 on: events of units and players, recorded by the game itself.
//
//   event = choice (tick delta: the form of the integer, then the integer), id: integer, struct
// all of it versioned data, see versioned.hpp. The fields of each id's struct are in tracker_event.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"
#include "tickreel/sc2replay/event_stream.hpp"
#include "tickreel/sc2replay/units.hpp"

namespace tickreel::sc2replay {

// Numbers as in the stream. Higher ids are read too, because they are self-describing.
enum class tracker_kind : std::uint8_t {
  player_stats,
  unit_born,
  unit_died,
  unit_owner_change,
  unit_type_change,
  upgrade,
  unit_init,
  unit_done,
  unit_positions,
  player_setup,
};

// Reused by tracker_event_reader.
struct tracker_event {
  static constexpr std::size_t field_limit = 16;
  static constexpr std::size_t stats_limit = 64;

  std::uint64_t tick = 0;  // in loops
  std::uint32_t id = 0;
  std::uint32_t base_build = 0;
  // The offset of the event in its stream, the event itself, and the struct in it; valid as long as the
  // stream.
  std::uint64_t offset = 0;
  byte_span bytes;
  byte_span fields;

  [[nodiscard]] bool is(tracker_kind kind) const noexcept { return id == static_cast<std::uint32_t>(kind); }
  // "unit_born"; "unknown" for ids beyond tracker_kind.
  [[nodiscard]] std::string_view name() const noexcept;

  // For the functions below: field n's integer; for a blob its offset in `bytes` << 32 | its size. Fields
  // from 16 on are skipped; `fields` contains all of them.
  [[nodiscard]] bool has(unsigned field) const noexcept { return (filled >> field & 1) != 0; }
  [[nodiscard]] std::string_view text(unsigned field) const noexcept;
  std::uint64_t filled = 0;        // bit n: field n
  std::uint64_t filled_stats = 0;  // bit n: stats[n]
  std::array<std::int64_t, field_limit> values;
  std::array<std::int64_t, stats_limit> stats;  // of player_stats
  byte_span items;                              // of unit_positions: integers, each with its tag
  std::size_t item_count = 0;
};

// The name of a field in the stream's own order, "unit_tag_index"; empty for unknown numbers.
[[nodiscard]] std::string_view tracker_field_name(std::uint32_t id, std::int64_t field) noexcept;
[[nodiscard]] std::string_view tracker_stat_name(std::int64_t field) noexcept;

// Reads a stream from its first event to its last byte. Allocates nothing; one thread at a time. The stream
// must outlive the reader and its results.
//
// An error contains the offset in the stream, and is final: earlier events are valid.
class tracker_event_reader : public event_stream {
 public:
  tracker_event_reader(byte_span stream, std::uint32_t base_build) noexcept
      : event_stream(stream, base_build) {}

  // False after the last event. malformed, over_limit (too deep) or truncated.
  result<bool> next(tracker_event& out) noexcept;
};

// Events as structs. False if the event is of another kind or lacks a field that all builds have. Texts are
// valid as long as the stream. Positions are in map units in every build.

struct unit_born {
  bool finished = true;  // false: unit_init, under construction; unit_done follows
  unit_tag unit;
  std::string_view type_name;  // "Marine"
  std::uint8_t control_player = 0;
  std::uint8_t upkeep_player = 0;
  map_point place;
  // From 4.0 on.
  std::optional<unit_tag> creator;
};
// Also for unit_init.
[[nodiscard]] bool read_unit_born(const tracker_event& from, unit_born& out) noexcept;

struct unit_done {
  unit_tag unit;
};
[[nodiscard]] bool read_unit_done(const tracker_event& from, unit_done& out) noexcept;

struct unit_died {
  unit_tag unit;
  std::optional<std::uint8_t> killer_player;
  std::optional<unit_tag> killer;  // from 2.1 on
  map_point place;
};
[[nodiscard]] bool read_unit_died(const tracker_event& from, unit_died& out) noexcept;

struct unit_owner_change {
  unit_tag unit;
  std::uint8_t control_player = 0;
  std::uint8_t upkeep_player = 0;
};
[[nodiscard]] bool read_unit_owner_change(const tracker_event& from, unit_owner_change& out) noexcept;

struct unit_type_change {
  unit_tag unit;
  std::string_view type_name;
};
[[nodiscard]] bool read_unit_type_change(const tracker_event& from, unit_type_change& out) noexcept;

struct upgrade {
  std::uint8_t player = 0;
  std::string_view type_name;
  std::int32_t count = 0;  // 0 or less for upgrades that only change the appearance
};
[[nodiscard]] bool read_upgrade(const tracker_event& from, upgrade& out) noexcept;

enum class player_type : std::uint8_t { unknown, human, computer, neutral, hostile };

struct player_setup {
  std::uint8_t player = 0;  // 1 to 15; 0 is neutral
  player_type type = player_type::unknown;
  std::optional<std::uint8_t> user;  // as in game events
  std::optional<std::uint8_t> slot;  // of the lobby
};
[[nodiscard]] bool read_player_setup(const tracker_event& from, player_setup& out) noexcept;

// A unit that dealt or received damage: the one alive under that index.
struct indexed_place {
  std::uint32_t index = 0;
  map_point place;
};

// Iterates over the positions. The event must be unit_positions; next() is false at the end.
class unit_positions {
 public:
  explicit unit_positions(const tracker_event& from) noexcept;
  bool next(indexed_place& out) noexcept;

 private:
  byte_span items_;
  std::size_t left_ = 0;
  std::uint32_t index_ = 0;
  int scale_ = 1;
};

// In whole units of the game, except food, which is in 4096ths. May be negative.
struct player_stats {
  std::uint8_t player = 0;
  std::int64_t minerals_current = 0;
  std::int64_t vespene_current = 0;
  std::int64_t minerals_collection_rate = 0;  // per minute of game time
  std::int64_t vespene_collection_rate = 0;
  std::int64_t workers_active_count = 0;
  std::int64_t minerals_used_in_progress_army = 0;
  std::int64_t minerals_used_in_progress_economy = 0;
  std::int64_t minerals_used_in_progress_technology = 0;
  std::int64_t vespene_used_in_progress_army = 0;
  std::int64_t vespene_used_in_progress_economy = 0;
  std::int64_t vespene_used_in_progress_technology = 0;
  std::int64_t minerals_used_current_army = 0;
  std::int64_t minerals_used_current_economy = 0;
  std::int64_t minerals_used_current_technology = 0;
  std::int64_t vespene_used_current_army = 0;
  std::int64_t vespene_used_current_economy = 0;
  std::int64_t vespene_used_current_technology = 0;
  std::int64_t minerals_lost_army = 0;
  std::int64_t minerals_lost_economy = 0;
  std::int64_t minerals_lost_technology = 0;
  std::int64_t vespene_lost_army = 0;
  std::int64_t vespene_lost_economy = 0;
  std::int64_t vespene_lost_technology = 0;
  std::int64_t minerals_killed_army = 0;
  std::int64_t minerals_killed_economy = 0;
  std::int64_t minerals_killed_technology = 0;
  std::int64_t vespene_killed_army = 0;
  std::int64_t vespene_killed_economy = 0;
  std::int64_t vespene_killed_technology = 0;
  std::int64_t food_used = 0;
  std::int64_t food_made = 0;
  std::int64_t minerals_used_active_forces = 0;
  std::int64_t vespene_used_active_forces = 0;
  // From 2.0.10 on.
  std::int64_t minerals_friendly_fire_army = 0;
  std::int64_t minerals_friendly_fire_economy = 0;
  std::int64_t minerals_friendly_fire_technology = 0;
  std::int64_t vespene_friendly_fire_army = 0;
  std::int64_t vespene_friendly_fire_economy = 0;
  std::int64_t vespene_friendly_fire_technology = 0;
  bool operator==(const player_stats&) const = default;
};
[[nodiscard]] bool read_player_stats(const tracker_event& from, player_stats& out) noexcept;

}  // namespace tickreel::sc2replay
