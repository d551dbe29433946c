// Deltas give the same state in both interpretations of the specification.
#include <boost/test/unit_test.hpp>

#include "random.hpp"
#include "random_world.hpp"

BOOST_AUTO_TEST_SUITE(encoders_icrep_tests)
BOOST_AUTO_TEST_SUITE(delta_test)

using namespace tickreel;
using namespace tickreel::icrep;
using namespace tickreel::test;

namespace {

void take(sim_snapshot& state, const delta_snapshot& delta, const slot_table& slots) {
  taken(apply(state.core, delta.core, slots));
  if (delta.campaign_state) state.campaign_state = delta.campaign_state;
  if (delta.script_state) state.script_state = delta.script_state;
}

error_code refusal(delta_group& group, const sim_snapshot& now) {
  const auto delta = group.delta(now);
  BOOST_REQUIRE(!delta);
  return delta.error().code;
}

}  // namespace

BOOST_AUTO_TEST_CASE(last_delta_and_all_deltas_agree) {
  auto random = seeded_random("delta groups");
  const slot_table slots = taken(slot_table::create(random_world::schema()));
  std::size_t removed = 0;
  std::size_t born = 0;
  for (int round = 0; round < 300; ++round) {
    random_world world(random);
    delta_group group = taken(delta_group::begin(world.state(), slots));
    sim_snapshot chained = world.state();
    for (std::uint64_t tick = 1; tick < 10; ++tick) {
      world.change(tick * 300);
      // A delta that is computed but never written does no harm.
      const bool lost = random() % 5 == 0;
      const delta_snapshot made = taken(group.delta(world.state()));
      if (lost) continue;
      const delta_snapshot delta = taken(read_delta(to_bytes(made)));
      BOOST_REQUIRE((delta == made));
      BOOST_REQUIRE(delta.core.baseline_tick == 0u);
      BOOST_REQUIRE((delta.core.baseline_hash == core_hash(group.full().core)));
      for (const entity_delta& change : delta.core.changed_entities) {
        removed += change.is_removed ? 1u : 0u;
        born += change.is_new ? 1u : 0u;
      }
      sim_snapshot direct = group.full();
      take(direct, delta, slots);
      take(chained, delta, slots);
      BOOST_REQUIRE((direct == world.state()));
      BOOST_REQUIRE((chained == world.state()));
      BOOST_REQUIRE(validate(direct.core).has_value());
    }
  }
  BOOST_TEST(removed > 100u);
  BOOST_TEST(born > 100u);
}

BOOST_AUTO_TEST_CASE(values_that_return_to_the_baseline_are_still_written) {
  const slot_table slots = taken(slot_table::create(example_schema()));
  sim_snapshot world = example_full();
  delta_group group = taken(delta_group::begin(world, slots));
  world.core.tick = 1;
  world.core.player_states[0].player_fields = int32s(1);
  world.core.map_state[0].resource_amount = 1;
  world.core.rng_state = from_hex("ff");
  BOOST_TEST(taken(group.delta(world)).core.changed_players.size() == 1u);
  world = example_full();
  world.core.tick = 2;
  const delta_snapshot back = taken(group.delta(world));
  BOOST_REQUIRE(back.core.changed_players.size() == 1u);
  BOOST_TEST(to_hex(back.core.changed_players[0].changed_fields) == to_hex(int32s(5000)));
  BOOST_TEST(back.core.changed_map->size() == 1u);
  BOOST_REQUIRE(back.core.changed_entities.size() == 1u);
  BOOST_TEST((back.core.changed_entities[0].entity == world_tag));
}

BOOST_AUTO_TEST_CASE(the_example_equals_a_generated_group) {
  const slot_table slots = taken(slot_table::create(example_schema()));
  delta_group group = taken(delta_group::begin(example_full(), slots));
  // Entity 8:1 exists at tick 1 only, so tick 2 reports its removal.
  sim_snapshot world = example_full();
  world.core.tick = 1;
  world.core.entities.push_back({{8, 1}, 0, 0, {}});
  taken(group.delta(world));
  sim_snapshot later = example_full();
  const delta_snapshot expected = example_delta();
  take(later, expected, slots);
  BOOST_TEST(to_hex(to_bytes(taken(group.delta(later)))) == golden::delta_snapshot);
}

