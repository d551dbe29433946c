#include <boost/test/unit_test.hpp>
#include <map>
#include <thread>

#include "random.hpp"
#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "small_world.hpp"
#include "tickreel/game/recover.hpp"
#include "tickreel/game/replay.hpp"

BOOST_AUTO_TEST_SUITE(game_tests)
BOOST_AUTO_TEST_SUITE(world_recorder_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

game::match_result win() {
  game::match_result how;
  how.outcome.emplace(analysis::outcome::completed{analysis::outcome::winning_player{1}, {}});
  how.player_outcomes = {"lost", "won"};
  return how;
}

bool same_world(const game::replay& replay, const icrep::sim_snapshot& state, const small_world& world) {
  std::size_t alive = 0;
  for (const little_unit& unit : world.units) alive += unit.alive;
  std::size_t found = 0;
  for (const auto& entity : state.core.entities) {
    if (entity.entity == icrep::world_tag) continue;
    const little_unit& unit = world.units.at(entity.entity.index);
    const auto at = replay.get<little_types, place>(entity);
    const auto body = replay.get<little_types, health>(entity);
    if (!unit.alive || entity.entity != unit.tag || !at || !body) return false;
    if (!same_component(*at, unit.at) || !same_component(*body, unit.body)) return false;
    if (state.core.intern_table.at(entity.archetype) != (unit.tank ? "tank" : "rifle")) return false;
    ++found;
  }
  const auto air = replay.get<little_types, weather>(state);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto money = replay.get<little_types, credits>(state.core.player_states.at(i));
    if (!money || money->amount != world.players[i].amount) return false;
  }
  return found == alive && air && air->wind == world.air.wind &&
         state.core.map_state.at(0).resource_amount == world.ore;
}

BOOST_AUTO_TEST_CASE(every_keyframe_equals_the_world) {
  auto random = seeded_random("keyframes");
  for (int round = 0; round < 12; ++round) {
    const scratch_folder folder;
    const std::uint32_t interval = 1 + static_cast<std::uint32_t>(random() % 9);
    auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), pumped_options(interval));
    BOOST_REQUIRE(recorder);
    small_world world;
    world.random = random() | 1;
    std::vector<small_world> worlds;
    for (std::uint64_t tick = 0; tick < 120; ++tick) {
      BOOST_REQUIRE(recorder->tick(tick, world.hash(), [&](auto& keyframe) { world.describe(keyframe); }));
      BOOST_REQUIRE(recorder->order(1, 7, place{static_cast<std::int32_t>(tick), 0}, 5));
      (void)recorder->pump();
      worlds.push_back(world);
      world.step();
    }
    auto how = win();
    how.state_hash = world.hash();
    const auto report = recorder->end(how);
    BOOST_REQUIRE(report);
    BOOST_TEST(report->nothing_lost());
    BOOST_TEST(report->total_ticks == 120u);

    auto replay = game::replay::open(folder / "a.icrep");
    BOOST_REQUIRE(replay);
    for (const auto& problem : replay->file().verify()) BOOST_ERROR(describe(problem.what));
    BOOST_TEST(!replay->file().header().incomplete);
    BOOST_TEST(replay->players()[1].outcome == "won");
    BOOST_TEST(replay->keyframes().size() == (120 + interval - 1) / interval);
    for (std::uint64_t tick = 0; tick < 120; ++tick) {
      const auto restored = replay->restore(tick);
      BOOST_REQUIRE(restored);
      BOOST_TEST(restored->warnings.empty());
      BOOST_TEST(restored->tick_count == tick % interval);
      BOOST_REQUIRE(same_world(*replay, restored->snapshot, worlds[tick - tick % interval]));
    }
    auto frames = replay->orders(10, 20);
    icrep::tick_frame frame;
    std::uint64_t expected = 10;
    while (frames.next(frame)) {
      BOOST_TEST(frame.tick == expected);
      BOOST_TEST(frame.state_hash == worlds[expected].hash());
      const auto& given = std::get<icrep::order::game_order>(frame.orders.at(0).order);
      BOOST_TEST(read_component<place>(given.payload)->x == static_cast<std::int32_t>(expected));
      ++expected;
    }
    BOOST_TEST(expected == 20u);
    icrep::event_filter ends;
    ends.types = 1u << 13;
    auto events = replay->events(ends);
    analysis::event happened;
    BOOST_TEST(events.next(happened));
    BOOST_TEST(!std::filesystem::exists(folder / "a.icrep.reel"));
  }
}

