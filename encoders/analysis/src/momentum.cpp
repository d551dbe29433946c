#include "momentum.hpp"

#include <algorithm>

namespace tickreel::analysis {

namespace {

// Limits army values, so that differences of differences do not overflow.
constexpr std::int64_t max_army_value = std::int64_t{1} << 60;

std::int64_t value_of(std::int64_t army_value) noexcept {
  return std::clamp(army_value, -max_army_value, max_army_value);
}

}  // namespace

void momentum::update(std::uint64_t tick, std::vector<event>& out) {
  if (!has_changed_) return;
  has_changed_ = false;
  for (auto& [player, own] : players_) {
    std::int64_t strongest = 0;
    for (const auto& [other, enemy] : players_) {
      if (teams_.of(other) != teams_.of(player)) strongest = std::max(strongest, value_of(enemy.army_value));
    }
    const std::int64_t worth = value_of(own.army_value);
    const std::int64_t shortfall = strongest - worth;
    // Without multiplying large values: computes a percentage of the enemy's value.
    const bool losing = shortfall > 0 && worth < strongest / 100 * rules_.losing_percent +
                                                     strongest % 100 * rules_.losing_percent / 100;
    if (losing || (own.deficit != 0 && shortfall >= 0)) {
      own.deficit = std::max(own.deficit, shortfall);
    } else if (own.deficit != 0) {
      out.push_back({comeback_moment{tick, player, own.deficit, -shortfall, own.deficit - shortfall}, true});
      own.deficit = 0;
    }
  }
}

}  // namespace tickreel::analysis
