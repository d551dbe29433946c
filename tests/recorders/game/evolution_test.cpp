// A game that changed after its matches were recorded.
#include <boost/test/unit_test.hpp>

#include "same_match.hpp"
#include "scratch_folder.hpp"

BOOST_AUTO_TEST_SUITE(game_tests)
BOOST_AUTO_TEST_SUITE(evolution_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

namespace yesterday {
struct place {
  float x = 0, y = 0;
};
TICKREEL_DESCRIBE(place, x, y);
struct body {
  std::uint16_t health = 0;
  float weight = 0;
};
TICKREEL_DESCRIBE(body, health, weight);
struct purse {
  std::int32_t coins = 0;
};
TICKREEL_DESCRIBE(purse, coins);
struct weather {
  std::int32_t wind = 0;
};
TICKREEL_DESCRIBE(weather, wind);
using world =
    game::world_types<game::components<place, body>, game::player_fields<purse>, game::singletons<weather>>;
}  // namespace yesterday

namespace today {
struct place {
  float y = 0, x = 0, z = 9;
};
TICKREEL_DESCRIBE(place, y, x, z);
struct body {
  std::uint32_t health = 0;
  std::int32_t weight = -1;
};
TICKREEL_DESCRIBE(body, health, weight);
struct mind {
  std::uint8_t thoughts = 0;
};
TICKREEL_DESCRIBE(mind, thoughts);
struct purse {
  std::int64_t coins = 0;
};
TICKREEL_DESCRIBE(purse, coins);
struct weather {
  float wind = 3;
};
TICKREEL_DESCRIBE(weather, wind);
// Positions in the lists have changed too.
using world = game::world_types<game::components<mind, body, place>, game::player_fields<purse>,
                                game::singletons<weather>>;
}  // namespace today

}  // namespace

BOOST_AUTO_TEST_CASE(types_are_matched_by_name_and_differences_reported) {
  for (const auto file : {game::container::icrep, game::container::reel}) {
    const scratch_folder folder;
    auto recorder = game::game_recorder<yesterday::world>::begin(folder / "a", little_match(),
                                                                 {.file = file, .mode = threading::pumped});
    BOOST_REQUIRE(recorder);
    BOOST_REQUIRE(recorder->tick(0, 0, [](auto& to) {
      to.entity({1, 1}, "wolf").set(yesterday::place{1, 2}).set(yesterday::body{300, 4.5F});
      to.player(0).set(yesterday::purse{-5});
      to.world(yesterday::weather{7});
    }));
    BOOST_REQUIRE(recorder->end());
    const auto replay = opened(folder / "a");
    const auto state = replay.restore(0);
    BOOST_REQUIRE(state);
    const auto& wolf = state->snapshot.core.entities.front();
    const auto at = replay.get<today::world, today::place>(wolf);
    BOOST_REQUIRE(at);
    BOOST_TEST(at->x == 1);
    BOOST_TEST(at->y == 2);
    BOOST_TEST(at->z == 9);
    const auto body = replay.get<today::world, today::body>(wolf);
    BOOST_REQUIRE(body);
    BOOST_TEST(body->health == 300u);
    BOOST_TEST(body->weight == -1);
    BOOST_TEST(!(replay.get<today::world, today::mind>(wolf)));
    BOOST_TEST(
        (replay.get<today::world, today::purse>(state->snapshot.core.player_states.front())->coins == -5));
    BOOST_TEST((replay.get<today::world, today::weather>(state->snapshot)->wind == 3));
    BOOST_TEST((replay.get<yesterday::world, yesterday::weather>(state->snapshot)->wind == 7));

    BOOST_TEST(replay.differences<yesterday::world>().empty());
    std::vector<std::string> reported;
    for (const auto& one : replay.differences<today::world>()) reported.push_back(game::describe(one));
    const std::vector<std::string> expected = {
        "mind was not recorded",
        "body: weight was recorded as f32 and is i32 now",
        "place: z was not recorded",
        "weather: wind was recorded as i32 and is f32 now",
    };
    BOOST_TEST(reported == expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