// Given the whole world or only the marked changes: the file is identical, byte for byte.
BOOST_AUTO_TEST_CASE(marked_changes_give_the_same_file) {
  auto random = seeded_random("marked");
  for (int round = 0; round < 12; ++round) {
    const scratch_folder folder;
    const std::uint32_t interval = 1 + static_cast<std::uint32_t>(random() % 9);
    auto whole = little_recorder::begin(folder / "whole.icrep", little_match(), pumped_options(interval));
    auto marked = little_recorder::begin(folder / "marked.icrep", little_match(), pumped_options(interval));
    BOOST_REQUIRE((whole && marked));
    marked->changes_only(true);
    // Numbered in the order of first use, which otherwise differs.
    for (auto* recorder : {&*whole, &*marked}) {
      for (const char* text : {"tank", "rifle", "ore"}) (void)recorder->intern(text);
    }
    small_world world;
    world.random = random() | 1;
    for (std::uint64_t tick = 0; tick < 150; ++tick) {
      BOOST_REQUIRE(whole->tick(tick, world.hash(), [&](auto& to) { world.describe(to); }));
      BOOST_REQUIRE(marked->tick(tick, world.hash(), [&](auto& to) { world.describe_changes(to); }));
      (void)whole->pump();
      (void)marked->pump();
      world.step();
    }
    BOOST_REQUIRE(whole->end());
    BOOST_REQUIRE(marked->end());
    auto first = game::replay::open(folder / "whole.icrep");
    auto second = game::replay::open(folder / "marked.icrep");
    BOOST_REQUIRE((first && second));
    const auto compared = game::compare(*first, *second);
    BOOST_REQUIRE(compared);
    BOOST_TEST(compared->same());
    if (compared->state) BOOST_ERROR(compared->state->where << " " << compared->state->component);
    BOOST_TEST((read_file(folder / "whole.icrep") == read_file(folder / "marked.icrep")));
  }
}

// No writer runs: the queue fills, dropped ticks are counted, and later ticks are correct again.
BOOST_AUTO_TEST_CASE(losses_are_counted_and_skipped) {
  auto random = seeded_random("losses");
  for (const bool marked : {false, true}) {
    const scratch_folder folder;
    auto options = pumped_options(3);
    options.ring_ticks = 8;
    auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), options);
    BOOST_REQUIRE(recorder);
    recorder->changes_only(marked);
    small_world world;
    std::map<std::uint64_t, small_world> worlds;
    for (std::uint64_t tick = 0; tick < 600; ++tick) {
      BOOST_REQUIRE(recorder->tick(tick, world.hash(), [&](auto& to) { world.describe_changes(to); }));
      worlds.emplace(tick, world);
      if (random() % 12 == 0) (void)recorder->pump();
      world.step();
    }
    const auto report = recorder->end();
    BOOST_REQUIRE(report);
    BOOST_TEST(report->counters.dropped > 0u);
    BOOST_TEST(report->counters.keyframes_lost > 0u);
    BOOST_TEST(report->counters.pushed + report->counters.dropped == 600u);
    auto replay = game::replay::open(folder / "a.icrep");
    BOOST_REQUIRE(replay);
    BOOST_TEST(replay->file().header().incomplete);
    BOOST_TEST(replay->file().header().lost_frame_count ==
               report->counters.dropped + report->counters.keyframes_lost);
    BOOST_TEST(replay->keyframes().size() == report->counters.keyframes);
    for (std::size_t i = 0; i < replay->keyframes().size(); ++i) {
      const auto state = replay->file().snapshot(i);
      BOOST_REQUIRE(state);
      BOOST_TEST(same_world(*replay, *state, worlds.at(state->core.tick)));
    }
    std::uint64_t frames = 0;
    icrep::tick_frame frame;
    for (auto cursor = replay->orders(0, 600); cursor.next(frame); ++frames) {
      BOOST_TEST(frame.state_hash == worlds.at(frame.tick).hash());
    }
    BOOST_TEST(frames == report->counters.pushed);
  }
}

BOOST_AUTO_TEST_CASE(games_without_hashes_get_the_hash_of_the_snapshot) {
  const scratch_folder folder;
  auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), pumped_options(5));
  BOOST_REQUIRE(recorder);
  small_world world;
  for (std::uint64_t tick = 0; tick < 40; ++tick) {
    BOOST_REQUIRE(recorder->tick(tick, 0, [&](auto& to) { world.describe(to); }));
    world.step();
  }
  BOOST_REQUIRE(recorder->end());
  auto replay = game::replay::open(folder / "a.icrep");
  BOOST_REQUIRE(replay);
  BOOST_TEST(replay->facts().hashes_core());
  BOOST_TEST(replay->file().verify().empty());
  for (std::uint64_t tick = 0; tick < 40; ++tick) BOOST_TEST(replay->restore(tick)->warnings.empty());
}

