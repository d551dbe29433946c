#include "tickreel/analysis/statistics.hpp"

#include <algorithm>

namespace tickreel::analysis {

player_statistics* statistics::of(std::uint32_t player) {
  constexpr std::size_t max_counted_players = 1024;
  const auto found = players_.find(player);
  if (found != players_.end()) return &found->second;
  return players_.size() < max_counted_players ? &players_[player] : nullptr;
}

void statistics::take_action(std::uint32_t player, const event& what) {
  if (what.derived) return;
  seen_.actions = true;
  if (player_statistics* const who = of(player)) {
    ++who->actions;
    who->last_tick = tick_of(what);
  }
}

void statistics::happened(const event& what) {
  const std::uint64_t tick = tick_of(what);
  const auto made = [&](const auto& unit) {
    seen_.units = true;
    owners_[unit.tag] = unit.owner;
    player_statistics* const who = tick == 0 ? nullptr : of(unit.owner);
    if (who == nullptr) return;
    ++who->units_created;
    who->last_tick = tick;
  };
  if (const auto* born = std::get_if<unit_created>(&what.what)) {
    made(*born);
  } else if (const auto* begun = std::get_if<construction_started>(&what.what)) {
    made(*begun);
  } else if (const auto* gone = std::get_if<unit_destroyed>(&what.what)) {
    const auto owner = owners_.find(gone->tag);
    // Units that merge or transform disappear without a killer.
    if (gone->killer_owner) {
      seen_.deaths = true;
      const bool known = owner != owners_.end();
      if (player_statistics* const who = known ? of(owner->second) : nullptr) ++who->units_lost;
      const bool own = known && owner->second == *gone->killer_owner;
      if (player_statistics* const killer = own ? nullptr : of(*gone->killer_owner)) ++killer->units_killed;
    }
    if (owner != owners_.end()) owners_.erase(owner);
  } else if (const auto* researched = std::get_if<upgrade_completed>(&what.what)) {
    seen_.upgrades = true;
    if (player_statistics* const who = of(researched->player)) ++who->upgrades;
  } else if (const auto* now = std::get_if<player_stat_snapshot>(&what.what)) {
    player_statistics* const who = of(now->player);
    if (who == nullptr) return;
    who->top_army_value =
        who->last ? std::max(who->top_army_value, now->stats.army_value) : now->stats.army_value;
    who->last = now->stats;
  } else if (const auto* used = std::get_if<ability_used>(&what.what)) {
    take_action(used->player, what);
  } else if (const auto* selected = std::get_if<selection_changed>(&what.what)) {
    take_action(selected->player, what);
  } else if (const auto* group = std::get_if<control_group_event>(&what.what)) {
    take_action(group->player, what);
  }
}

}  // namespace tickreel::analysis
