// Hand-made scenes, and exactly the events that follow from them.
#include "tickreel/analysis/detector.hpp"

#include <boost/test/unit_test.hpp>

#include "random.hpp"

BOOST_AUTO_TEST_SUITE(encoders_analysis_tests)
BOOST_AUTO_TEST_SUITE(detector_test)

namespace {

using namespace tickreel;
using namespace tickreel::analysis;

using lines = std::vector<std::string>;

detector_rules rules() {
  detector_rules chosen;
  chosen.ticks_per_second = 10;
  chosen.weapon_range = 10;
  chosen.base_range = 20;
  chosen.calm_ms = 2'000;  // 20 ticks
  return chosen;
}

observed_unit soldier(std::uint16_t index, std::uint32_t owner, std::int32_t x, std::int64_t value = 100) {
  return {{index, 1}, owner, {x, 0, 0}, unit_role::army, value};
}
observed_unit house(std::uint16_t index, std::uint32_t owner, std::int32_t x) {
  return {{index, 1}, owner, {x, 0, 0}, unit_role::building, 500};
}
observed_unit worker(std::uint16_t index, std::uint32_t owner, std::int32_t x) {
  return {{index, 1}, owner, {x, 0, 0}, unit_role::worker, 50};
}

class scene {
 public:
  explicit scene(const detector_rules& chosen = rules()) : found_(chosen) {}

  scene& look(std::uint64_t tick, const std::vector<observed_unit>& units) {
    found_.begin(tick);
    for (const auto& unit : units) found_.see(unit);
    found_.end(events_);
    return *this;
  }
  scene& happened(event_data what) {
    found_.happened({std::move(what), false}, events_);
    return *this;
  }
  lines finish(std::uint64_t tick) {
    found_.finish(tick, events_);
    lines out;
    std::uint64_t before = 0;
    for (const event& one : events_) {
      BOOST_TEST(one.derived);
      BOOST_TEST(tick_of(one) >= before);
      before = tick_of(one);
      append_json(one, out.emplace_back());
    }
    return out;
  }
  detector& watched() { return found_; }
  std::vector<event>& events() { return events_; }

