#include "tickreel/sc2replay/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <unordered_map>

#include "supply.hpp"
#include "tickreel/sc2replay/game_actions.hpp"

namespace tickreel::sc2replay {

namespace {

constexpr std::size_t max_minutes = 1440;  // a day
constexpr double food_scale = 4096;
constexpr double max_supply = 200;

bool is_worker(std::string_view type) noexcept {
  return type == "SCV" || type == "Probe" || type == "Drone";
}

// Created by triggers of co-op missions, not by a player: rewards on the ground, returning heroes, markers of
// another player's building.
bool is_of_trigger(std::string_view type) noexcept {
  return type.find("EconDrop") != std::string_view::npos || type.find("Revive") != std::string_view::npos ||
         type.ends_with("Ally");
}

// Created automatically, by spells and attacks, or a stage of another unit.
bool is_made_by_choice(std::string_view type) noexcept {
  constexpr std::string_view others[] = {"Larva",
                                         "Egg",
                                         "Broodling",
                                         "BroodlingEscort",
                                         "Interceptor",
                                         "MULE",
                                         "LocustMP",
                                         "LocustMPFlying",
                                         "AutoTurret",
                                         "PointDefenseDrone",
                                         "ForceField",
                                         "KD8Charge",
                                         "CreepTumorQueen",
                                         "CreepTumor",
                                         "CreepTumorBurrowed",
                                         "CreepTumorUsed",
                                         "InfestedTerransEgg",
                                         "InfestorTerran",
                                         "AdeptPhaseShift",
                                         "DisruptorPhased",
                                         "ParasiticBombDummy",
                                         "SpiderMine"};
  if (is_of_trigger(type)) return false;
  if (type.starts_with("Beacon") || type.starts_with("Changeling")) return false;
  return std::ranges::find(others, type) == std::end(others);
}

// Changes of type that cost something and are permanent; not burrowing, lifting off and sieging.
bool is_morph(std::string_view type) noexcept {
  constexpr std::string_view morphs[] = {
      "Lair",        "Hive",      "GreaterSpire",     "OrbitalCommand", "PlanetaryFortress",
      "Overseer",    "BroodLord", "Baneling",         "Ravager",        "LurkerMP",
      "LurkerDenMP", "WarpGate",  "OverlordTransport"};
  return std::ranges::find(morphs, type) != std::end(morphs);
}

// Not sprays on the ground, timers of co-op missions' triggers, or upgrades at the start or without a count,
// which only change the appearance.
bool is_research(const upgrade& of) noexcept {
  return of.count > 0 && !of.type_name.starts_with("Spray") && !of.type_name.starts_with("GameTime");
}

// Expires or is used up, so its death is not a loss.
bool is_temporary(std::string_view type) noexcept {
  return type == "Nuke" || type == "OracleStasisTrap" || !is_made_by_choice(type);
}

// A stage in which a unit grows: its start is the start of production.
bool is_cocoon(std::string_view type) noexcept {
  return type.ends_with("Egg") || type.ends_with("Cocoon");
}

// Before 3.2 the game states collection rates per minute of game time, from then on of real time at the speed
// "Faster", which is 1.4 times as fast.
double rate_divisor(const header& of) noexcept {
  const bool beta = of.encoding == header_encoding::beta;
  const bool real_time = !beta && (of.major > 3 || (of.major == 3 && of.minor >= 2));
  return real_time ? 1.4 : 1;
}

struct known_unit {
  std::uint8_t owner = 0;
  std::string type;
  double supply = 0;
  std::vector<std::string> morphs;  // its types to date
  std::optional<std::uint64_t> cocoon_since;
  // The unfinished step in its owner's build order.
  std::optional<std::size_t> unfinished;
};

// A unit that was born in the current tick.
struct birth {
  std::uint8_t owner = 0;
  map_point place;
  std::optional<unit_tag> creator;  // from 4.0 on
  std::size_t step = 0;
  unit_supply uses;
};

class measurer {
 public:
  measurer(const replay& of, double minute_ticks) : of_(&of), minute_ticks_(minute_ticks) {
    by_number_.fill(-1);
    by_user_.fill(-1);
    for (const player& each : of.players) {
      const auto place = static_cast<int>(out_.players.size());
      if (each.number < by_number_.size()) by_number_[each.number] = place;
      if (each.event_user && *each.event_user < by_user_.size()) by_user_[*each.event_user] = place;
      player_statistics& here = out_.players.emplace_back();
      here.number = each.number;
      here.first_tick = of.resumed_tick();
    }
    supply_.resize(out_.players.size());
  }

  match_statistics run() {
    const auto event = std::make_unique<game_event>();
    game_event_reader game(of_->game_events, of_->base_build());
    auto more = game.next(*event);
    for (; more && *more; more = game.next(*event)) take(*event);
    if (!more) out_.game_stopped = more.error();
    const auto tracked = std::make_unique<tracker_event>();
    tracker_event_reader tracker(of_->tracker_events, of_->base_build());
    more = tracker.next(*tracked);
    for (; more && *more; more = tracker.next(*tracked)) take(*tracked);
    if (!more) out_.tracker_stopped = more.error();
    take_training();
    for (std::size_t i = 0; i < out_.players.size(); ++i) {
      player_statistics& each = out_.players[i];
      each.has_tracker = each.has_tracker || !each.samples.empty();
      supply_[i].finish();
      finish_build_order(each, supply_[i]);
    }
    return std::move(out_);
  }

