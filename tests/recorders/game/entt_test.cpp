// A registry of EnTT, if it is installed.
#include "tickreel/game/entt.hpp"

#include <boost/test/unit_test.hpp>

#include "same_match.hpp"
#include "scratch_folder.hpp"

BOOST_AUTO_TEST_SUITE(game_tests)
BOOST_AUTO_TEST_SUITE(entt_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

}  // namespace

BOOST_AUTO_TEST_CASE(entities_with_their_components) {
  const scratch_folder folder;
  entt::registry registry;
  const entt::entity gone = registry.create();
  registry.emplace<place>(gone, 9, 9);
  const entt::entity both = registry.create();
  registry.emplace<place>(both, 1, 2);
  registry.emplace<health>(both, std::uint16_t{7}, short_text<4>("x"));
  const entt::entity only_health = registry.create();
  registry.emplace<health>(only_health);
  registry.destroy(gone);
  const entt::entity again = registry.create();  // with the index of `gone` and another version
  registry.emplace<place>(again, 3, 4);

  game::match_options options;
  options.mode = threading::pumped;
  auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), options);
  BOOST_REQUIRE(recorder);
  BOOST_REQUIRE(recorder->tick(0, 1, [&](auto& keyframe) {
    const auto left_out =
        game::describe_registry<place, health>(registry, keyframe, [](entt::entity) { return "unit"; });
    BOOST_TEST(left_out == 0u);
  }));
  BOOST_REQUIRE(recorder->end());

  const auto replay = opened(folder / "a.icrep");
  const auto state = replay.restore(0);
  BOOST_REQUIRE(state);
  const auto& entities = state->snapshot.core.entities;
  BOOST_REQUIRE(entities.size() == 2u);
  BOOST_TEST((entities[0].entity == *game::tag_of(again)));
  BOOST_TEST(entities[0].entity.generation == 1u);
  BOOST_TEST((replay.get<little_types, place>(entities[0])->y) == 4);
  BOOST_TEST((!replay.get<little_types, health>(entities[0]).has_value()));
  BOOST_TEST((entities[1].entity == *game::tag_of(both)));
  BOOST_TEST((replay.get<little_types, health>(entities[1])->points) == 7);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