BOOST_AUTO_TEST_CASE(changes_that_a_delta_cannot_express) {
  const slot_table slots = taken(slot_table::create(example_schema()));
  sim_snapshot full = example_full();
  full.campaign_state = from_hex("01");
  full.script_state = example_script();
  delta_group group = taken(delta_group::begin(full, slots));
  const auto changed = [&](auto change) {
    sim_snapshot now = full;
    now.core.tick = 5;
    change(now);
    return now;
  };
  const auto needs_full = error_code::unsupported_operation;
  BOOST_TEST((refusal(group, changed([](auto& now) { now.core.game_seed = 1; })) == needs_full));
  BOOST_TEST(
      (refusal(group, changed([](auto& now) { now.core.map_hash[0] ^= std::byte{1}; })) == needs_full));
  BOOST_TEST((refusal(group, changed([](auto& now) { now.core.player_states.clear(); })) == needs_full));
  BOOST_TEST(
      (refusal(group, changed([](auto& now) { now.core.player_states[0] = {0, 0, {}}; })) == needs_full));
  BOOST_TEST((refusal(group, changed([](auto& now) { now.core.map_state.clear(); })) == needs_full));
  BOOST_TEST((refusal(group, changed([](auto& now) { now.core.intern_table[0] = "x"; })) == needs_full));
  BOOST_TEST((refusal(group, changed([](auto& now) { now.core.intern_table.pop_back(); })) == needs_full));
  BOOST_TEST((refusal(group, changed([](auto& now) { now.campaign_state.reset(); })) == needs_full));
  BOOST_TEST((refusal(group, changed([](auto& now) { now.script_state.reset(); })) == needs_full));
  const auto argument = error_code::invalid_argument;
  BOOST_TEST((refusal(group, full) == argument));
  BOOST_TEST(
      (refusal(group, changed([](auto& now) { now.core.entities[0].components.pop_back(); })) == argument));
  BOOST_TEST(
      (refusal(group, changed([](auto& now) { now.core.entities[0].component_mask = 4; })) == argument));
  BOOST_TEST((refusal(group, changed([](auto& now) { now.core.entities.push_back(now.core.entities[0]); })) ==
              argument));
  BOOST_TEST(group.delta(changed([](auto&) {})).has_value());
}

BOOST_AUTO_TEST_CASE(deltas_that_do_not_match) {
  const slot_table slots = taken(slot_table::create(example_schema()));
  const auto fails = [&](auto change) {
    delta_snapshot delta = example_delta();
    change(delta.core);
    sim_core_snapshot state = example_full().core;
    const auto done = apply(state, delta.core, slots);
    return !done && done.error().code == error_code::malformed;
  };
  BOOST_TEST(!fails([](auto&) {}));
  BOOST_TEST(fails([](auto& core) { core.changed_entities[0].entity = {6, 1}; }));
  BOOST_TEST(fails([](auto& core) { core.changed_entities[0].change_mask = 4; }));
  BOOST_TEST(fails([](auto& core) { core.changed_entities[0].changed_components.pop_back(); }));
  BOOST_TEST(fails([](auto& core) { core.changed_entities[2].changed_components.resize(3); }));
  BOOST_TEST(fails([](auto& core) { core.changed_entities[3].changed_components[0] = std::byte{9}; }));
  BOOST_TEST(fails([](auto& core) { core.changed_players[0].change_mask = 2; }));
  BOOST_TEST(fails([](auto& core) { core.intern_table_delta->start_id = 3; }));
  BOOST_TEST(fails([](auto& core) { core.intern_table_delta->start_id = 1; }));
  BOOST_TEST(!fails([](auto& core) { core.intern_table_delta = {1, {"ore", "tank"}}; }));

  const auto unreadable = [](auto change) {
    delta_snapshot delta = example_delta();
    change(delta.core);
    return !read_delta(to_bytes(delta));
  };
  BOOST_TEST(!unreadable([](auto&) {}));
  BOOST_TEST(unreadable([](auto& core) { core.changed_entities[2].is_removed = true; }));
  BOOST_TEST(unreadable([](auto& core) { core.changed_entities[1].change_mask = 1; }));
  BOOST_TEST(unreadable([](auto& core) { std::swap(core.changed_entities[0], core.changed_entities[1]); }));
  BOOST_TEST(unreadable([](auto& core) { core.changed_map->push_back(core.changed_map->front()); }));
  BOOST_TEST(unreadable([](auto& core) { core.tick = 0; }));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
