// Tracker events as analysis events.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bridge_state.hpp"

namespace tickreel::sc2replay {

namespace {

// Analysis events have at most this many units in one sample.
constexpr std::size_t sample_limit = 256;

template <class To>
To clamped(std::int64_t value) noexcept {
  return static_cast<To>(
      std::clamp<std::int64_t>(value, std::numeric_limits<To>::min(), std::numeric_limits<To>::max()));
}

std::int32_t fixed(double map_units) noexcept {
  return clamped<std::int32_t>(std::llround(std::clamp(map_units * point_scale, -4e9, 4e9)));
}

// All collected resources are in the bank, in use, or lost.
std::array<std::int64_t, 2> total_collected(const player_stats& of) noexcept {
  const auto sum = [](auto... parts) {
    // Hostile numbers wrap instead of overflowing.
    return static_cast<std::int64_t>((static_cast<std::uint64_t>(parts) + ...));
  };
  return {sum(of.minerals_current, of.minerals_used_in_progress_army, of.minerals_used_in_progress_economy,
              of.minerals_used_in_progress_technology, of.minerals_used_current_army,
              of.minerals_used_current_economy, of.minerals_used_current_technology, of.minerals_lost_army,
              of.minerals_lost_economy, of.minerals_lost_technology),
          sum(of.vespene_current, of.vespene_used_in_progress_army, of.vespene_used_in_progress_economy,
              of.vespene_used_in_progress_technology, of.vespene_used_current_army,
              of.vespene_used_current_economy, of.vespene_used_current_technology, of.vespene_lost_army,
              of.vespene_lost_economy, of.vespene_lost_technology)};
}

std::int64_t sum_of(std::int64_t left, std::int64_t right) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(left) + static_cast<std::uint64_t>(right));
}
std::int64_t difference_of(std::int64_t left, std::int64_t right) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(left) - static_cast<std::uint64_t>(right));
}

}  // namespace

analysis::unit_tag to_analysis(unit_tag tag) noexcept {
  return {static_cast<std::uint16_t>(tag.index()), static_cast<std::uint16_t>(tag.recycle())};
}

analysis::world_position to_analysis(const map_point& place) noexcept {
  return {fixed(place.x), fixed(place.y), 0};
}

void analysis_bridge::state::take_tracker() {
  unit_born born;
  unit_died died;
  unit_done done;
  unit_owner_change owner;
  unit_type_change change;
  upgrade bought;
  if (read_unit_born(tracker, born)) {
    take_birth(born);
  } else if (read_unit_done(tracker, done)) {
    take_done(done);
  } else if (read_unit_died(tracker, died)) {
    take_death(died);
  } else if (read_unit_owner_change(tracker, owner)) {
    take_owner_change(owner);
  } else if (read_upgrade(tracker, bought)) {
    take_upgrade(bought);
  } else if (tracker.is(tracker_kind::player_stats)) {
    take_stats();
  } else if (tracker.is(tracker_kind::unit_positions)) {
    take_positions();
  } else if (read_unit_type_change(tracker, change)) {
    take_type_change(change);
  } else if (tracker.is(tracker_kind::player_setup)) {
    leave_out("set-ups of players");
  } else {
    leave_out("tracker events of unknown kinds");
  }
}

void analysis_bridge::state::take_birth(const unit_born& born) {
  const std::uint32_t type = unit_types.number(born.type_name);
  const std::string_view name = unit_types.names()[type];
  const analysis::unit_tag unit = to_analysis(born.unit);
  const analysis::world_position place = to_analysis(born.place);
  living[born.unit.index()] = {born.unit, born.control_player, type, born.place};
  ++counters[born.control_player].alive;
  if (born.finished) {
    emit(analysis::unit_created{tracker.tick, unit, type, born.control_player, place}, false, name);
  } else {
    emit(analysis::construction_started{tracker.tick, unit, type, born.control_player, place}, false, name);
  }
}

living_unit* analysis_bridge::state::find_living(unit_tag tag) {
  const auto found = living.find(tag.index());
  return found != living.end() && found->second.tag == tag ? &found->second : nullptr;
}

unit_facts analysis_bridge::state::facts_of(const living_unit& unit, std::optional<map_point> place) const {
  unit_facts out;
  out.owner = unit.owner;
  out.type = unit.type;
  out.type_name = unit_types.names()[unit.type];
  out.place = place;
  return out;
}

void analysis_bridge::state::take_done(const unit_done& done) {
  if (const living_unit* const unit = find_living(done.unit)) origin.unit = facts_of(*unit, unit->place);
  emit(analysis::construction_completed{tracker.tick, to_analysis(done.unit)});
}

