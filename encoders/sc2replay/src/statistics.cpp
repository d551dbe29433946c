#include "tickreel/sc2replay/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <unordered_map>

#include "tickreel/sc2replay/game_actions.hpp"

namespace tickreel::sc2replay {

namespace {

constexpr std::size_t most_minutes = 1440;  // a day
constexpr double food_scale = 4096;
constexpr double most_supply = 200;

bool is_worker(std::string_view type) noexcept {
  return type == "SCV" || type == "Probe" || type == "Drone";
}

// Born by themselves, by spells and attacks, or a stage on the way to something else.
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
                                         "InfestedTerransEgg",
                                         "InfestorTerran",
                                         "AdeptPhaseShift",
                                         "DisruptorPhased",
                                         "ParasiticBombDummy"};
  if (type.starts_with("Beacon") || type.starts_with("Changeling")) return false;
  return std::ranges::find(others, type) == std::end(others);
}

// Changes of type that cost something and are not taken back; burrowing, lifting off and sieging are others.
bool is_morph(std::string_view type) noexcept {
  constexpr std::string_view morphs[] = {
      "Lair",        "Hive",      "GreaterSpire",     "OrbitalCommand", "PlanetaryFortress",
      "Overseer",    "BroodLord", "Baneling",         "Ravager",        "LurkerMP",
      "LurkerDenMP", "WarpGate",  "OverlordTransport"};
  return std::ranges::find(morphs, type) != std::end(morphs);
}

// Sprays are painted on the ground; what is there at the start, or has no count, only looks different.
bool is_research(const upgrade& of) noexcept {
  return of.count > 0 && !of.type_name.starts_with("Spray");
}

struct known_unit {
  std::uint8_t owner = 0;
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
      out_.players.emplace_back().number = each.number;
    }
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
    for (player_statistics& each : out_.players) {
      each.has_tracker = each.has_tracker || !each.samples.empty();
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
    who.has_actions = true;
    who.last_tick = event.tick;
    if (!is_action(event)) return;
    ++who.actions;
    const double minute = std::floor(static_cast<double>(event.tick) / minute_ticks_);
    const auto place = static_cast<std::size_t>(std::min(minute, static_cast<double>(most_minutes - 1)));
    if (who.actions_by_minute.size() <= place) who.actions_by_minute.resize(place + 1);
    ++who.actions_by_minute[place];
  }

  void take(const tracker_event& event) {
    unit_born born;
    unit_died died;
    unit_owner_change owner;
    unit_type_change type;
    upgrade researched;
    player_stats stats;
    if (read_player_stats(event, stats)) {
      take_sample(event.tick, stats);
    } else if (read_unit_born(event, born)) {
      units_[born.unit.value] = {born.control_player};
      if (event.tick != 0) take_birth(event.tick, born);
    } else if (read_unit_died(event, died)) {
      take_death(died);
    } else if (read_unit_owner_change(event, owner)) {
      units_[owner.unit.value].owner = owner.control_player;
    } else if (read_unit_type_change(event, type)) {
      const auto found = units_.find(type.unit.value);
      if (found != units_.end() && event.tick != 0 && is_morph(type.type_name)) {
        add_step(found->second.owner, event.tick, build_kind::morphed, type.type_name);
      }
    } else if (read_upgrade(event, researched) && event.tick != 0 && is_research(researched)) {
      if (player_statistics* who = of_number(researched.player)) ++who->upgrades;
      add_step(researched.player, event.tick, build_kind::researched, researched.type_name);
    }
  }

  void take_birth(std::uint64_t tick, const unit_born& born) {
    player_statistics* const who = of_number(born.control_player);
    if (who == nullptr || !is_made_by_choice(born.type_name)) return;
    ++who->units_created;
    if (is_worker(born.type_name)) ++who->workers_created;
    add_step(born.control_player, tick, born.finished ? build_kind::completed : build_kind::started,
             born.type_name);
  }

  void take_death(const unit_died& died) {
    const auto found = units_.find(died.unit.value);
    if (found == units_.end()) return;
    // Units that merge or hatch die without a killer.
    if (died.killer_player) {
      if (player_statistics* const who = of_number(found->second.owner)) ++who->units_lost;
      if (*died.killer_player != found->second.owner) {
        if (player_statistics* const killer = of_number(*died.killer_player)) ++killer->units_killed;
      }
    }
    units_.erase(found);
  }

  void take_sample(std::uint64_t tick, const player_stats& stats) {
    player_statistics* const who = of_number(stats.player);
    if (who == nullptr) return;
    economy_sample now;
    now.tick = tick;
    now.supply_used = static_cast<double>(stats.food_used) / food_scale;
    now.supply_made = static_cast<double>(stats.food_made) / food_scale;
    now.workers = stats.workers_active_count;
    now.income = stats.minerals_collection_rate + stats.vespene_collection_rate;
    now.unspent = stats.minerals_current + stats.vespene_current;
    now.army_value = stats.minerals_used_current_army + stats.vespene_used_current_army;
    if (!who->samples.empty()) {
      const economy_sample& before = who->samples.back();
      const bool blocked = before.supply_used >= before.supply_made && before.supply_made > 0 &&
                           before.supply_made < most_supply;
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
    const double supply = who->samples.empty() ? 0 : who->samples.back().supply_used;
    who->build_order.push_back({tick, supply, kind, std::string(type)});
  }

  const replay* of_;
  double minute_ticks_;
  match_statistics out_;
  std::array<int, 256> by_number_{};
  std::array<int, 16> by_user_{};
  std::unordered_map<std::uint32_t, known_unit> units_;
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
      // The last order once more.
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
