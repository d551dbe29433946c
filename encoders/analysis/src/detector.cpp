#include "tickreel/analysis/detector.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "bases.hpp"
#include "engagements.hpp"
#include "momentum.hpp"

namespace tickreel::analysis {

namespace {

template <class Type>
consteval std::uint32_t bit_of() {
  std::uint32_t bit = 0;
  [&]<std::size_t... Index>(std::index_sequence<Index...>) {
    ((std::is_same_v<std::variant_alternative_t<Index, event_data>, Type> ? void(bit = 1u << Index) : void()),
     ...);
  }(std::make_index_sequence<type_count>{});
  return bit;
}

constexpr std::uint32_t own_types = bit_of<engagement_started>() | bit_of<engagement_ended>() |
                                    bit_of<base_destroyed>() | bit_of<army_wipe>() |
                                    bit_of<comeback_moment>() | bit_of<camera_position_sample>() |
                                    bit_of<player_stat_snapshot>();

std::uint64_t ticks_in(std::uint32_t ms, std::uint32_t ticks_per_second) noexcept {
  return std::max<std::uint64_t>(1, (std::uint64_t{ms} * ticks_per_second + 999) / 1000);
}

}  // namespace

struct detector::state {
  explicit state(const detector_rules& chosen)
      : rules(chosen),
        teams(rules.teams),
        fights(rules, teams, ticks_in(rules.calm_ms, rules.ticks_per_second)),
        homes(rules),
        balance(rules, teams),
        camera_ticks(ticks_in(rules.camera_interval_ms, rules.ticks_per_second)),
        statistics_ticks(ticks_in(rules.statistics_interval_ms, rules.ticks_per_second)),
        next_statistics(statistics_ticks) {}

  struct player {
    std::optional<player_stats> given;
    player_stats counted;  // lost and killed
    std::uint64_t next_camera = 0;
    std::optional<camera_position_sample> camera;
  };

  const detector_rules rules;
  const team_table teams;
  engagements fights;
  bases homes;
  momentum balance;
  std::uint64_t camera_ticks;
  std::uint64_t statistics_ticks;
  std::uint64_t next_statistics;
  std::uint64_t tick = 0;
  unit_map units;
  std::map<unit_tag, std::uint64_t> seen_at;  // the number of the observation
  std::uint64_t looks = 0;
  std::map<std::uint32_t, player> players;
  std::uint32_t reported_types = 0;

  [[nodiscard]] bool makes(std::uint32_t type_bit) const noexcept { return (reported_types & type_bit) == 0; }

  // Limits values, so that sums of them fit into 64 bits.
  static std::int64_t in_range(std::int64_t value) noexcept {
    constexpr std::int64_t most = std::int64_t{1} << 40;
    return std::clamp(value, -most, most);
  }

  void appear(observed_unit unit) {
    unit.value = in_range(unit.value);
    const auto [place, is_new] = units.insert_or_assign(unit.tag, unit);
    players.try_emplace(unit.owner);
    if (is_new) fights.born(unit);
    // It may have been classified differently before.
    if (unit.role == unit_role::building) homes.built(unit);
  }

  void lose(unit_tag tag, std::optional<std::uint32_t> killer, std::vector<event>& out) {
    const auto place = units.find(tag);
    if (place == units.end()) return;
    const observed_unit unit = place->second;
    units.erase(place);
    seen_at.erase(tag);
    const bool building = unit.role == unit_role::building;
    player_stats& victim = players[unit.owner].counted;
    ++(building ? victim.buildings_lost : victim.units_lost);
    if (killer && *killer != unit.owner) {
      player_stats& winner = players[*killer].counted;
      ++(building ? winner.buildings_killed : winner.units_killed);
    }
    fights.lost(unit, tick);
    if (building) homes.lost(unit, tick, out);
  }

  // Computes statistics that the game does not report.
  [[nodiscard]] std::map<std::uint32_t, player_stats> statistics() const {
    std::map<std::uint32_t, player_stats> all;
    for (const auto& [number, one] : players) all[number] = one.given.value_or(one.counted);
    for (const auto& [tag, unit] : units) {
      if (players.at(unit.owner).given) continue;
      player_stats& of = all[unit.owner];
      ++(unit.role == unit_role::building ? of.buildings_alive : of.units_alive);
      if (unit.role == unit_role::army) of.army_value += unit.value;
    }
    return all;
  }