// The file of a killed recorder states whose hashes it has, too.
BOOST_AUTO_TEST_CASE(recovered_files_know_their_hashes) {
  for (const bool has_hashes : {false, true}) {
    const scratch_folder folder;
    {
      auto options = pumped_options(5);
      options.seal_interval_ms = 0;
      auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), options);
      BOOST_REQUIRE(recorder);
      small_world world;
      for (std::uint64_t tick = 0; tick < 40; ++tick) {
        BOOST_REQUIRE(
            recorder->tick(tick, has_hashes ? world.hash() : 0, [&](auto& to) { world.describe(to); }));
        (void)recorder->pump();
        world.step();
      }
    }
    BOOST_REQUIRE(game::recover(folder / "a.icrep"));
    auto replay = game::replay::open(folder / "a.icrep");
    BOOST_REQUIRE(replay);
    BOOST_TEST(replay->facts().hashes_core() == !has_hashes);
    for (const auto& problem : replay->file().verify()) {
      BOOST_TEST((problem.severity != icrep::severity::damage), describe(problem.what));
    }
    BOOST_TEST(replay->restore(37)->warnings.empty());
  }
}

// A delta cannot express that a player or a cell was removed; then a whole keyframe is written.
BOOST_AUTO_TEST_CASE(changes_that_deltas_cannot_express_become_a_full_keyframe) {
  const scratch_folder folder;
  auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), pumped_options(1));
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 12; ++tick) {
    BOOST_REQUIRE(recorder->tick(tick, 1, [&](auto& to) {
      to.entity({1, 1}, "rifle").set(place{static_cast<std::int32_t>(tick), 0});
      if (tick < 2 || tick >= 9) to.player(0).set(credits{5});
      if (tick != 6) to.cell({1, 2, 3}, "ore", 7);
      if (tick < 10) to.world(weather{1});
    }));
  }
  BOOST_REQUIRE(recorder->end());
  const auto replay = game::replay::open(folder / "a.icrep");
  BOOST_REQUIRE(replay);
  BOOST_TEST(replay->file().verify().empty());
  std::vector<std::uint64_t> full;
  for (std::size_t i = 0; i < replay->keyframes().size(); ++i) {
    if (replay->keyframes()[i].full) full.push_back(replay->keyframes()[i].tick);
    const std::uint64_t tick = replay->keyframes()[i].tick;
    const auto state = replay->file().snapshot(i);
    BOOST_REQUIRE(state);
    BOOST_TEST(state->core.player_states.size() == (tick < 2 || tick >= 9 ? 1u : 0u));
    BOOST_TEST(state->core.map_state.size() == (tick != 6 ? 1u : 0u));
    BOOST_TEST((replay->get<little_types, weather>(*state).has_value()) == (tick < 10));
  }
  const std::vector<std::uint64_t> expected = {0, 2, 4, 6, 8, 10};
  BOOST_TEST(full == expected, boost::test_tools::per_element());
}

// More than readers accept is not written, and counted.
BOOST_AUTO_TEST_CASE(a_world_too_large_is_a_lost_keyframe) {
  const scratch_folder folder;
  auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), pumped_options(2));
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 4; ++tick) {
    const std::uint32_t units = tick == 0 ? 50'001 : 3;
    BOOST_REQUIRE(recorder->tick(tick, 1, [&](auto& to) {
      for (std::uint32_t i = 0; i < units; ++i) {
        to.entity({static_cast<std::uint16_t>(i), 1}, "rifle").set(place{1, 2});
      }
    }));
  }
  const auto report = recorder->end();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->counters.keyframes_lost == 1u);
  const auto replay = game::replay::open(folder / "a.icrep");
  BOOST_REQUIRE(replay);
  BOOST_TEST(replay->file().header().incomplete);
  BOOST_REQUIRE(replay->keyframes().size() == 1u);
  BOOST_TEST(replay->keyframes()[0].tick == 2u);
  BOOST_TEST(replay->keyframes()[0].full);
}

BOOST_AUTO_TEST_CASE(the_difference_is_named) {
  const scratch_folder folder;
  for (const char* name : {"a.icrep", "b.icrep"}) {
    auto recorder = little_recorder::begin(folder / name, little_match(), pumped_options(10));
    BOOST_REQUIRE(recorder);
    small_world world;
    for (std::uint64_t tick = 0; tick < 60; ++tick) {
      BOOST_REQUIRE(recorder->tick(tick, world.hash(), [&](auto& to) { world.describe(to); }));
      world.step();
      if (tick == 32 && name[0] == 'b') {
        for (little_unit& unit : world.units) {
          if (!unit.alive) continue;
          unit.at.y = 99;
          unit.body.points = 1;
          break;
        }
      }
    }
    BOOST_REQUIRE(recorder->end());
  }
  auto first = game::replay::open(folder / "a.icrep");
  auto second = game::replay::open(folder / "b.icrep");
  BOOST_REQUIRE((first && second));
  const auto found = game::compare(*first, *second);
  BOOST_REQUIRE(found);
  BOOST_TEST(found->first_tick.value() == 33u);
  BOOST_TEST(!found->first_orders);
  BOOST_REQUIRE(found->state);
  BOOST_TEST(found->state->tick == 40u);
  BOOST_TEST(found->state->where.starts_with("entity "));
  BOOST_TEST(found->state->component == "place");
  BOOST_TEST(found->state->field == "y");
  BOOST_TEST(found->state->first == "7");
  BOOST_TEST(found->state->second == "99");
  BOOST_TEST(game::compare(*first, *first)->same());
}

