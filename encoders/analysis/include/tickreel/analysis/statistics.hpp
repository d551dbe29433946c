// Statistics of each player from analysis events: units created, lost and killed, and actions. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "tickreel/analysis/event.hpp"

namespace tickreel::analysis {

struct player_statistics {
  // Selections, control groups and abilities; without derived events.
  std::uint64_t actions = 0;
  std::uint64_t units_created = 0;  // including buildings, after the start tick
  std::uint64_t units_lost = 0;
  std::uint64_t units_killed = 0;  // of others
  std::uint64_t upgrades = 0;
  std::uint64_t last_tick = 0;  // of the counted events
  // Of player_stat_snapshot: the last one, and the highest army value of all.
  std::optional<player_stats> last;
  std::int64_t top_army_value = 0;
};

// Which kinds of events occurred: without events of a kind its values are unknown, not 0.
struct statistics_seen {
  bool actions = false;
  bool units = false;
  bool deaths = false;
  bool upgrades = false;
};

// One thread at a time; allocates. At most 1024 players are distinguished, others are ignored.
class statistics {
 public:
  // Ticks never fall.
  void happened(const event& what);
  [[nodiscard]] const std::map<std::uint32_t, player_statistics>& players() const noexcept {
    return players_;
  }
  [[nodiscard]] const statistics_seen& seen() const noexcept { return seen_; }

 private:
  player_statistics* of(std::uint32_t player);
  void take_action(std::uint32_t player, const event& what);

  std::map<std::uint32_t, player_statistics> players_;
  std::map<unit_tag, std::uint32_t> owners_;
  statistics_seen seen_;
};

}  // namespace tickreel::analysis