 private:
  detector found_;
  std::vector<event> events_;
};

void check(const lines& got, const lines& expected) {
  BOOST_TEST(got.size() == expected.size());
  for (std::size_t i = 0; i < std::max(got.size(), expected.size()); ++i) {
    BOOST_TEST((i < got.size() ? got[i] : "(nothing)") == (i < expected.size() ? expected[i] : "(nothing)"));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_skirmish_that_ends) {
  scene one;
  one.look(0, {soldier(1, 0, 0), soldier(2, 1, 100)});
  one.look(10, {soldier(1, 0, 50), soldier(2, 1, 60)});  // the last tick in range
  one.look(20, {soldier(1, 0, 52), soldier(2, 1, 60)});
  one.look(30, {soldier(1, 0, 0), soldier(2, 1, 60)});
  one.look(39, {soldier(1, 0, 0), soldier(2, 1, 60)});
  one.look(40, {soldier(1, 0, 0), soldier(2, 1, 60)});
  check(
      one.finish(50),
      {R"({"tick":10,"type":"engagement_started","center_pos":{"x":55,"y":0,"z":0},"friendly_units":[{"index":1,"generation":1}],"enemy_units":[{"index":2,"generation":1}],"value_friendly":100,"value_enemy":100,"derived":true})",
       R"({"tick":40,"type":"engagement_ended","center_pos":{"x":56,"y":0,"z":0},"friendly_losses":0,"enemy_losses":0,"friendly_survivors":1,"enemy_survivors":1,"duration_ticks":10,"derived":true})"});
}

BOOST_AUTO_TEST_CASE(out_of_range_there_is_no_fight) {
  scene one;
  one.look(0, {soldier(1, 0, 0), soldier(2, 1, 11)});
  // Distances include the diagonal and the height.
  one.look(1, {{{1, 1}, 0, {0, 0, 0}, unit_role::army, 1}, {{2, 1}, 1, {8, 7, 0}, unit_role::army, 1}});
  one.look(2, {{{1, 1}, 0, {0, 0, 0}, unit_role::army, 1}, {{2, 1}, 1, {0, 0, 11}, unit_role::army, 1}});
  // The corners of the map are far apart, without overflow.
  one.look(3, {{{1, 1}, 0, {INT32_MIN, INT32_MIN, INT32_MIN}, unit_role::army, 1},
               {{2, 1}, 1, {INT32_MAX, INT32_MAX, INT32_MAX}, unit_role::army, 1}});
  check(one.finish(50), {});
}

BOOST_AUTO_TEST_CASE(workers_and_friends_do_not_fight) {
  detector_rules chosen = rules();
  chosen.teams = {7, 7, 8};
  scene one(chosen);
  one.look(0, {soldier(1, 0, 0), soldier(2, 1, 1)});
  one.look(1, {worker(3, 0, 0), worker(4, 2, 1)});
  // A soldier in the group makes it a fight.
  one.look(2, {worker(3, 0, 0), soldier(5, 2, 1)});
  const lines got = one.finish(2);
  BOOST_REQUIRE(got.size() == 2u);
  BOOST_TEST(got[0].find("engagement_started") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_army_is_wiped_out) {
  scene one;
  one.look(
      0, {soldier(1, 0, 0), soldier(2, 0, 1), soldier(3, 0, 2), soldier(4, 0, 500), soldier(11, 1, 5, 400)});
  const auto dies = [&](std::uint64_t tick, std::uint16_t index) {
    one.happened(unit_destroyed{tick, {index, 1}, unit_tag{11, 1}, 1});
  };
  dies(5, 1);
  dies(6, 2);
  // Its kind is unknown, so its value is 0, but it is part of the fight.
  one.happened(unit_created{7, {5, 1}, 0, 0, {3, 0, 0}});
  dies(8, 3);
  check(
      one.finish(9),
      {R"({"tick":0,"type":"engagement_started","center_pos":{"x":2,"y":0,"z":0},"friendly_units":[{"index":1,"generation":1},{"index":2,"generation":1},{"index":3,"generation":1}],"enemy_units":[{"index":11,"generation":1}],"value_friendly":300,"value_enemy":400,"derived":true})",
       R"({"tick":9,"type":"army_wipe","player":0,"units_lost":3,"total_value_lost":300,"percentage_of_army":75,"derived":true})",
       R"({"tick":9,"type":"engagement_ended","center_pos":{"x":4,"y":0,"z":0},"friendly_losses":3,"enemy_losses":0,"friendly_survivors":1,"enemy_survivors":1,"duration_ticks":8,"derived":true})"});
}

BOOST_AUTO_TEST_CASE(seventy_percent_is_not_more_than_seventy) {
  std::vector<observed_unit> army;
  for (std::uint16_t i = 0; i < 10; ++i) army.push_back(soldier(i, 0, i));
  army.push_back(soldier(50, 1, 5));
  scene one;
  one.look(0, army);
  army.erase(army.begin(), army.begin() + 7);
  one.look(1, army);
  for (const std::string& line : one.finish(40)) BOOST_TEST(line.find("army_wipe") == std::string::npos);
  scene other;
  army.erase(army.begin());  // the eighth
  std::vector<observed_unit> whole;
  for (std::uint16_t i = 0; i < 10; ++i) whole.push_back(soldier(i, 0, i));
  whole.push_back(soldier(50, 1, 5));
  other.look(0, whole).look(1, army);
  BOOST_TEST(other.finish(40).at(1).find(R"("percentage_of_army":80)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(two_fights_become_one) {
  scene one;
  one.look(0, {soldier(1, 0, 0), soldier(2, 1, 5), soldier(3, 0, 100), soldier(4, 1, 105)});
  one.look(5, {soldier(1, 0, 50), soldier(2, 1, 55), soldier(3, 0, 60), soldier(4, 1, 65)});
  const lines got = one.finish(6);
  BOOST_REQUIRE(got.size() == 3u);
  BOOST_TEST(got[0].find(R"("tick":0,"type":"engagement_started")") != std::string::npos);
  BOOST_TEST(got[1].find(R"("tick":0,"type":"engagement_started")") != std::string::npos);
  BOOST_TEST(got[2].find(R"("friendly_survivors":2,"enemy_survivors":2,"duration_ticks":5)") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_base_falls) {
  scene one;
  one.look(0, {house(1, 0, 0), house(2, 0, 20), house(3, 0, 40), house(9, 0, 1000)});
  one.look(10, {house(2, 0, 20), house(3, 0, 40), house(9, 0, 1000)});
  one.happened(construction_started{11, {4, 1}, 0, 0, {30, 0, 0}});
  one.happened(construction_completed{12, {4, 1}});
  one.look(20, {house(4, 0, 30)});  // the outpost had only one building
  one.happened(unit_destroyed{30, {4, 1}, {}, {}});
  check(
      one.finish(40),
      {R"({"tick":30,"type":"base_destroyed","player":0,"pos":{"x":22,"y":0,"z":0},"buildings_lost":[{"index":1,"generation":1},{"index":2,"generation":1},{"index":3,"generation":1},{"index":4,"generation":1}],"derived":true})"});
}

BOOST_AUTO_TEST_CASE(a_building_joins_two_bases) {
  scene one;
  one.look(0, {house(1, 0, 0), house(2, 0, 15), house(3, 0, 50)});
  one.look(1, {house(1, 0, 0), house(2, 0, 15), house(3, 0, 50), house(4, 0, 32)});
  one.look(2, {});
  const lines got = one.finish(3);
  BOOST_REQUIRE(got.size() == 1u);
  BOOST_TEST(got[0].find(R"({"index":4,)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_comeback) {
  scene one;
  const auto sample = [&](std::uint64_t tick, std::int64_t first, std::int64_t second) {
    player_stats stats;
    stats.army_value = first;
    one.happened(player_stat_snapshot{tick, 0, stats});
    stats.army_value = second;
    one.happened(player_stat_snapshot{tick, 1, stats});
  };
  sample(600, 300, 1000);   // not below 30 percent yet
  sample(1200, 290, 1000);  // below
  sample(1800, 100, 1100);  // further below
  sample(2400, 900, 1000);  // not yet above
  sample(3000, 1000, 1000);
  sample(3600, 1300, 1000);
  sample(4200, 2000, 1000);  // reported once
  check(
      one.finish(4201),
      {R"({"tick":4200,"type":"comeback_moment","player":0,"deficit_before":1000,"advantage_after":300,"swing_value":1300,"derived":true})"});
}

BOOST_AUTO_TEST_CASE(samples_come_at_their_rates) {
  scene one;
  for (std::uint64_t tick = 0; tick <= 1300; ++tick) {
    one.watched().begin(tick);
    one.watched().see(soldier(1, 0, 0));
    one.watched().see(house(2, 1, 900));
    one.watched().see_camera(0, {static_cast<std::int32_t>(tick), 2, 0}, 90);
    one.watched().end(one.events());
  }
  std::vector<std::uint64_t> cameras;
  lines statistics;
  for (const event& each : one.events()) {
    if (std::holds_alternative<camera_position_sample>(each.what)) {
      cameras.push_back(tick_of(each));
    } else {
      append_json(each, statistics.emplace_back());
    }
  }
  BOOST_TEST(cameras.size() == 261u);  // 2 a second, at 10 ticks a second
  for (std::size_t i = 0; i < cameras.size(); ++i) BOOST_TEST(cameras[i] == i * 5);
  BOOST_REQUIRE(statistics.size() == 4u);
  BOOST_TEST(
      statistics[0] ==
      R"({"tick":600,"type":"player_stat_snapshot","player":0,"stats":{"credits":0,"power_made":0,"power_used":0,"army_value":100,"units_alive":1,"units_lost":0,"units_killed":0,"buildings_alive":0,"buildings_lost":0,"buildings_killed":0,"collected":0,"spent":0,"apm_x100":0},"derived":true})");
  BOOST_TEST(statistics[3].find(R"("tick":1200)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(events_of_the_game_are_not_repeated) {
  scene one;
  one.happened(camera_position_sample{0, 0, {}, 0});
  one.happened(engagement_started{});
  for (std::uint64_t tick = 0; tick < 20; ++tick) {
    one.watched().begin(tick);
    one.watched().see(soldier(1, 0, 0));
    one.watched().see(soldier(2, 1, 0));
    one.watched().see_camera(0, {}, 90);
    one.watched().end(one.events());
  }
  const lines got = one.finish(20);
  BOOST_REQUIRE(got.size() == 1u);
  BOOST_TEST(got[0].find("engagement_ended") != std::string::npos);
}

// Random input: no crash, ticks never decrease, everything that begins also ends, and two runs are equal.
BOOST_AUTO_TEST_CASE(random_worlds) {
  auto random = test::seeded_random("detector");
  for (int round = 0; round < 20; ++round) {
    const std::uint64_t seed = random();
    lines before;
    for (const int pass : {0, 1}) {
      std::mt19937_64 dice(seed);
      scene one;
      std::map<std::uint16_t, observed_unit> units;
      std::uint64_t tick = 0;
      for (int step = 0; step < 200; ++step) {
        tick += dice() % 4;
        for (int change = 0; change < 5; ++change) {
          const auto index = static_cast<std::uint16_t>(dice() % 40);
          if (dice() % 3 == 0) {
            units.erase(index);
          } else {
            units[index] = {
                {index, 1},
                static_cast<std::uint32_t>(dice() % 4),
                {static_cast<std::int32_t>(dice() % 80), static_cast<std::int32_t>(dice() % 80), 0},
                static_cast<unit_role>(dice() % 3),
                static_cast<std::int64_t>(dice() % 500)};
          }
        }
        if (dice() % 3 == 0) {
          const auto index = static_cast<std::uint16_t>(dice() % 40);
          units.erase(index);
          one.happened(unit_destroyed{tick, {index, 1}, {}, static_cast<std::uint32_t>(dice() % 4)});
        } else {
          std::vector<observed_unit> all;
          for (const auto& [index, unit] : units) all.push_back(unit);
          one.look(tick, all);
        }
      }
      const lines got = one.finish(tick);
      std::size_t started = 0;
      std::size_t ended = 0;
      for (const event& each : one.events()) {
        started += std::holds_alternative<engagement_started>(each.what) ? 1u : 0u;
        ended += std::holds_alternative<engagement_ended>(each.what) ? 1u : 0u;
      }
      BOOST_TEST(started > 0u);
      BOOST_TEST(ended <= started);
      BOOST_TEST(ended > 0u);
      if (pass == 0) before = got;
      BOOST_TEST((got == before));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