// The part of a registry that for_each_in_registry() needs.
struct registry {
  struct rows {
    const std::vector<std::tuple<std::uint32_t, place, health>>& all;
    [[nodiscard]] const auto& each() const { return all; }
  };
  template <class... Component>
  [[nodiscard]] rows view() const {
    return {entities};
  }
  std::vector<std::tuple<std::uint32_t, place, health>> entities;
};

BOOST_AUTO_TEST_CASE(a_registry_is_recorded) {
  const scratch_folder folder;
  auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), pumped_options(10));
  BOOST_REQUIRE(recorder);
  const registry all{{{3, {1, 2}, {50, "x"}}, {5, {3, 4}, {60, "y"}}}};
  BOOST_REQUIRE(recorder->tick(0, 1, [&](auto& keyframe) {
    game::for_each_in_registry<place, health>(
        all, [&](std::uint32_t id, const place& at, const health& body) {
          keyframe.entity({static_cast<std::uint16_t>(id), 0}, "unit").set(at).set(body);
        });
  }));
  BOOST_REQUIRE(recorder->end());
  const auto replay = game::replay::open(folder / "a.icrep");
  BOOST_REQUIRE(replay);
  const auto state = replay->restore(0);
  BOOST_REQUIRE(state);
  BOOST_REQUIRE(state->snapshot.core.entities.size() == 2u);
  BOOST_TEST(state->snapshot.core.entities[1].entity.index == 5u);
  BOOST_TEST((replay->get<little_types, place>(state->snapshot.core.entities[1])->y) == 4);
  BOOST_TEST((replay->get<little_types, health>(state->snapshot.core.entities[0])->badge.view()) == "x");
}

BOOST_AUTO_TEST_CASE(wrong_calls_are_rejected) {
  const scratch_folder folder;
  auto options = pumped_options(10);
  options.wait_limit_ms = 6;
  BOOST_TEST((little_recorder::begin(folder / "a.icrep", little_match(), options).error().code ==
              error_code::invalid_argument));
  auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), pumped_options(10));
  BOOST_REQUIRE(recorder);
  BOOST_TEST((little_recorder::begin(folder / "a.icrep", little_match()).error().code == error_code::in_use));
  BOOST_TEST((game::recover(folder / "a.icrep").error().code == error_code::in_use));
  BOOST_TEST((recorder->order(0, 0, byte_span{}).error().code == error_code::wrong_state));
  BOOST_TEST(recorder->tick(0).value());
  BOOST_TEST((recorder->tick(0).error().code == error_code::invalid_argument));
  BOOST_TEST(!recorder->tick(1).value());
  BOOST_TEST(recorder->end().has_value());
  BOOST_TEST((recorder->end().error().code == error_code::wrong_state));
  BOOST_TEST((recorder->tick(2).error().code == error_code::wrong_state));
  BOOST_TEST((little_recorder::begin(folder / "a.icrep", little_match()).error().code ==
              error_code::already_exists));
}

BOOST_AUTO_TEST_CASE(a_writer_thread_writes_everything) {
  const scratch_folder folder;
  game::match_options options;
  options.keyframe_interval_ticks = 1;
  options.ring_ticks = 8192;  // everything fits, however slow the writer is
  options.events_per_tick = 2048;
  auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), options);
  BOOST_REQUIRE(recorder);
  small_world world;
  for (std::uint64_t tick = 0; tick < 1500; ++tick) {
    BOOST_REQUIRE(recorder->tick(tick, world.hash(), [&](auto& to) { world.describe(to); }));
    BOOST_TEST(recorder->event(analysis::pause_event{tick, 0, true}));
    if (tick % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    world.step();
  }
  const auto report = recorder->end();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->nothing_lost());
  auto replay = game::replay::open(folder / "a.icrep");
  BOOST_REQUIRE(replay);
  BOOST_TEST(replay->keyframes().size() == 1500u);
  BOOST_TEST(replay->restore(1499)->tick_count == 0u);
  std::size_t events = 0;
  analysis::event happened;
  for (auto cursor = replay->events(); cursor.next(happened);) ++events;
  BOOST_TEST(events == 1500u);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
