#include "supply.hpp"

#include <algorithm>
#include <iterator>

namespace tickreel::sc2replay {

namespace {

// By name: supply, and build time in loops, 22.4 per second at the speed "Faster". Versions differ slightly.
// An error lasts ten seconds at most: the next sample of the replay replaces the sum.
constexpr unit_supply units[] = {
    {"Adept", 2, 608},
    {"Archon", 4},
    {"Baneling", 0.5},
    {"BanelingCocoon", 0.5},
    {"Banshee", 3, 960},
    {"Battlecruiser", 6, 1440},
    {"BroodLord", 4},
    {"BroodLordCocoon", 4},
    {"Carrier", 6, 1440},
    {"Colossus", 6, 1200},
    {"Corruptor", 2},
    {"Cyclone", 3, 720},
    {"DarkTemplar", 2, 880},
    {"Disruptor", 3, 800},
    {"Drone", 1},
    {"Ghost", 2, 640},
    {"Hellion", 2, 480},
    {"HellionTank", 2, 480},
    {"HighTemplar", 2, 880},
    {"Hydralisk", 2},
    {"Immortal", 4, 880},
    {"Infestor", 2},
    {"Liberator", 3, 960},
    {"LurkerMP", 3},
    {"LurkerMPEgg", 3},
    {"Marauder", 2, 480},
    {"Marine", 1, 400},
    {"Medivac", 2, 672},
    {"Mothership", 8, 2560},
    {"MothershipCore", 2, 480},
    {"Mutalisk", 2},
    {"Observer", 1, 480},
    {"Oracle", 3, 832},
    {"Phoenix", 2, 560},
    {"Probe", 1, 272},
    {"Queen", 2, 800},
    {"Ravager", 3},
    {"RavagerCocoon", 3},
    {"Raven", 2, 960},
    {"Reaper", 1, 720},
    {"Roach", 2},
    {"SCV", 1, 272},
    {"Sentry", 2, 592},
    {"SiegeTank", 3, 720},
    {"Stalker", 2, 672},
    {"SwarmHostMP", 3},
    {"Tempest", 5, 960},
    {"Thor", 6, 960},
    {"Ultralisk", 6},
    {"VikingFighter", 2, 672},
    {"Viper", 3},
    {"VoidRay", 4, 960},
    {"WarHound", 2, 720},
    {"WarpPrism", 2, 800},
    {"WidowMine", 2, 640},
    {"Zealot", 2, 608},
    {"Zergling", 0.5},
};
static_assert(std::ranges::is_sorted(units, {}, &unit_supply::type));

// The same unit in another form: sieged, burrowed, landed.
std::string_view base_type(std::string_view type) noexcept {
  for (const std::string_view suffix : {"Burrowed", "Sieged", "Phasing", "Assault", "AP", "AG"}) {
    if (type.size() > suffix.size() && type.ends_with(suffix)) {
      const std::string_view base = type.substr(0, type.size() - suffix.size());
      return base == "Viking" ? "VikingFighter" : base;
    }
  }
  return type;
}

}  // namespace

unit_supply supply_of(std::string_view type) noexcept {
  const std::string_view base = base_type(type);
  const auto found = std::ranges::lower_bound(units, base, {}, &unit_supply::type);
  return found != std::end(units) && found->type == base ? *found : unit_supply{};
}

void supply_timeline::add(std::uint64_t tick, double supply) {
  if (supply != 0) changes_.push_back({tick, supply});
}

void supply_timeline::finish() {
  std::ranges::stable_sort(changes_, {}, &change::tick);
  double sum = 0;
  for (change& each : changes_) each.sum = sum += each.sum;
}

double supply_timeline::sum_before(std::uint64_t tick) const noexcept {
  const auto found = std::ranges::lower_bound(changes_, tick, {}, &change::tick);
  return found == changes_.begin() ? 0 : std::prev(found)->sum;
}

double supply_timeline::before(std::uint64_t tick, std::span<const economy_sample> samples) const noexcept {
  if (samples.empty()) return 0;
  const auto after = std::ranges::upper_bound(samples, tick, {}, &economy_sample::tick);
  if (after == samples.begin()) return std::max(0.0, sum_before(std::max<std::uint64_t>(tick, 1)));
  const economy_sample& sample = *std::prev(after);
  // A sample contains the changes of its own tick.
  const double since = sum_before(tick) - sum_before(std::min(sample.tick + 1, tick));
  return std::max(0.0, sample.supply_used + since);
}

}  // namespace tickreel::sc2replay