 private:
  player_statistics* of_number(std::uint8_t number) noexcept {
    if (number >= by_number_.size() || by_number_[number] < 0) return nullptr;
    player_statistics& found = out_.players[static_cast<std::size_t>(by_number_[number])];
    found.has_tracker = true;
    return &found;
  }

  void take(const game_event& event) {
    if (event.user >= by_user_.size() || by_user_[event.user] < 0) return;
    player_statistics& who = out_.players[static_cast<std::size_t>(by_user_[event.user])];
    if (event.tick < who.first_tick) return;
    who.has_actions = true;
    who.last_tick = event.tick;
    if (!is_action(event)) return;
    ++who.actions;
    const double minute = std::floor(static_cast<double>(event.tick) / minute_ticks_);
    const auto place = static_cast<std::size_t>(std::min(minute, static_cast<double>(max_minutes - 1)));
    if (who.actions_by_minute.size() <= place) who.actions_by_minute.resize(place + 1);
    ++who.actions_by_minute[place];
  }

  void take(const tracker_event& event) {
    unit_born born;
    unit_done done;
    unit_died died;
    unit_owner_change owner;
    unit_type_change type;
    upgrade researched;
    player_stats stats;
    if (event.tick != births_tick_) take_training();
    births_tick_ = event.tick;
    if (read_player_stats(event, stats)) {
      take_sample(event.tick, stats);
    } else if (read_unit_born(event, born)) {
      take_birth(event.tick, born);
    } else if (read_unit_done(event, done)) {
      if (const auto found = units_.find(done.unit.value); found != units_.end()) {
        found->second.unfinished.reset();
      }
    } else if (read_unit_died(event, died)) {
      take_death(event.tick, died);
    } else if (read_unit_owner_change(event, owner)) {
      units_[owner.unit.value].owner = owner.control_player;
    } else if (read_unit_type_change(event, type)) {
      take_type_change(event.tick, type);
    } else if (read_upgrade(event, researched) && event.tick != 0 && is_research(researched)) {
      if (player_statistics* who = of_number(researched.player)) ++who->upgrades;
      add_step(researched.player, event.tick, build_kind::researched, researched.type_name);
    }
  }

  void take_birth(std::uint64_t tick, const unit_born& born) {
    known_unit& unit = units_[born.unit.value];
    unit = {};
    unit.owner = born.control_player;
    unit.type = born.type_name;
    unit.morphs = {unit.type};
    const unit_supply uses = supply_of(born.type_name);
    unit.supply = uses.supply;
    if (tick == 0 || !born.finished) change_supply(unit.owner, tick, unit.supply);
    player_statistics* const who = of_number(born.control_player);
    if (tick == 0 || who == nullptr || !is_made_by_choice(born.type_name)) return;
    ++who->units_created;
    if (is_worker(born.type_name)) ++who->workers_created;
    const std::size_t step = who->build_order.size();
    add_step(born.control_player, tick, born.finished ? build_kind::completed : build_kind::started,
             born.type_name);
    if (born.finished) {
      births_.push_back({born.control_player, born.place, born.creator, step, uses});
    } else {
      unit.unfinished = step;
    }
  }

  void take_type_change(std::uint64_t tick, const unit_type_change& change) {
    const auto found = units_.find(change.unit.value);
    if (found == units_.end()) return;
    known_unit& unit = found->second;
    unit.type = change.type_name;
    if (const double supply = supply_of(unit.type).supply; supply > 0) {
      change_supply(unit.owner, tick, supply - unit.supply);
      unit.supply = supply;
    }
    if (is_cocoon(unit.type)) {
      unit.cocoon_since = tick;
      return;
    }
    // Landing and unburrowing restore an earlier type.
    const bool is_first = std::ranges::find(unit.morphs, unit.type) == unit.morphs.end();
    if (tick == 0 || !is_first || !is_morph(unit.type)) return;
    unit.morphs.push_back(unit.type);
    add_step(unit.owner, unit.cocoon_since.value_or(tick), build_kind::morphed, unit.type);
    unit.cocoon_since.reset();
  }

  void take_death(std::uint64_t tick, const unit_died& died) {
    const auto found = units_.find(died.unit.value);
    if (found == units_.end()) return;
    const known_unit& unit = found->second;
    change_supply(unit.owner, tick, -unit.supply);
    player_statistics* const who = of_number(unit.owner);
    const bool killed_by_other = died.killer_player && *died.killer_player != unit.owner;
    if (who != nullptr && unit.unfinished && !killed_by_other) {
      who->build_order[*unit.unfinished].cancelled = true;
    } else if (who != nullptr && died.killer_player && !is_temporary(unit.type)) {
      // Units that merge or hatch die without a killer.
      ++who->units_lost;
      player_statistics* const killer = killed_by_other ? of_number(*died.killer_player) : nullptr;
      if (killer != nullptr) ++killer->units_killed;
    }
    if (who != nullptr && unit.cocoon_since && !died.killer_player) hatch(unit, died, *who);
    units_.erase(found);
  }