void analysis_bridge::state::take_death(const unit_died& died) {
  if (const living_unit* const unit = find_living(died.unit)) {
    origin.unit = facts_of(*unit, died.place);
    player_counters& loser = counters[unit->owner];
    if (loser.alive > 0) --loser.alive;
    ++loser.lost;
    living.erase(died.unit.index());
  }
  if (died.killer_player) ++counters[*died.killer_player].killed;
  analysis::unit_destroyed gone{tracker.tick, to_analysis(died.unit), std::nullopt, std::nullopt};
  if (died.killer) gone.killer_tag = to_analysis(*died.killer);
  if (died.killer_player) gone.killer_owner = *died.killer_player;
  emit(std::move(gone));
}

void analysis_bridge::state::take_owner_change(const unit_owner_change& owner) {
  if (const auto found = living.find(owner.unit.index()); found != living.end()) {
    player_counters& before = counters[found->second.owner];
    if (before.alive > 0) --before.alive;
    ++counters[owner.control_player].alive;
    const std::uint8_t owner_before = std::exchange(found->second.owner, owner.control_player);
    origin.unit = facts_of(found->second, std::nullopt);
    origin.unit->owner_before = owner_before;
  }
  leave_out("changes of a unit's owner");
}

void analysis_bridge::state::take_type_change(const unit_type_change& change) {
  const std::uint32_t type = unit_types.number(change.type_name);
  if (living_unit* const unit = find_living(change.unit)) {
    unit->type = type;
    origin.unit = facts_of(*unit, std::nullopt);
  }
  leave_out("changes of a unit's type");
}

void analysis_bridge::state::take_upgrade(const upgrade& bought) {
  const bool only_looks =
      bought.count <= 0 || bought.type_name.starts_with("Spray") || bought.type_name.starts_with("Reward");
  if (tracker.tick == 0 || only_looks) {
    leave_out("upgrades that are there at the start or only look different");
    return;
  }
  const std::uint32_t number = upgrades.number(bought.type_name);
  emit(analysis::upgrade_completed{tracker.tick, bought.player, number}, false, upgrades.names()[number]);
}

void analysis_bridge::state::take_stats() {
  player_stats numbers;
  if (!read_player_stats(tracker, numbers)) {
    leave_out("tracker events of unknown kinds");
    return;
  }
  player_counters& counted = counters[numbers.player];
  const auto collected = total_collected(numbers);
  analysis::player_stats stats;
  stats.credits = numbers.minerals_current;
  stats.power_made = clamped<std::int32_t>(numbers.food_made);
  stats.power_used = clamped<std::int32_t>(numbers.food_used);
  stats.army_value = sum_of(numbers.minerals_used_current_army, numbers.vespene_used_current_army);
  stats.units_alive = counted.alive;
  stats.units_lost = counted.lost;
  stats.units_killed = counted.killed;
  stats.collected = sum_of(collected[0], collected[1]);
  stats.spent = difference_of(stats.collected, sum_of(numbers.minerals_current, numbers.vespene_current));
  if (tracker.tick > 0) {
    constexpr double seconds_times_hundred = 6000;
    const double minutes = static_cast<double>(tracker.tick) / sources.ticks_per_second;
    stats.apm_x100 = clamped<std::uint32_t>(static_cast<std::int64_t>(
        std::floor(static_cast<double>(counted.actions) * seconds_times_hundred / minutes)));
  }
  emit(analysis::player_stat_snapshot{tracker.tick, numbers.player, stats});
  for (std::uint32_t resource = 0; resource < collected.size(); ++resource) {
    const std::int64_t more =
        counted.collected ? difference_of(collected[resource], (*counted.collected)[resource]) : 0;
    if (more > 0) {
      emit(analysis::resource_collected{tracker.tick, numbers.player, resource, clamped<std::int32_t>(more)},
           true);
    }
  }
  counted.collected = collected;
}

void analysis_bridge::state::take_positions() {
  std::vector<analysis::unit_position> found;
  unit_positions places(tracker);
  for (indexed_place place; places.next(place);) {
    const auto unit = living.find(place.index);
    if (unit == living.end()) {
      leave_out("positions of units that are not alive");
    } else {
      found.push_back({to_analysis(unit->second.tag), to_analysis(place.place)});
    }
  }
  std::ranges::sort(found, {}, &analysis::unit_position::tag);
  for (std::size_t at = 0; at < found.size(); at += sample_limit) {
    const auto first = found.begin() + static_cast<std::ptrdiff_t>(at);
    const auto last = found.size() - at > sample_limit ? first + sample_limit : found.end();
    emit(analysis::unit_position_sample{tracker.tick, {first, last}});
  }
}

}  // namespace tickreel::sc2replay
