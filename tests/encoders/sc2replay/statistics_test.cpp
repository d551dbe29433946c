// Statistics of StarCraft II replays against numbers that sc2reader computed once from the same files: the
// sum of its ControlGroup and Command events, repeated orders, and Selection events of the active selection,
// its PlayerStatsEvents, its UnitBorn and UnitInit events of workers, and its UpgradeCompleteEvents without
// sprays.
#define BOOST_TEST_MODULE encoders_sc2replay_statistics
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "shared_data.hpp"
#include "tickreel/sc2replay/statistics.hpp"

namespace {

using namespace tickreel;
using sc2replay::player_statistics;

// As sc2reader has it.
struct expected {
  const char* file;
  std::size_t player;  // in replay::players
  std::uint64_t actions;
  std::size_t samples;
  std::int64_t top_workers;
  double top_supply;
  std::int64_t minerals_lost, vespene_lost;
  double income, unspent;
  std::int64_t top_army_value;
  std::uint64_t workers_created, upgrades;
};

constexpr expected games[] = {
    {"2.1.4.32283-1v1.SC2Replay", 0, 472, 55, 25, 37, 50, 0, 664.7636363636364, 326.90909090909093, 1500, 20,
     1},
    {"2.1.4.32283-1v1.SC2Replay", 1, 332, 56, 27, 47, 800, 200, 566.5357142857143, 232.66071428571428, 1400,
     21, 1},
    {"3.1.0.39576-1v1.SC2Replay", 0, 584, 72, 34, 83, 3250, 375, 791.4166666666666, 435.2916666666667, 2175,
     23, 1},
    {"4.10.1.75800-1v1.SC2Replay", 0, 240, 66, 36, 72, 6725, 100, 1029.7121212121212, 365.469696969697, 1800,
     24, 2},
    {"4.10.1.75800-1v1.SC2Replay", 1, 389, 66, 25, 66, 4000, 0, 894.8787878787879, 268.3787878787879, 3600,
     13, 2},
};

result<sc2replay::replay> open_shared(const char* name) {
  const byte_vector file = test::read_file(test::shared_data("sc2") / name);
  return sc2replay::replay::open(file);
}

std::int64_t most(const player_statistics& of, std::int64_t sc2replay::economy_sample::* value) {
  std::int64_t out = 0;
  for (const auto& each : of.samples) out = std::max(out, each.*value);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(values_are_those_that_sc2reader_computes) {
  if (test::shared_data("sc2").empty()) return;
  for (const expected& each : games) {
    BOOST_TEST_CONTEXT(each.file << ", player " << each.player) {
      const auto replay = open_shared(each.file);
      BOOST_REQUIRE(replay);
      const auto found = sc2replay::measure(*replay, 22.4 * 60);
      BOOST_TEST(!found.game_stopped.has_value());
      BOOST_TEST(!found.tracker_stopped.has_value());
      const player_statistics& who = found.players.at(each.player);
      BOOST_TEST(who.actions == each.actions);
      BOOST_TEST(who.samples.size() == each.samples);
      BOOST_TEST(most(who, &sc2replay::economy_sample::workers) == each.top_workers);
      BOOST_TEST(most(who, &sc2replay::economy_sample::army_value) == each.top_army_value);
      double supply = 0;
      for (const auto& sample : who.samples) supply = std::max(supply, sample.supply_used);
      BOOST_TEST(supply == each.top_supply);
      BOOST_TEST(who.minerals_lost == each.minerals_lost);
      BOOST_TEST(who.vespene_lost == each.vespene_lost);
      BOOST_TEST(std::abs(*who.average_income() - each.income) < 1e-9);
      BOOST_TEST(std::abs(*who.average_unspent() - each.unspent) < 1e-9);
      BOOST_TEST(who.workers_created == each.workers_created);
      BOOST_TEST(who.upgrades == each.upgrades);
    }
  }
}

BOOST_AUTO_TEST_CASE(parts_are_the_whole) {
  if (test::shared_data("sc2").empty()) return;
  for (const expected& each : games) {
    const auto replay = open_shared(each.file);
    BOOST_REQUIRE(replay);
    for (const player_statistics& who : sc2replay::measure(*replay, 22.4 * 60).players) {
      std::uint64_t actions = 0;
      for (const std::uint32_t minute : who.actions_by_minute) actions += minute;
      BOOST_TEST(actions == who.actions);
      std::uint64_t made = 0, researched = 0;
      std::uint64_t tick = 0;
      for (const auto& step : who.build_order) {
        made += step.kind == sc2replay::build_kind::started || step.kind == sc2replay::build_kind::completed;
        researched += step.kind == sc2replay::build_kind::researched;
        BOOST_TEST(step.tick >= tick);
        tick = step.tick;
      }
      BOOST_TEST(made == who.units_created);
      BOOST_TEST(researched == who.upgrades);
      BOOST_TEST(who.supply_blocked_ticks <= replay->header.loops);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_cut_stream_keeps_what_came_before_and_says_so) {
  if (test::shared_data("sc2").empty()) return;
  auto replay = open_shared(games[0].file);
  BOOST_REQUIRE(replay);
  const auto whole = sc2replay::measure(*replay, 22.4 * 60);
  replay->game_events.resize(replay->game_events.size() / 2 + 1);
  replay->tracker_events.resize(replay->tracker_events.size() / 2 + 1);
  const auto cut = sc2replay::measure(*replay, 22.4 * 60);
  BOOST_TEST(cut.game_stopped.has_value());
  BOOST_TEST(cut.tracker_stopped.has_value());
  BOOST_TEST(cut.players[0].actions > 0u);
  BOOST_TEST(cut.players[0].actions < whole.players[0].actions);
  BOOST_TEST(cut.players[0].samples.size() < whole.players[0].samples.size());
}

// With the formula by hand: 35 * (0.00137 * 1000 - ln 500) + 240.
BOOST_AUTO_TEST_CASE(the_spending_quotient_is_that_of_its_source) {
  player_statistics who;
  BOOST_TEST(!who.spending_quotient().has_value());
  who.samples.push_back({.income = 800, .unspent = 600});
  who.samples.push_back({.income = 1200, .unspent = 400});
  BOOST_TEST(std::abs(*who.spending_quotient() - 70.4387166) < 1e-6);
  who.samples = {{.income = 800, .unspent = 0}};
  BOOST_TEST(!who.spending_quotient().has_value());
}