  // The births just before the death of an egg or cocoon are its units.
  void hatch(const known_unit& unit, const unit_died& died, player_statistics& who) {
    std::erase_if(births_, [&](const birth& each) {
      const bool from_it = each.creator ? *each.creator == died.unit : each.place == died.place;
      if (each.owner != unit.owner || !from_it) return false;
      build_step& step = who.build_order[each.step];
      step.tick = *unit.cocoon_since;
      step.kind = build_kind::started;
      change_supply(each.owner, step.tick, each.uses.supply);
      return true;
    });
  }

  // Units of the last tick without an egg or cocoon: their training began when they were paid for.
  void take_training() {
    for (const birth& each : births_) {
      const std::uint64_t trained = std::min<std::uint64_t>(each.uses.training_ticks, births_tick_);
      change_supply(each.owner, births_tick_ - trained, each.uses.supply);
    }
    births_.clear();
  }

  void change_supply(std::uint8_t number, std::uint64_t tick, double change) {
    if (by_number_[number] >= 0) supply_[static_cast<std::size_t>(by_number_[number])].add(tick, change);
  }

  void take_sample(std::uint64_t tick, const player_stats& stats) {
    player_statistics* const who = of_number(stats.player);
    if (who == nullptr) return;
    economy_sample now;
    now.tick = tick;
    now.supply_used = static_cast<double>(stats.food_used) / food_scale;
    now.supply_made = static_cast<double>(stats.food_made) / food_scale;
    now.workers = stats.workers_active_count;
    now.income = static_cast<double>(stats.minerals_collection_rate + stats.vespene_collection_rate) /
                 rate_divisor(of_->header);
    now.unspent = stats.minerals_current + stats.vespene_current;
    now.army_value = stats.minerals_used_current_army + stats.vespene_used_current_army;
    if (!who->samples.empty()) {
      const economy_sample& before = who->samples.back();
      const bool blocked = before.supply_used >= before.supply_made && before.supply_made > 0 &&
                           before.supply_made < max_supply;
      if (blocked && tick > before.tick) who->supply_blocked_ticks += tick - before.tick;
    }
    who->samples.push_back(now);
    who->minerals_lost =
        stats.minerals_lost_army + stats.minerals_lost_economy + stats.minerals_lost_technology;
    who->vespene_lost = stats.vespene_lost_army + stats.vespene_lost_economy + stats.vespene_lost_technology;
  }

  void add_step(std::uint8_t number, std::uint64_t tick, build_kind kind, std::string_view type) {
    player_statistics* const who = of_number(number);
    if (who == nullptr) return;
    who->build_order.push_back({tick, 0, kind, std::string(type)});
  }

  // Moves steps that began earlier to their places.
  static void finish_build_order(player_statistics& who, const supply_timeline& supply) {
    std::ranges::stable_sort(who.build_order, {}, &build_step::tick);
    for (build_step& each : who.build_order) each.supply_used = supply.before(each.tick, who.samples);
  }

  const replay* of_;
  double minute_ticks_;
  match_statistics out_;
  std::vector<supply_timeline> supply_;  // of each of out_.players
  std::array<int, 256> by_number_{};
  std::array<int, 16> by_user_{};
  std::unordered_map<std::uint32_t, known_unit> units_;
  std::vector<birth> births_;  // of births_tick_
  std::uint64_t births_tick_ = 0;
};

template <class Value>
std::optional<double> average(const std::vector<economy_sample>& samples, Value value) noexcept {
  if (samples.empty()) return std::nullopt;
  double sum = 0;
  for (const economy_sample& each : samples) sum += static_cast<double>(each.*value);
  return sum / static_cast<double>(samples.size());
}

}  // namespace

bool is_action(const game_event& event) noexcept {
  switch (event.kind) {
    case game_event_kind::command:
    case game_event_kind::control_group_update:
      return true;
    case game_event_kind::selection_delta: {
      selection_delta change;
      return read_selection_delta(event, change) && change.group == active_selection;
    }
    default:
      // Repeats the last order.
      return event.name() == "command_manager_state";
  }
}

std::string_view name(build_kind value) noexcept {
  constexpr std::string_view names[] = {"started", "completed", "morphed", "researched"};
  return names[static_cast<std::size_t>(value)];
}

std::optional<double> player_statistics::average_income() const noexcept {
  return average(samples, &economy_sample::income);
}

std::optional<double> player_statistics::average_unspent() const noexcept {
  return average(samples, &economy_sample::unspent);
}

std::optional<double> player_statistics::spending_quotient() const noexcept {
  const auto income = average_income();
  const auto unspent = average_unspent();
  if (!income || *income <= 0 || *unspent <= 0) return std::nullopt;
  return 35 * (0.00137 * *income - std::log(*unspent)) + 240;
}

match_statistics measure(const replay& of, double minute_ticks) {
  return measurer(of, minute_ticks).run();
}

}  // namespace tickreel::sc2replay
