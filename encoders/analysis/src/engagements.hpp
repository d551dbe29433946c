// Engagements: units in range of each other, the losses of each side, and the end.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "tickreel/analysis/detector.hpp"

namespace tickreel::analysis {

// Teams of the rules; players without one have separate teams.
class team_table {
 public:
  explicit team_table(const std::vector<std::uint32_t>& teams) : teams_(teams) {}
  [[nodiscard]] std::uint64_t of(std::uint32_t player) const noexcept {
    constexpr std::uint64_t alone = std::uint64_t{1} << 32;
    return player < teams_.size() ? teams_[player] : alone + player;
  }

 private:
  std::vector<std::uint32_t> teams_;
};

// Whether the distance of two positions is at most `range`.
[[nodiscard]] bool within(const world_position& a, const world_position& b, std::int32_t range) noexcept;

// The mean of positions, rounded toward zero.
class center {
 public:
  void add(const world_position& place) noexcept {
    x_ += place.x;
    y_ += place.y;
    z_ += place.z;
    ++count_;
  }
  [[nodiscard]] world_position mean() const noexcept {
    if (count_ == 0) return {};
    return {static_cast<std::int32_t>(x_ / count_), static_cast<std::int32_t>(y_ / count_),
            static_cast<std::int32_t>(z_ / count_)};
  }

 private:
  std::int64_t x_ = 0;
  std::int64_t y_ = 0;
  std::int64_t z_ = 0;
  std::int64_t count_ = 0;
};

using unit_map = std::map<unit_tag, observed_unit>;

class engagements {
 public:
  engagements(const detector_rules& rules, const team_table& teams, std::uint64_t calm_ticks)
      : rules_(rules), teams_(teams), calm_ticks_(calm_ticks) {}

  // Adds a new unit to its owner's running engagements.
  void born(const observed_unit& unit);
  void lost(const observed_unit& unit, std::uint64_t tick);
  // Updates ranges, and starts and ends engagements.
  void update(std::uint64_t tick, const unit_map& units, std::vector<event>& out);
  void finish(std::uint64_t tick, const unit_map& units, std::vector<event>& out);

 private:
  struct share {
    std::int64_t army_before = 0;
    std::int64_t value_lost = 0;
    std::uint32_t units_lost = 0;
  };
  struct engagement {
    std::uint64_t started = 0;
    std::uint64_t active = 0;  // the last contact or loss
    std::uint64_t friendly_team = 0;
    world_position center;
    std::set<unit_tag> units;  // alive
    std::map<std::uint32_t, share> players;
    std::uint32_t friendly_losses = 0;
    std::uint32_t enemy_losses = 0;
  };
  using contact = std::vector<const observed_unit*>;

  [[nodiscard]] std::vector<contact> contacts(const unit_map& units) const;
  void take(const contact& found, std::uint64_t tick, const unit_map& units, std::vector<event>& out);
  void enter(engagement& into, std::uint32_t player, const unit_map& units);
  void merge(std::uint32_t into, std::uint32_t from);
  bool is_over(const engagement& one, std::uint64_t tick, const unit_map& units) const;
  void close(const engagement& one, std::uint64_t tick, const unit_map& units, std::vector<event>& out) const;

  const detector_rules& rules_;
  const team_table& teams_;
  std::uint64_t calm_ticks_;
  std::uint32_t next_number_ = 0;
  std::map<std::uint32_t, engagement> open_;
  std::map<unit_tag, std::uint32_t> number_of_;
};

}  // namespace tickreel::analysis
