// Tracker events as structs. Field numbers are those in tracker_event.cpp.

#include "integer_cursor.hpp"
#include "tickreel/sc2replay/tracker_event.hpp"

namespace tickreel::sc2replay {

namespace {

constexpr bool has_all(std::uint64_t filled, std::uint64_t wanted) noexcept {
  return (filled & wanted) == wanted;
}

template <class T>
T value(const tracker_event& from, unsigned field) noexcept {
  return static_cast<T>(from.values[field]);
}

template <class T>
std::optional<T> maybe(const tracker_event& from, unsigned field) noexcept {
  if (!from.has(field)) return std::nullopt;
  return value<T>(from, field);
}

unit_tag tag_at(const tracker_event& from, unsigned field) noexcept {
  return unit_tag::of(value<std::uint32_t>(from, field), value<std::uint32_t>(from, field + 1));
}

std::optional<unit_tag> maybe_tag(const tracker_event& from, unsigned field) noexcept {
  if (!from.has(field) || !from.has(field + 1)) return std::nullopt;
  return tag_at(from, field);
}

map_point place_at(const tracker_event& from, unsigned field) noexcept {
  const double scale = tracker_scale(from.base_build);
  return {value<double>(from, field) * scale, value<double>(from, field + 1) * scale};
}

}  // namespace

bool read_unit_born(const tracker_event& from, unit_born& out) noexcept {
  if (!(from.is(tracker_kind::unit_born) || from.is(tracker_kind::unit_init)) ||
      !has_all(from.filled, 0x7F)) {
    return false;
  }
  out = {from.is(tracker_kind::unit_born), tag_at(from, 0),   from.text(2),      value<std::uint8_t>(from, 3),
         value<std::uint8_t>(from, 4),     place_at(from, 5), maybe_tag(from, 7)};
  return true;
}

bool read_unit_done(const tracker_event& from, unit_done& out) noexcept {
  if (!from.is(tracker_kind::unit_done) || !has_all(from.filled, 0x3)) return false;
  out = {tag_at(from, 0)};
  return true;
}

bool read_unit_died(const tracker_event& from, unit_died& out) noexcept {
  if (!from.is(tracker_kind::unit_died) || !has_all(from.filled, 0x1B)) return false;
  out = {tag_at(from, 0), maybe<std::uint8_t>(from, 2), maybe_tag(from, 5), place_at(from, 3)};
  return true;
}

bool read_unit_owner_change(const tracker_event& from, unit_owner_change& out) noexcept {
  if (!from.is(tracker_kind::unit_owner_change) || !has_all(from.filled, 0xF)) return false;
  out = {tag_at(from, 0), value<std::uint8_t>(from, 2), value<std::uint8_t>(from, 3)};
  return true;
}

bool read_unit_type_change(const tracker_event& from, unit_type_change& out) noexcept {
  if (!from.is(tracker_kind::unit_type_change) || !has_all(from.filled, 0x7)) return false;
  out = {tag_at(from, 0), from.text(2)};
  return true;
}

bool read_upgrade(const tracker_event& from, upgrade& out) noexcept {
  if (!from.is(tracker_kind::upgrade) || !has_all(from.filled, 0x7)) return false;
  out = {value<std::uint8_t>(from, 0), from.text(1), value<std::int32_t>(from, 2)};
  return true;
}

bool read_player_setup(const tracker_event& from, player_setup& out) noexcept {
  if (!from.is(tracker_kind::player_setup) || !has_all(from.filled, 0x3)) return false;
  const auto type = from.values[1];
  out = {value<std::uint8_t>(from, 0),
         type > 0 && type <= 4 ? static_cast<player_type>(type) : player_type::unknown,
         maybe<std::uint8_t>(from, 2), maybe<std::uint8_t>(from, 3)};
  return true;
}

unit_positions::unit_positions(const tracker_event& from) noexcept
    : items_(from.items),
      left_(from.item_count / 3),
      index_(from.has(0) ? value<std::uint32_t>(from, 0) : 0),
      scale_(tracker_scale(from.base_build)) {}

bool unit_positions::next(indexed_place& out) noexcept {
  if (left_ == 0) return false;
  --left_;
  // Whole integers with their tags: tracker_event_reader has checked them.
  integer_cursor from(items_);
  std::int64_t triple[3];
  for (std::int64_t& each : triple) {
    (void)from.u8();
    each = from.integer();
  }
  index_ += static_cast<std::uint32_t>(triple[0]);
  out = {index_, {static_cast<double>(triple[1]) * scale_, static_cast<double>(triple[2]) * scale_}};
  items_ = items_.subspan(from.position());
  return true;
}

bool read_player_stats(const tracker_event& from, player_stats& out) noexcept {
  if (!from.is(tracker_kind::player_stats) || !from.has(0)) return false;
  std::int64_t player_stats::* const members[] = {
      &player_stats::minerals_current,
      &player_stats::vespene_current,
      &player_stats::minerals_collection_rate,
      &player_stats::vespene_collection_rate,
      &player_stats::workers_active_count,
      &player_stats::minerals_used_in_progress_army,
      &player_stats::minerals_used_in_progress_economy,
      &player_stats::minerals_used_in_progress_technology,
      &player_stats::vespene_used_in_progress_army,
      &player_stats::vespene_used_in_progress_economy,
      &player_stats::vespene_used_in_progress_technology,
      &player_stats::minerals_used_current_army,
      &player_stats::minerals_used_current_economy,
      &player_stats::minerals_used_current_technology,
      &player_stats::vespene_used_current_army,
      &player_stats::vespene_used_current_economy,
      &player_stats::vespene_used_current_technology,
      &player_stats::minerals_lost_army,
      &player_stats::minerals_lost_economy,
      &player_stats::minerals_lost_technology,
      &player_stats::vespene_lost_army,
      &player_stats::vespene_lost_economy,
      &player_stats::vespene_lost_technology,
      &player_stats::minerals_killed_army,
      &player_stats::minerals_killed_economy,
      &player_stats::minerals_killed_technology,
      &player_stats::vespene_killed_army,
      &player_stats::vespene_killed_economy,
      &player_stats::vespene_killed_technology,
      &player_stats::food_used,
      &player_stats::food_made,
      &player_stats::minerals_used_active_forces,
      &player_stats::vespene_used_active_forces,
      &player_stats::minerals_friendly_fire_army,
      &player_stats::minerals_friendly_fire_economy,
      &player_stats::minerals_friendly_fire_technology,
      &player_stats::vespene_friendly_fire_army,
      &player_stats::vespene_friendly_fire_economy,
      &player_stats::vespene_friendly_fire_technology,
  };
  out = {};
  out.player = value<std::uint8_t>(from, 0);
  for (std::size_t i = 0; i < std::size(members); ++i) {
    if ((from.filled_stats >> i & 1) != 0) out.*members[i] = from.stats[i];
  }
  return true;
}

}  // namespace tickreel::sc2replay
