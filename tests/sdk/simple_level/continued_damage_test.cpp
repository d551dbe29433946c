// Damaged chunks whose block continues that of the chunk before, and chunks that contradict their heads.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "crowd_recording.hpp"
#include "file_bytes.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "tickreel/reel/recover.hpp"

BOOST_AUTO_TEST_SUITE(sdk_simple_level_tests)
BOOST_AUTO_TEST_SUITE(continued_damage_test)

using namespace tickreel;
using namespace tickreel::test;
using namespace crowd_recording;

namespace {

// The chunks of a reel, each changed by `change`, in a new one.
template <class Change>
void copy_chunks(const std::string& from, const std::string& to, Change&& change) {
  auto in = reel::reader::open(from);
  BOOST_REQUIRE(in);
  auto out = reel::writer::create(to, in->head());
  BOOST_REQUIRE(out);
  reel::record one;
  std::size_t chunk = 0;
  for (std::size_t number = 0; number < in->contents().records.size(); ++number) {
    if (in->contents().records[number].kind != reel::record_kind::chunk) continue;
    BOOST_REQUIRE(in->read(number, one));
    change(chunk++, one);
    BOOST_REQUIRE(out->append(one.info, one.payload));
  }
  BOOST_REQUIRE(out->finish());
}

// Random access to every tick, in an order that goes back and on within a chain.
void compare_at(const file_path& path, const std::vector<crowd>& all, const std::vector<std::size_t>& there,
                std::mt19937_64& random) {
  auto in = replay<crowd>(path);
  BOOST_REQUIRE(in);
  for (int i = 0; i < 200; ++i) {
    const std::size_t at = draw(random, all.size());
    const auto state = in->at(at);
    BOOST_TEST(state.has_value() == std::ranges::binary_search(there, at));
    if (state) BOOST_REQUIRE((*state == all[at]));
  }
}

}  // namespace

// A chunk may have fewer frames than its block has rows: the rows of the next block are not taken for its own.
BOOST_AUTO_TEST_CASE(a_chunk_with_some_of_its_frames_has_those_ticks) {
  const scratch_folder folder;
  auto random = seeded_random("fewer frames than rows");
  const auto all = crowds(random, 60);
  record_all(folder / "crowd.reel", short_chunks(), all);
  std::vector<std::size_t> there;
  copy_chunks(folder / "crowd.reel", folder / "fewer.reel", [&](std::size_t number, reel::record& chunk) {
    reel::frame one;
    reel::frame_cursor frames(chunk);
    const std::size_t kept = number % 3 == 1 ? 3 : 5;
    for (std::size_t i = 0; i < kept; ++i) {
      BOOST_REQUIRE(frames.next(one));
      there.push_back(one.stamp.tick);
    }
    chunk.info.frames = static_cast<std::uint32_t>(kept);
    chunk.info.last_tick = one.stamp.tick;
    chunk.info.last_time_us = one.stamp.time_us;
    chunk.payload.resize(frames.position());
  });
  BOOST_TEST((ticks_of(folder / "fewer.reel", all) == there));
  compare_at(folder / "fewer.reel", all, there, random);
}

// A head that states fewer frames than there are: what continues the chunk has no baseline.
BOOST_AUTO_TEST_CASE(a_chunk_with_more_frames_than_its_head_states_is_reported) {
  const scratch_folder folder;
  auto random = seeded_random("more frames than stated");
  const auto all = crowds(random, 60);
  record_all(folder / "crowd.reel", short_chunks(), all);
  for (const std::uint32_t stated : {0u, 1u, 4u}) {
    copy_chunks(folder / "crowd.reel", folder / "more.reel", [&](std::size_t number, reel::record& chunk) {
      if (number == 3) chunk.info.frames = stated;  // begins a chain
      if (number == 7) chunk.info.frames = stated;  // continues one
    });
    auto there = range(0, 14 + stated);
    for (const std::size_t each : range(30, 34 + stated)) there.push_back(each);
    for (const std::size_t each : range(45, 59)) there.push_back(each);
    BOOST_TEST((ticks_of(folder / "more.reel", all) == there));
    compare_at(folder / "more.reel", all, there, random);
    auto in = replay<crowd>(folder / "more.reel");
    BOOST_REQUIRE(in);
    for (auto next = in->next(); next && *next; next = in->next()) {}
    BOOST_TEST(in->losses().unknown == 2u);
    const auto recovered =
        reel::recover_into(folder / "more.reel", folder / "recovered.reel", {.overwrite = true});
    BOOST_REQUIRE(recovered);
    BOOST_TEST((ticks_of(folder / "recovered.reel", all) == there));
    const auto again =
        reel::recover_into(folder / "recovered.reel", folder / "again.reel", {.overwrite = true});
    BOOST_REQUIRE(again);
    BOOST_TEST(again->losses.empty());
    std::filesystem::remove(folder / "more.reel");
  }
}

