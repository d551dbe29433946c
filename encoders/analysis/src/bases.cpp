#include "bases.hpp"

#include <algorithm>
#include <utility>

namespace tickreel::analysis {

void bases::built(const observed_unit& building) {
  if (rules_.base_range <= 0 || number_of_.contains(building.tag)) return;
  const auto is_near = [&](const base& one) {
    return one.owner == building.owner && std::ranges::any_of(one.standing, [&](const auto& other) {
             return within(other.second, building.pos, rules_.base_range);
           });
  };
  std::uint32_t number = next_number_;
  for (auto place = bases_.begin(); place != bases_.end();) {
    if (!is_near(place->second)) {
      ++place;
      continue;
    }
    if (number == next_number_) {
      number = (place++)->first;
      continue;
    }
    // The building joins two bases into one.
    base& kept = bases_.at(number);
    for (const auto& [tag, pos] : place->second.standing) number_of_[tag] = number;
    kept.standing.merge(place->second.standing);
    kept.all.merge(place->second.all);
    place = bases_.erase(place);
  }
  if (number == next_number_) ++next_number_;
  base& one = bases_[number];
  one.owner = building.owner;
  one.standing[building.tag] = building.pos;
  one.all[building.tag] = building.pos;
  one.largest = std::max(one.largest, one.standing.size());
  number_of_[building.tag] = number;
}

void bases::lost(const observed_unit& building, std::uint64_t tick, std::vector<event>& out) {
  const auto place = number_of_.find(building.tag);
  if (place == number_of_.end()) return;
  const std::uint32_t number = place->second;
  number_of_.erase(place);
  base& one = bases_.at(number);
  one.standing.erase(building.tag);
  if (!one.standing.empty()) return;
  if (one.largest >= rules_.base_buildings) {
    base_destroyed gone;
    gone.tick = tick;
    gone.player = one.owner;
    center middle;
    for (const auto& [tag, pos] : one.all) {
      gone.buildings_lost.push_back(tag);
      middle.add(pos);
    }
    gone.pos = middle.mean();
    out.push_back({std::move(gone), true});
  }
  bases_.erase(number);
}

}  // namespace tickreel::analysis