  void sample(std::vector<event>& out) {
    if (makes(bit_of<camera_position_sample>())) {
      for (auto& [number, one] : players) {
        if (!one.camera || tick < one.next_camera) continue;
        out.push_back({*one.camera, true});
        one.next_camera = (tick / camera_ticks + 1) * camera_ticks;
      }
    }
    if (tick < next_statistics || !makes(bit_of<player_stat_snapshot>())) return;
    next_statistics = (tick / statistics_ticks + 1) * statistics_ticks;
    for (const auto& [number, stats] : statistics()) {
      out.push_back({player_stat_snapshot{tick, number, stats}, true});
      balance.set_army_value(number, in_range(stats.army_value));
    }
  }

  // Removes events that the game itself reports.
  void settle(std::vector<event>& made, std::vector<event>& out) {
    for (event& one : made) {
      if (makes(1u << one.what.index())) out.push_back(std::move(one));
    }
  }

  // A later tick: events of the one before are complete.
  void advance(std::uint64_t to, std::vector<event>& out) {
    if (to <= tick) return;
    tick = to;
    balance.update(tick, out);
  }

  void take(const unit_created& what) { appear(kind_of(what.tag, what.unit_type, what.owner, what.pos)); }
  void take(const construction_started& what) {
    observed_unit unit = kind_of(what.tag, what.unit_type, what.owner, what.pos);
    unit.role = unit_role::building;
    appear(unit);
  }
  void take(const unit_position_sample& what) {
    for (const unit_position& one : what.positions) {
      if (const auto place = units.find(one.tag); place != units.end()) place->second.pos = one.pos;
    }
  }
  void take(const player_stat_snapshot& what) {
    players[what.player].given = what.stats;
    balance.set_army_value(what.player, what.stats.army_value);
  }
  template <class Other>
  void take(const Other&) {}

  [[nodiscard]] observed_unit kind_of(unit_tag tag, std::uint32_t type, std::uint32_t owner,
                                      world_position pos) const {
    unit_kind kind;
    if (const auto known = rules.kinds.find(type); known != rules.kinds.end()) kind = known->second;
    return {tag, owner, pos, kind.role, kind.value};
  }
};

detector::detector(const detector_rules& rules) : state_(std::make_unique<state>(rules)) {}
detector::detector(detector&&) noexcept = default;
detector& detector::operator=(detector&&) noexcept = default;
detector::~detector() = default;

std::uint32_t detector::types() noexcept {
  return own_types;
}

void detector::begin(std::uint64_t tick) {
  state_->tick = std::max(state_->tick, tick);
  ++state_->looks;
  for (auto& [number, one] : state_->players) one.camera.reset();
}

void detector::see(const observed_unit& unit) {
  state_->appear(unit);
  state_->seen_at[unit.tag] = state_->looks;
}

void detector::see_camera(std::uint32_t player, world_position viewport_center, std::uint16_t zoom_level) {
  state_->players[player].camera = {state_->tick, player, viewport_center, zoom_level};
}

void detector::see_statistics(std::uint32_t player, const player_stats& stats) {
  state_->players[player].given = stats;
}

void detector::end(std::vector<event>& out) {
  state& self = *state_;
  std::vector<event> made;
  std::vector<unit_tag> gone;
  for (const auto& [tag, unit] : self.units) {
    const auto seen = self.seen_at.find(tag);
    if (seen == self.seen_at.end() || seen->second != self.looks) gone.push_back(tag);
  }
  for (const unit_tag tag : gone) self.lose(tag, std::nullopt, made);
  self.fights.update(self.tick, self.units, made);
  self.sample(made);
  self.balance.update(self.tick, made);
  self.settle(made, out);
}

void detector::happened(const event& what, std::vector<event>& out) {
  if (what.derived) return;
  state& self = *state_;
  std::vector<event> made;
  self.advance(tick_of(what), made);
  self.reported_types |= own_types & 1u << what.what.index();
  if (const auto* lost = std::get_if<unit_destroyed>(&what.what)) {
    self.lose(lost->tag, lost->killer_owner, made);
    self.fights.update(self.tick, self.units, made);
  } else {
    std::visit([&](const auto& content) { self.take(content); }, what.what);
    if (std::holds_alternative<unit_position_sample>(what.what)) {
      self.fights.update(self.tick, self.units, made);
    }
  }
  self.settle(made, out);
}

void detector::finish(std::uint64_t tick, std::vector<event>& out) {
  state& self = *state_;
  std::vector<event> made;
  self.advance(tick, made);
  self.fights.finish(self.tick, self.units, made);
  self.balance.update(self.tick, made);
  self.settle(made, out);
}

}  // namespace tickreel::analysis
