// Events derived while recording equal those derived from the file.
#include <boost/test/unit_test.hpp>

#include "random.hpp"
#include "same_match.hpp"
#include "scratch_folder.hpp"
#include "tickreel/game/detection.hpp"

BOOST_AUTO_TEST_SUITE(game_threads_tests)
BOOST_AUTO_TEST_SUITE(detection_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct owner {
  std::uint8_t player = 0;
  bool building = false;
};
TICKREEL_DESCRIBE(owner, player, building);
using fighters = game::world_types<game::components<place, owner>, game::player_fields<credits>>;

game::detection eyes() {
  game::detection how;
  how.rules.ticks_per_second = 15;
  how.rules.weapon_range = 6;
  how.rules.base_range = 15;
  how.rules.calm_ms = 1000;
  how.rules.statistics_interval_ms = 2000;
  how.unit = [](const game::world_view& view,
                const icrep::entity_snapshot& entity) -> std::optional<analysis::observed_unit> {
    const auto at = view.get<fighters, place>(entity);
    const auto whose = view.get<fighters, owner>(entity);
    if (!at || !whose) return std::nullopt;
    using analysis::unit_role;
    return analysis::observed_unit{entity.entity,
                                   whose->player,
                                   {at->x, at->y, 0},
                                   whose->building ? unit_role::building : unit_role::army,
                                   view.archetype(entity) == "tank" ? 300 : 100};
  };
  how.player = [](const game::world_view& view, const icrep::player_state& player) {
    game::observed_player seen;
    const auto money = view.get<fighters, credits>(player);
    if (money) seen.camera = {{static_cast<std::int32_t>(money->amount), 0, 0}, 100};
    return seen;
  };
  return how;
}

std::vector<std::string> lines(const std::vector<analysis::event>& events) {
  std::vector<std::string> out;
  for (const auto& one : events) analysis::append_json(one, out.emplace_back());
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(live_and_later_detection_are_equal) {
  auto random = seeded_random("derived");
  for (int round = 0; round < 8; ++round) {
    const scratch_folder folder;
    game::match_options options;
    options.mode = round % 2 == 0 ? threading::pumped : threading::own_thread;
    options.file = round % 4 < 2 ? game::container::icrep : game::container::reel;
    options.keyframe_interval_ticks = 1 + static_cast<std::uint32_t>(random() % 6);
    options.events_per_tick = 4096;
    options.ring_ticks = 4096;
    options.detect = eyes();
    auto recorder = game::game_recorder<fighters>::begin(folder / "a", little_match(), options);
    BOOST_REQUIRE(recorder);
    struct unit {
      bool alive = true;
      place at;
      owner whose;
    };
    std::vector<unit> units(30);
    for (unit& one : units) {
      one.whose = {static_cast<std::uint8_t>(random() % 2), random() % 3 == 0};
      one.at = {static_cast<std::int32_t>(random() % 60), static_cast<std::int32_t>(random() % 60)};
    }
    for (std::uint64_t tick = 0; tick < 300; ++tick) {
      BOOST_REQUIRE(recorder->tick(tick, 1, [&](auto& to) {
        for (std::uint16_t i = 0; i < units.size(); ++i) {
          if (units[i].alive)
            to.entity({i, 1}, i % 4 == 0 ? "tank" : "rifle").set(units[i].at).set(units[i].whose);
        }
        for (std::uint32_t i = 0; i < 2; ++i) to.player(i).set(credits{static_cast<std::int64_t>(tick)});
      }));
      for (std::uint16_t i = 0; i < units.size(); ++i) {
        unit& one = units[i];
        if (!one.alive) continue;
        one.at.x += static_cast<std::int32_t>(random() % 3) - 1;
        if (random() % 200 == 0) {
          one.alive = false;
          if (random() % 2 == 0) {
            BOOST_TEST(recorder->event(analysis::unit_destroyed{tick, {i, 1}, {}, 1u - one.whose.player}));
          }
        }
      }
      if (tick % 7 == 0) (void)recorder->pump();
    }
    game::match_result how;
    how.outcome.emplace(analysis::outcome::draw{});
    const auto report = recorder->end(how);
    BOOST_REQUIRE_MESSAGE(report, why(report));
    BOOST_TEST(report->nothing_lost());

    const auto replay = opened(folder / "a");
    std::vector<analysis::event> recorded_events;
    std::vector<analysis::event> found;
    analysis::event happened;
    std::uint64_t before = 0;
    for (auto events = replay.events(); events.next(happened);) {
      BOOST_TEST(analysis::tick_of(happened) >= before);
      before = analysis::tick_of(happened);
      (happened.derived ? found : recorded_events).push_back(happened);
    }
    for (const auto& one : recorded_events) {
      BOOST_TEST((std::holds_alternative<analysis::unit_destroyed>(one.what) ||
                  std::holds_alternative<analysis::match_ended>(one.what)));
    }
    BOOST_TEST(found.size() > 10u);
    const auto again = game::derive_events(replay, eyes());
    BOOST_REQUIRE_MESSAGE(again, why(again));
    BOOST_TEST(lines(found) == lines(*again), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(without_a_detector_nothing_is_derived) {
  const scratch_folder folder;
  game::match_options options;
  options.mode = threading::pumped;
  auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), options);
  BOOST_REQUIRE(recorder);
  BOOST_REQUIRE(recorder->tick(0, 1, [](auto&) {}));
  BOOST_TEST(recorder->event(analysis::engagement_started{}));
  BOOST_REQUIRE(recorder->end());
  const auto replay = opened(folder / "a.icrep");
  auto events = replay.events();
  analysis::event happened;
  BOOST_REQUIRE(events.next(happened));
  BOOST_TEST(!happened.derived);
  BOOST_TEST(!events.next(happened));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