BOOST_AUTO_TEST_CASE(the_last_tick_is_that_before_a_lost_chunk) {
  const scratch_folder folder;
  auto random = seeded_random("the last tick");
  const auto all = crowds(random, 75);
  recorder_options options = short_chunks();
  options.cadence.keyframe_interval_ticks = 35;
  record_all(folder / "crowd.reel", options, all);
  BOOST_TEST(kinds_of(folder / "crowd.reel") == "100000010000001");
  // Chunk 14 is a chain of its own; its loss shows the chain before it.
  for (std::size_t lost = 6; lost < 14; ++lost) {
    byte_vector bytes = read_file(folder / "crowd.reel");
    const auto places = places_of(bytes);
    for (const std::size_t number : {lost, std::size_t{14}}) {
      bytes[places[number].offset + places[number].bytes - 1] ^= std::byte{1};
    }
    write_file(folder / "damaged.reel", bytes);
    auto in = replay<crowd>(folder / "damaged.reel");
    BOOST_REQUIRE(in);
    // The end of the chain if its loss is in another one.
    const std::size_t expected = lost == 6 ? 69 : lost * 5 - 1;
    for (int round = 0; round < 3; ++round) {
      const auto last = in->last();
      BOOST_REQUIRE(last);
      BOOST_TEST(last->tick == expected);
      BOOST_REQUIRE((last->state == all[expected]));
      // The next search begins in the middle of the chain.
      (void)in->at(36 + draw(random, 10));
    }
  }
}

// Every record damaged in every way: each tick that a reader returns is the recorded one, a chunk that continues a lost one
// is lost too, and a recovered copy has what the damaged reel has.
BOOST_AUTO_TEST_CASE(damage_loses_ticks_up_to_the_next_keyframe) {
  const scratch_folder folder;
  auto random = seeded_random("damaged continued chunks");
  const auto all = crowds(random, 60);
  for (const char* name : {"crowd.reel", "other.reel"}) {
    auto out = open_crowd(folder / name, short_chunks());
    BOOST_REQUIRE(out);
    push_all(*out, all, 0, 60);
    BOOST_REQUIRE(out->close());
  }
  const byte_vector whole = read_file(folder / "crowd.reel");
  const byte_vector other = read_file(folder / "other.reel");
  const auto places = places_of(whole);
  const std::string damaged = folder / "damaged.reel";
  for (const reel_damage& each : every_damage(places.size())) {
    const auto bytes = apply(each, whole, places, other, random);
    if (!bytes) continue;
    BOOST_TEST_CONTEXT(each.name() << ", record " << each.record) {
      write_file(damaged, *bytes);
      auto in = replay<crowd>(damaged);
      if (!in) continue;
      const auto found = ticks_of(damaged, all);
      for (auto next = in->next(); next && *next; next = in->next()) {}
      BOOST_TEST(found.size() + in->losses().ticks <= 60u);
      BOOST_TEST((found.size() == 60u || in->losses().losses != 0 || each.cuts_the_last(places.size())));
      for (int i = 0; i < 10; ++i) {
        const std::size_t at = draw(random, 60);
        const auto state = in->at(at);
        if (state) BOOST_REQUIRE((*state == all[at]));
        if (std::ranges::binary_search(found, at)) BOOST_REQUIRE(state);
      }
      auto recovered = reel::recover_into(damaged, folder / "recovered.reel", {.overwrite = true});
      BOOST_REQUIRE(recovered);
      BOOST_REQUIRE((ticks_of(folder / "recovered.reel", all) == found));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
