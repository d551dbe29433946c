// Detects players who are losing and who come back.
#pragma once

#include "engagements.hpp"

namespace tickreel::analysis {

class momentum {
 public:
  momentum(const detector_rules& rules, const team_table& teams) : rules_(rules), teams_(teams) {}

  void set_army_value(std::uint32_t player, std::int64_t army_value) {
    players_[player].army_value = army_value;
    has_changed_ = true;
  }
  void update(std::uint64_t tick, std::vector<event>& out);

 private:
  struct standing {
    std::int64_t army_value = 0;
    std::int64_t deficit = 0;  // the largest since the player began to lose; 0: not losing
  };
  const detector_rules& rules_;
  const team_table& teams_;
  std::map<std::uint32_t, standing> players_;
  bool has_changed_ = false;
};

}  // namespace tickreel::analysis
