// Statistics of StarCraft II replays against numbers that sc2reader computed once from the same files: the
// sum of its ControlGroup and Command events, repeated orders, and Selection events of the active selection,
// its PlayerStatsEvents, its UnitBorn and UnitInit events of workers, and its UpgradeCompleteEvents without
// sprays.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <iostream>
#include <memory>

#include "shared_data.hpp"
#include "tickreel/sc2replay/statistics.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_statistics_tests)
BOOST_AUTO_TEST_SUITE(statistics_test)

namespace {

using namespace tickreel;
using sc2replay::player_statistics;

// As sc2reader prints it.
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
    // Since 3.2 sc2reader returns the rates as stored: per minute of real time.
    {"4.10.1.75800-1v1.SC2Replay", 0, 240, 66, 36, 72, 6725, 100, 1029.7121212121212 / 1.4, 365.469696969697,
     1800, 24, 2},
    {"4.10.1.75800-1v1.SC2Replay", 1, 389, 66, 25, 66, 4000, 0, 894.8787878787879 / 1.4, 268.3787878787879,
     3600, 13, 2},
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

BOOST_AUTO_TEST_CASE(values_equal_those_of_sc2reader) {
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

BOOST_AUTO_TEST_CASE(parts_add_up_to_the_whole) {
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

BOOST_AUTO_TEST_CASE(a_truncated_stream_keeps_earlier_values_and_reports_it) {
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

// The formula, by hand: 35 * (0.00137 * 1000 - ln 500) + 240.
BOOST_AUTO_TEST_CASE(the_spending_quotient_matches_its_source) {
  player_statistics who;
  BOOST_TEST(!who.spending_quotient().has_value());
  who.samples.push_back({.income = 800, .unspent = 600});
  who.samples.push_back({.income = 1200, .unspent = 400});
  BOOST_TEST(std::abs(*who.spending_quotient() - 70.4387166) < 1e-6);
  who.samples = {{.income = 800, .unspent = 0}};
  BOOST_TEST(!who.spending_quotient().has_value());
}

namespace {

// Resources that a player had collected until a sample: available, spent, and lost.
double collected(const sc2replay::player_stats& now) {
  return static_cast<double>(
      now.minerals_current + now.minerals_used_in_progress_army + now.minerals_used_in_progress_economy +
      now.minerals_used_in_progress_technology + now.minerals_used_current_army +
      now.minerals_used_current_economy + now.minerals_used_current_technology + now.minerals_lost_army +
      now.minerals_lost_economy + now.minerals_lost_technology);
}

constexpr const char* one_of_every_version[] = {"2.1.4.32283-1v1.SC2Replay", "3.1.0.39576-1v1.SC2Replay",
                                                "4.10.1.75800-1v1.SC2Replay", "5.0.0.80949-1v1.SC2Replay"};

}  // namespace

// Assignment of collection rates to minutes: the rates add up to the collected resources in every version.
BOOST_AUTO_TEST_CASE(income_is_per_minute_of_game_time_in_every_version) {
  if (test::shared_data("sc2").empty()) return;
  for (const char* const file : one_of_every_version) {
    BOOST_TEST_CONTEXT(file) {
      const auto replay = open_shared(file);
      BOOST_REQUIRE(replay);
      sc2replay::tracker_event_reader events(replay->tracker_events, replay->base_build());
      const auto event = std::make_unique<sc2replay::tracker_event>();
      sc2replay::player_stats stats;
      double first = -1, last = 0, by_rate = 0, all = 0;
      std::uint64_t first_tick = 0;
      for (auto more = events.next(*event); more && *more; more = events.next(*event)) {
        if (!read_player_stats(*event, stats) || stats.player != 1) continue;
        all += static_cast<double>(stats.minerals_collection_rate + stats.vespene_collection_rate);
        if (event->tick < 1600 || event->tick > 6400) continue;
        if (first < 0) {
          first = collected(stats);
          first_tick = event->tick;
          continue;
        }
        last = collected(stats);
        by_rate += static_cast<double>(stats.minerals_collection_rate) * 160 / (16 * 60);
      }
      BOOST_TEST(first_tick > 0u);
      const player_statistics who = sc2replay::measure(*replay, 22.4 * 60).players[0];
      const double stored = all / static_cast<double>(who.samples.size());
      const double scale = *who.average_income() / stored;
      const double ratio = by_rate * scale / (last - first);
      BOOST_TEST(ratio > 0.85);
      BOOST_TEST(ratio < 1.15);
    }
  }
}

BOOST_AUTO_TEST_CASE(map_objects_and_expired_units_are_not_losses) {
  if (test::shared_data("sc2").empty()) return;
  // In addition, mineral fields died in both games, and 7 MULEs of player 2 expired in the second.
  const auto early = open_shared("2.5.5.37164-1v1-chat.SC2Replay");
  BOOST_REQUIRE(early);
  const auto first = sc2replay::measure(*early, 22.4 * 60).players;
  const auto later = open_shared("3.1.0.39576-1v1.SC2Replay");
  BOOST_REQUIRE(later);
  const auto second = sc2replay::measure(*later, 22.4 * 60).players;
  BOOST_TEST(second[1].units_killed == 58u);
  BOOST_TEST(second[0].units_lost == 58u);
  BOOST_TEST(second[0].units_killed == 18u);
  BOOST_TEST(second[1].units_lost == 18u);
  // Each player's kills equal the other's losses, except losses that a player caused.
  BOOST_TEST(first[0].units_killed <= first[1].units_lost);
  BOOST_TEST(first[1].units_killed <= first[0].units_lost);
  BOOST_TEST(first[1].units_lost - first[0].units_killed == 2u);
}

BOOST_AUTO_TEST_CASE(landing_is_not_a_morph_and_eggs_give_the_start_of_a_unit) {
  if (test::shared_data("sc2").empty()) return;
  const auto replay = open_shared("3.1.0.39576-1v1.SC2Replay");
  BOOST_REQUIRE(replay);
  std::size_t orbitals = 0;
  for (const player_statistics& who : sc2replay::measure(*replay, 22.4 * 60).players) {
    for (const auto& step : who.build_order) {
      orbitals += step.kind == sc2replay::build_kind::morphed && step.type_name == "OrbitalCommand";
    }
  }
  // Two more landed.
  BOOST_TEST(orbitals == 4u);
  const auto zerg = open_shared("5.0.0.80949-1v1.SC2Replay");
  BOOST_REQUIRE(zerg);
  const auto order = sc2replay::measure(*zerg, 22.4 * 60).players[1].build_order;
  BOOST_REQUIRE(order.size() > 2u);
  std::size_t drones = 0, completed = 0;
  for (const auto& step : order) {
    if (step.type_name != "Drone") continue;
    drones += 1;
    completed += step.kind == sc2replay::build_kind::completed;
  }
  BOOST_TEST(drones > 20u);
  BOOST_TEST(completed == 0u);
  // A drone takes 272 loops; the first was born in loop 305.
  BOOST_TEST(order.front().type_name == "Drone");
  BOOST_TEST(order.front().tick < 60u);
}

BOOST_AUTO_TEST_CASE(cancelled_buildings_are_marked_and_are_not_losses) {
  if (test::shared_data("sc2").empty()) return;
  const auto replay = open_shared("3.17.1.57218-coop.SC2Replay");
  BOOST_REQUIRE(replay);
  const player_statistics who = sc2replay::measure(*replay, 22.4 * 60).players[0];
  std::size_t cancelled = 0;
  for (const auto& step : who.build_order) {
    cancelled += step.cancelled;
    if (step.cancelled) BOOST_TEST(step.type_name == "Extractor");
  }
  BOOST_TEST(cancelled == 2u);
}

BOOST_AUTO_TEST_CASE(units_of_mission_triggers_have_no_owner) {
  if (test::shared_data("sc2").empty()) return;
  const auto replay = open_shared("3.17.1.57218-coop.SC2Replay");
  BOOST_REQUIRE(replay);
  const auto players = sc2replay::measure(*replay, 22.4 * 60).players;
  for (std::size_t i = 0; i < 2; ++i) {
    BOOST_TEST(players[i].upgrades == (i == 0 ? 10u : 6u));
    for (const auto& step : players[i].build_order) {
      BOOST_TEST(step.type_name.find("EconDrop") == std::string::npos, step.type_name);
      BOOST_TEST(!step.type_name.starts_with("GameTime"), step.type_name);
    }
  }
}

// Units that started or died since a sample predict the next one, far more often than the sample itself does.
BOOST_AUTO_TEST_CASE(supply_is_current) {
  if (test::shared_data("sc2").empty()) return;
  for (const char* const file : one_of_every_version) {
    BOOST_TEST_CONTEXT(file) {
      const auto replay = open_shared(file);
      BOOST_REQUIRE(replay);
      double off = 0, unchanged_off = 0;
      for (const player_statistics& who : sc2replay::measure(*replay, 22.4 * 60).players) {
        for (const auto& step : who.build_order) {
          const auto after =
              std::ranges::lower_bound(who.samples, step.tick, {}, &sc2replay::economy_sample::tick);
          // Steps right before a sample, which contains the true value.
          if (after == who.samples.begin() || after == who.samples.end() || after->tick > step.tick + 16)
            continue;
          off += std::abs(step.supply_used - after->supply_used);
          unchanged_off += std::abs(std::prev(after)->supply_used - after->supply_used);
        }
      }
      std::cout << file << ": off by " << off << ", the sample before by " << unchanged_off << '\n';
      BOOST_TEST(off < 0.6 * unchanged_off);
    }
  }
  // 12 drones at the start, and a drone becomes the first egg.
  const auto zerg = open_shared("5.0.0.80949-1v1.SC2Replay");
  BOOST_REQUIRE(zerg);
  const auto order = sc2replay::measure(*zerg, 22.4 * 60).players[1].build_order;
  BOOST_TEST(order.at(0).supply_used == 12.0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
