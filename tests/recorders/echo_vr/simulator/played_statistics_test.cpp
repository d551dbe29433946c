// Compares the statistics of simulated matches with what the simulator played.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>
#include <memory>
#include <string>

#include "random.hpp"
#include "tickreel/echo/events.hpp"
#include "tickreel/echo/statistics.hpp"
#include "tickreel/echo_vr/simulator.hpp"

BOOST_AUTO_TEST_SUITE(echo_played_statistics_tests)
BOOST_AUTO_TEST_SUITE(played_statistics_test)

using namespace tickreel;

namespace {

echo_vr::simulation_options match_of(std::uint64_t seed) {
  echo_vr::simulation_options options;
  options.seed = seed;
  options.rate_hz = 30;
  options.match_seconds = 240;
  options.bones = false;
  options.players_per_team = 1 + static_cast<std::uint32_t>(seed % 5);
  options.keep_played = true;
  return options;
}

class counting {
 public:
  void see(std::uint64_t tick, const echo::state& now) {
    detector_.see(tick, now, counted_);
    counted_.see(now, detector_.missed_ms());
  }
  const echo::statistics& finish() {
    detector_.finish(counted_);
    return counted_;
  }

 private:
  echo::event_detector detector_;
  echo::statistics counted_;
};

// Every tick for which `keep` is true.
template <class Keep>
std::unique_ptr<counting> count(const echo_vr::simulation_options& options, Keep keep) {
  echo_vr::match_simulator simulator(options);
  auto out = std::make_unique<counting>();
  const auto now = std::make_unique<echo::state>();
  for (std::uint64_t tick = 0; simulator.next(*now); ++tick) {
    if (keep(tick)) out->see(tick, *now);
  }
  return out;
}

std::map<std::string, echo::player_statistics> by_name(const echo::statistics& from) {
  std::map<std::string, echo::player_statistics> out;
  for (const auto& each : from.players()) out[std::string(each.who.name.view())] = each;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(played_statistics_are_counted) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      const auto options = match_of(seed);
      echo_vr::match_simulator simulator(options);
      counting counts;
      const auto now = std::make_unique<echo::state>();
      for (std::uint64_t tick = 0; simulator.next(*now); ++tick) counts.see(tick, *now);
      struct played {
        std::uint32_t goals = 0, points = 0, saves = 0, stuns = 0, assists = 0;
        std::map<std::string, std::uint32_t> types;
      };
      std::map<std::string, played> expected;
      for (const auto& each : simulator.played()) {
        const auto name = [](const echo::participant& who) { return std::string(who.name.view()); };
        if (const auto* goal = std::get_if<echo::goal>(&each.what)) {
          played& who = expected[name(goal->player)];
          ++who.goals;
          // Own goals give no player points.
          const bool own = goal->goal_type.view() == "SELF GOAL";
          if (!own) who.points += static_cast<std::uint32_t>(goal->points);
          ++who.types[std::string(goal->goal_type.view())];
          if (goal->assist.is_known()) ++expected[name(goal->assist)].assists;
        }
        if (const auto* save = std::get_if<echo::save>(&each.what)) ++expected[name(save->player)].saves;
        if (const auto* stun = std::get_if<echo::stun>(&each.what)) ++expected[name(stun->player)].stuns;
      }
      auto found = by_name(counts.finish());
      BOOST_TEST(!expected.empty());
      for (const auto& [name, should] : expected) {
        BOOST_TEST_CONTEXT(name) {
          BOOST_REQUIRE(found.contains(name));
          const echo::player_statistics& who = found[name];
          std::uint32_t goals = 0;
          for (const std::uint32_t type : who.goals) goals += type;
          BOOST_TEST(goals == should.goals);
          BOOST_TEST(who.counted.points == int(should.points));
          BOOST_TEST(who.counted.assists == int(should.assists));
          BOOST_TEST(who.counted.saves == int(should.saves));
          BOOST_TEST(who.counted.stuns == int(should.stuns));
          for (std::size_t type = 0; type < echo::goal_type_count; ++type) {
            const auto known = should.types.find(std::string(echo::goal_types()[type]));
            BOOST_TEST(who.goals[type] == (known == should.types.end() ? 0u : known->second));
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(two_clips_that_share_a_tick_add_up_to_the_match) {
  auto random = test::seeded_random("clips and losses");
  for (int round = 0; round < 6; ++round) {
    auto options = match_of(random() % 1000);
    // A player who is absent at the cut and returns has the counts of the first clip.
    options.incidents = false;
    std::uint64_t ticks = 0;
    const auto whole = count(options, [&](std::uint64_t) { return ++ticks != 0; });
    const std::uint64_t cut = 1 + random() % (ticks - 2);
    const auto first = count(options, [&](std::uint64_t tick) { return tick <= cut; });
    const auto second = count(options, [&](std::uint64_t tick) { return tick >= cut; });
    auto a = by_name(first->finish()), b = by_name(second->finish());
    BOOST_TEST_CONTEXT("match " << options.seed << " cut at tick " << cut) {
      for (const auto& [name, all] : by_name(whole->finish())) {
        const auto sum = [&, &of = name](auto value) { return value(a[of]) + value(b[of]); };
        using of = const echo::player_statistics&;
        for (const auto counter :
             {&echo::stats::points, &echo::stats::goals, &echo::stats::saves, &echo::stats::stuns,
              &echo::stats::shots_taken, &echo::stats::assists, &echo::stats::blocks, &echo::stats::passes}) {
          BOOST_TEST(sum([&](of who) { return who.counted.*counter; }) == all.counted.*counter);
        }
        BOOST_TEST(std::abs(sum([](of who) { return who.time_s; }) - all.time_s) < 1e-6);
        BOOST_TEST(std::abs(sum([](of who) { return who.distance_m; }) - all.distance_m) < 1e-3);
        BOOST_TEST(std::abs(sum([](of who) { return who.fast_s; }) - all.fast_s) < 1e-6);
        BOOST_TEST(std::max(a[name].top_speed, b[name].top_speed) == all.top_speed);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(counters_are_exact_across_lost_ticks_and_the_rest_is_marked) {
  auto random = test::seeded_random("clips and losses");
  auto options = match_of(3);
  options.incidents = false;  // no player leaves between ticks
  const auto whole = count(options, [](std::uint64_t) { return true; });
  const auto lossy = count(options, [&](std::uint64_t tick) { return tick == 0 || random() % 10 != 0; });
  auto found = by_name(lossy->finish());
  BOOST_TEST(lossy->finish().missing_s() > 1);
  for (const auto& [name, all] : by_name(whole->finish())) {
    BOOST_TEST(all.missing_s == 0);
    BOOST_TEST(found[name].missing_s > 1);
    // Values that the last tick did not contain are unknown.
    BOOST_TEST(std::abs(found[name].counted.points - all.counted.points) == 0);
    BOOST_TEST(found[name].counted.stuns == all.counted.stuns);
    BOOST_TEST(found[name].time_s < all.time_s);
    BOOST_TEST(std::abs(found[name].time_s + found[name].missing_s - all.time_s) < 0.2);
  }
}

BOOST_AUTO_TEST_CASE(earlier_counts_are_excluded_and_reported) {
  const auto options = match_of(4);
  const auto late = count(options, [](std::uint64_t tick) { return tick >= 5000; });
  const auto whole = count(options, [](std::uint64_t) { return true; });
  auto all = by_name(whole->finish());
  bool any = false;
  for (const auto& [name, who] : by_name(late->finish())) {
    any = any || who.began_before;
    BOOST_TEST(who.counted.stuns <= all[name].counted.stuns);
    BOOST_TEST(!all[name].began_before);
  }
  BOOST_TEST(any);
}

BOOST_AUTO_TEST_CASE(more_players_than_the_limit_are_left_out_and_counted) {
  echo::statistics counted;
  const auto now = std::make_unique<echo::state>();
  now->match.team_count = 1;
  now->match.player_count = now->match.teams[0].player_count = 32;
  for (std::uint64_t tick = 0; tick < 40; ++tick) {
    for (std::size_t at = 0; at < 32; ++at) now->players[at].userid = 1 + tick * 32 + at;
    counted.see(*now, 0);
  }
  BOOST_TEST(counted.players().size() == 1024u);
  BOOST_TEST(counted.players_left_out() == 8 * 32u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
