#include "engagements.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tickreel::analysis {

namespace {

// Disjoint sets of units.
class groups {
 public:
  explicit groups(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }
  std::size_t of(std::size_t unit) {
    while (parent_[unit] != unit) unit = parent_[unit] = parent_[parent_[unit]];
    return unit;
  }
  // The lowest number identifies a group.
  void join(std::size_t a, std::size_t b) {
    a = of(a);
    b = of(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

// A square of the map, as wide as the weapon range: units in range are in the same or a neighbouring square.
struct square {
  std::int64_t x = 0;
  std::int64_t y = 0;
  friend auto operator<=>(const square&, const square&) = default;
};

std::int64_t floor_divide(std::int64_t value, std::int64_t by) noexcept {
  return value >= 0 ? value / by : -((-value + by - 1) / by);
}

std::uint64_t distance(std::int32_t a, std::int32_t b) noexcept {
  const std::int64_t difference = std::int64_t{a} - b;
  return static_cast<std::uint64_t>(difference < 0 ? -difference : difference);
}

template <class Content>
void emit(std::vector<event>& out, Content content) {
  out.push_back({std::move(content), true});
}

}  // namespace

bool within(const world_position& a, const world_position& b, std::int32_t range) noexcept {
  const auto reach = static_cast<std::uint64_t>(std::max(range, 0));
  const std::uint64_t x = distance(a.x, b.x);
  const std::uint64_t y = distance(a.y, b.y);
  const std::uint64_t z = distance(a.z, b.z);
  if (x > reach || y > reach || z > reach) return false;
  // Each is below 2^31, so the sum of squares fits into 64 bits.
  return x * x + y * y + z * z <= reach * reach;
}

std::vector<engagements::contact> engagements::contacts(const unit_map& units) const {
  std::vector<std::pair<square, std::size_t>> places;
  std::vector<const observed_unit*> all;
  for (const auto& [tag, unit] : units) {
    const square at{floor_divide(unit.pos.x, rules_.weapon_range),
                    floor_divide(unit.pos.y, rules_.weapon_range)};
    places.emplace_back(at, all.size());
    all.push_back(&unit);
  }
  std::ranges::sort(places);
  groups joined(all.size());
  std::vector<bool> in_contact(all.size(), false);
  const auto meet = [&](std::size_t a, std::size_t b) {
    if (teams_.of(all[a]->owner) == teams_.of(all[b]->owner)) return;
    if (!within(all[a]->pos, all[b]->pos, rules_.weapon_range)) return;
    in_contact[a] = in_contact[b] = true;
    joined.join(a, b);
  };
  // Each pair of squares once: with itself, and those to the right and below.
  constexpr std::pair<int, int> neighbours[] = {{0, 1}, {1, -1}, {1, 0}, {1, 1}};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto& [at, unit] = places[i];
    for (std::size_t k = i + 1; k < places.size() && places[k].first == at; ++k) {
      meet(unit, places[k].second);
    }
    for (const auto& [dx, dy] : neighbours) {
      const square next{at.x + dx, at.y + dy};
      const auto first = std::ranges::lower_bound(places, std::pair(next, std::size_t{0}));
      for (auto other = first; other != places.end() && other->first == next; ++other) {
        meet(unit, other->second);
      }
    }
  }
  std::map<std::size_t, contact> by_group;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (in_contact[i]) by_group[joined.of(i)].push_back(all[i]);
  }
  std::vector<contact> out;
  for (auto& [group, members] : by_group) {
    const bool has_army =
        std::ranges::any_of(members, [](const observed_unit* unit) { return unit->role == unit_role::army; });
    if (has_army) out.push_back(std::move(members));
  }
  return out;
}

void engagements::born(const observed_unit& unit) {
  if (unit.role != unit_role::army) return;
  for (auto& [number, one] : open_) {
    if (const auto found = one.players.find(unit.owner); found != one.players.end()) {
      found->second.army_before += unit.value;
    }
  }
}

void engagements::lost(const observed_unit& unit, std::uint64_t tick) {
  const auto place = number_of_.find(unit.tag);
  if (place == number_of_.end()) return;
  engagement& one = open_.at(place->second);
  number_of_.erase(place);
  one.units.erase(unit.tag);
  one.active = tick;
  ++(teams_.of(unit.owner) == one.friendly_team ? one.friendly_losses : one.enemy_losses);
  if (unit.role == unit_role::army) {
    share& part = one.players[unit.owner];
    ++part.units_lost;
    part.value_lost += unit.value;
  }
}

void engagements::enter(engagement& into, std::uint32_t player, const unit_map& units) {
  const auto [place, is_new] = into.players.try_emplace(player);
  if (!is_new) return;
  for (const auto& [tag, unit] : units) {
    if (unit.owner == player && unit.role == unit_role::army) place->second.army_before += unit.value;
  }
}

void engagements::merge(std::uint32_t into, std::uint32_t from) {
  engagement& one = open_.at(into);
  engagement other = std::move(open_.at(from));
  open_.erase(from);
  const bool same_side = one.friendly_team == other.friendly_team;
  one.friendly_losses += same_side ? other.friendly_losses : other.enemy_losses;
  one.enemy_losses += same_side ? other.enemy_losses : other.friendly_losses;
  one.active = std::max(one.active, other.active);
  for (const unit_tag tag : other.units) {
    one.units.insert(tag);
    number_of_[tag] = into;
  }
  for (const auto& [player, part] : other.players) {
    share& sum = one.players[player];
    sum.army_before = std::max(sum.army_before, part.army_before);
    sum.units_lost += part.units_lost;
    sum.value_lost += part.value_lost;
  }
}

void engagements::take(const contact& found, std::uint64_t tick, const unit_map& units,
                       std::vector<event>& out) {
  std::set<std::uint32_t> known;
  for (const observed_unit* unit : found) {
    if (const auto place = number_of_.find(unit->tag); place != number_of_.end()) known.insert(place->second);
  }
  const bool is_new = known.empty();
  const std::uint32_t number = is_new ? next_number_++ : *known.begin();
  engagement& one = open_[number];
  for (const std::uint32_t other : known) {
    if (other != number) merge(number, other);
  }
  one.active = tick;
  center middle;
  std::uint32_t first_player = found.front()->owner;
  for (const observed_unit* unit : found) {
    first_player = std::min(first_player, unit->owner);
    middle.add(unit->pos);
    enter(one, unit->owner, units);
    one.units.insert(unit->tag);
    number_of_[unit->tag] = number;
  }
  one.center = middle.mean();
  if (!is_new) return;
  one.started = tick;
  one.friendly_team = teams_.of(first_player);
  engagement_started begun;
  begun.tick = tick;
  begun.center_pos = one.center;
  for (const observed_unit* unit : found) {
    const bool friendly = teams_.of(unit->owner) == one.friendly_team;
    (friendly ? begun.friendly_units : begun.enemy_units).push_back(unit->tag);
    (friendly ? begun.value_friendly : begun.value_enemy) += unit->value;
  }
  emit(out, std::move(begun));
}

bool engagements::is_over(const engagement& one, std::uint64_t tick, const unit_map& units) const {
  if (tick - one.active >= calm_ticks_) return true;
  bool friends = false;
  bool enemies = false;
  for (const unit_tag tag : one.units) {
    const bool friendly = teams_.of(units.at(tag).owner) == one.friendly_team;
    (friendly ? friends : enemies) = true;
  }
  return !friends || !enemies;
}

void engagements::close(const engagement& one, std::uint64_t tick, const unit_map& units,
                        std::vector<event>& out) const {
  for (const auto& [player, part] : one.players) {
    if (part.units_lost < rules_.army_wipe_units || part.army_before <= 0) continue;
    const std::int64_t percent = part.value_lost * 100 / part.army_before;
    if (percent <= rules_.army_wipe_percent) continue;
    emit(out, army_wipe{tick, player, part.units_lost, part.value_lost,
                        static_cast<std::uint16_t>(std::min<std::int64_t>(percent, 100))});
  }
  engagement_ended ended;
  ended.tick = tick;
  ended.center_pos = one.center;
  ended.friendly_losses = one.friendly_losses;
  ended.enemy_losses = one.enemy_losses;
  for (const unit_tag tag : one.units) {
    const bool friendly = teams_.of(units.at(tag).owner) == one.friendly_team;
    ++(friendly ? ended.friendly_survivors : ended.enemy_survivors);
  }
  ended.duration_ticks = one.active - one.started;
  emit(out, ended);
}

void engagements::update(std::uint64_t tick, const unit_map& units, std::vector<event>& out) {
  if (rules_.weapon_range <= 0) return;
  for (const contact& found : contacts(units)) take(found, tick, units, out);
  for (auto place = open_.begin(); place != open_.end();) {
    if (!is_over(place->second, tick, units)) {
      ++place;
      continue;
    }
    close(place->second, tick, units, out);
    for (const unit_tag tag : place->second.units) number_of_.erase(tag);
    place = open_.erase(place);
  }
}

void engagements::finish(std::uint64_t tick, const unit_map& units, std::vector<event>& out) {
  for (const auto& [number, one] : open_) close(one, tick, units, out);
  open_.clear();
  number_of_.clear();
}

}  // namespace tickreel::analysis
