// Which keyframe, which deltas, how many ticks; and the result if some of them are missing.
#include <boost/test/unit_test.hpp>

#include "random.hpp"
#include "random_world.hpp"

BOOST_AUTO_TEST_SUITE(encoders_icrep_tests)
BOOST_AUTO_TEST_SUITE(seek_test)

using namespace tickreel;
using namespace tickreel::icrep;
using namespace tickreel::test;

namespace {

struct recording_options {
  std::uint64_t ticks = 100;
  std::uint64_t cadence = 10;
  std::uint64_t deltas_per_full = 4;
  std::optional<std::uint64_t> lost_frame;
  std::optional<std::uint64_t> lost_keyframe;  // by number
  bool chained = false;
};

struct recording {
  byte_vector file;
  std::vector<std::pair<std::uint64_t, sim_snapshot>> states;  // at each keyframe
};

// Each delta depends on the previous keyframe, and contains campaign and script state only when they changed: the other
// interpretation of the specification.
delta_snapshot chained_delta(const sim_snapshot& before, const sim_snapshot& now, const slot_table& slots) {
  delta_group pair = taken(delta_group::begin(before, slots));
  return taken(pair.delta(now));
}

recording record(std::mt19937_64& random, const recording_options& how) {
  const slot_table slots = taken(slot_table::create(random_world::schema()));
  recording made;
  random_world world(random);
  order_stream_writer orders({32, true});
  byte_vector order_bytes;
  keyframe_section_writer keyframes;
  std::optional<delta_group> group;
  sim_snapshot previous;
  std::uint64_t number = 0;
  std::uint64_t since_full = 0;
  for (std::uint64_t tick = 0; tick < how.ticks; ++tick) {
    if (tick % how.cadence == 0) {
      if (tick != 0) world.change(tick);
      const bool lost = how.lost_keyframe == number++;
      const bool full = !group || since_full == how.deltas_per_full;
      if (full && lost) {
        group.reset();  // therefore the next one is full
      } else if (full) {
        group.emplace(taken(delta_group::begin(world.state(), slots)));
        taken(keyframes.add(tick, true, to_bytes(world.state())));
        since_full = 0;
      } else {
        const delta_snapshot delta =
            how.chained ? chained_delta(previous, world.state(), slots) : taken(group->delta(world.state()));
        ++since_full;
        if (!lost) taken(keyframes.add(tick, false, to_bytes(delta)));
      }
      if (!lost) made.states.emplace_back(tick, world.state());
      previous = world.state();
    }
    const std::uint64_t hash = tick % how.cadence == 0 ? sync_hash(core_hash(world.state().core)) : 0;
    if (tick != how.lost_frame) taken(orders.add({tick, hash, {{0, order::idle{}, 5}}}, order_bytes));
  }
  taken(orders.finish(order_bytes));
  metadata facts = example_metadata();
  facts.state_hash = "core-sha256";
  facts.schema = random_world::schema();
  made.file = file_of(facts, order_bytes, keyframes.finish(),
                      {.total_ticks = how.ticks,
                       .lost_frame_count = (how.lost_frame ? 1u : 0u) + (how.lost_keyframe ? 1u : 0u)});
  return made;
}

const std::pair<std::uint64_t, sim_snapshot>& last_before(const recording& made, std::uint64_t tick) {
  auto found = made.states.begin();
  for (auto state = made.states.begin(); state != made.states.end() && state->first <= tick; ++state)
    found = state;
  return *found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(vectors_of_the_description) {
  std::vector<stored_keyframe> keyframes;
  for (std::uint64_t tick = 0; tick < 4000; tick += 300) {
    stored_keyframe one;
    one.tick = tick;
    one.full = tick % 3000 == 0;
    keyframes.push_back(one);
  }
  struct vector {
    std::uint64_t sought, full, keyframe, ticks;
  };
  const vector vectors[] = {{0, 0, 0, 0},           {299, 0, 0, 299},      {300, 0, 300, 0},
                            {2999, 0, 2700, 299},   {3000, 3000, 3000, 0}, {3599, 3000, 3300, 299},
                            {4000, 3000, 3900, 100}};
  for (const vector& one : vectors) {
    BOOST_TEST_CONTEXT("tick " << one.sought) {
      const auto plan = taken(plan_restore(keyframes, 4000, one.sought));
      BOOST_TEST(keyframes[plan.full].tick == one.full);
      BOOST_TEST(keyframes[plan.keyframe].tick == one.keyframe);
      BOOST_TEST(plan.first_tick == one.keyframe);
      BOOST_TEST(plan.tick_count == one.ticks);
    }
  }
  BOOST_TEST((plan_restore(keyframes, 4000, 4001).error().code == error_code::out_of_range));
  BOOST_TEST((plan_restore({}, 10, 5).error().code == error_code::missing_keyframe));
}

BOOST_AUTO_TEST_CASE(any_tick_of_any_recording) {
  auto random = seeded_random("seek");
  for (int round = 0; round < 30; ++round) {
    recording_options how;
    how.chained = round % 3 == 1;
    // A chain does not survive the loss of a link; groups do.
    if (round % 3 == 2) how.lost_keyframe = 1 + random() % 9;
    const recording made = record(random, how);
    const reader opened = taken(reader::open(made.file));
    for (std::uint64_t tick = 0; tick <= how.ticks; tick += 1 + random() % 7) {
      const auto restored = taken(opened.restore(tick));
      const auto& [at, state] = last_before(made, tick);
      for (const error& warning : restored.warnings) BOOST_ERROR(describe(warning));
      BOOST_REQUIRE((restored.snapshot == state));
      BOOST_TEST(restored.snapshot.core.tick == at);
      BOOST_TEST(restored.tick_count == tick - at);
      BOOST_TEST(!restored.gap);
    }
    std::size_t damage = 0;
    for (const finding& found : opened.verify()) damage += found.severity == severity::damage ? 1u : 0u;
    BOOST_TEST(damage == 0u);
  }
}

BOOST_AUTO_TEST_CASE(a_gap_is_reported_with_the_next_position) {
  auto random = seeded_random("gaps");
  recording_options how;
  how.lost_frame = 44;
  const recording made = record(random, how);
  const reader opened = taken(reader::open(made.file));
  BOOST_TEST(!taken(opened.restore(44)).gap);
  const auto gap_at_47 = taken(opened.restore(47)).gap;
  BOOST_REQUIRE(gap_at_47.has_value());
  BOOST_TEST(gap_at_47->tick == 44u);
  BOOST_TEST(*gap_at_47->resume_tick == 50u);
  BOOST_TEST(!taken(opened.restore(50)).gap);
  BOOST_TEST(opened.header().incomplete);
  BOOST_TEST(opened.header().lost_frame_count == 1u);
}

BOOST_AUTO_TEST_CASE(a_damaged_keyframe_falls_back_to_an_earlier_one) {
  auto random = seeded_random("damaged keyframes");
  recording made = record(random, {});
  const auto flip = [&](std::size_t keyframe) {
    const reader opened = taken(reader::open(made.file));
    made.file[static_cast<std::size_t>(opened.keyframes()[keyframe].offset) + 3] ^= std::byte{0x10};
  };
  flip(2);  // a delta
  {
    const reader opened = taken(reader::open(made.file));
    const auto restored = taken(opened.restore(25));
    BOOST_TEST(restored.snapshot.core.tick == 0u);
    BOOST_TEST(restored.tick_count == 25u);
    BOOST_TEST(restored.warnings.size() == 1u);
    // A later delta of the group does not depend on it.
    const auto later = taken(opened.restore(35));
    BOOST_TEST((later.snapshot == last_before(made, 35).second));
    BOOST_TEST(later.warnings.size() == 1u);
  }
  flip(5);  // full
  const reader opened = taken(reader::open(made.file));
  const auto restored = taken(opened.restore(66));
  BOOST_TEST((restored.snapshot == last_before(made, 49).second));
  BOOST_TEST(restored.tick_count == 26u);
  BOOST_TEST(!restored.warnings.empty());
  BOOST_TEST(!opened.verify().empty());
}

BOOST_AUTO_TEST_CASE(a_wrong_baseline_falls_back_to_an_earlier_keyframe) {
  delta_snapshot delta = example_delta();
  delta.core.baseline_hash[0] ^= std::byte{1};
  keyframe_section_writer keyframes;
  taken(keyframes.add(0, true, to_bytes(example_full())));
  taken(keyframes.add(2, false, to_bytes(delta)));
  const byte_vector file = file_of(example_metadata(), example_orders(), keyframes.finish());
  const reader opened = taken(reader::open(file, example_options()));
  const auto restored = taken(opened.restore(2));
  BOOST_TEST((restored.snapshot == example_full()));
  BOOST_TEST(restored.tick_count == 2u);
  BOOST_REQUIRE(restored.warnings.size() == 1u);
  BOOST_TEST(describe(restored.warnings[0]).find("baseline mismatch") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
