// Chunks whose block continues that of the chunk before: written for large structs of which few elements change.
#include <boost/test/unit_test.hpp>
#include <chrono>

#include "collecting_sink.hpp"
#include "crowd_recording.hpp"
#include "file_bytes.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "short_disk.hpp"
#include "tickreel/reel/cut.hpp"
#include "tickreel/tracks/row_rewriter.hpp"

BOOST_AUTO_TEST_SUITE(sdk_simple_level_tests)
BOOST_AUTO_TEST_SUITE(continued_blocks_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;
using namespace crowd_recording;
using namespace std::chrono_literals;

// The smallest struct that is recorded so without options for it.
struct town {
  std::array<crowd_walker, 5462> walkers{};
};
TICKREEL_DESCRIBE(town, walkers);
static_assert(component_size<town> >= tracks::default_min_change_row_bytes);

}  // namespace

BOOST_AUTO_TEST_CASE(chunks_continue_until_a_keyframe_is_due) {
  const scratch_folder folder;
  const std::string path = folder / "crowd.reel";
  auto random = seeded_random("continued chunks");
  const auto all = crowds(random, 100);
  auto out = open_crowd(path, short_chunks());  // chunks of 5, keyframes every 15
  BOOST_REQUIRE(out);
  push_all(*out, all, 0, 50);
  out->force_keyframe();
  push_all(*out, all, 50, 100);
  BOOST_REQUIRE(out->close());
  BOOST_TEST(kinds_of(path) == "10010010011001001001");
  BOOST_TEST((ticks_of(path, all) == range(0, 99)));

  auto in = replay<crowd>(path);
  BOOST_REQUIRE(in);
  for (int i = 0; i < 300; ++i) {
    const std::size_t at = draw(random, 100);
    if (i % 3 == 0) {
      const auto row = in->next();
      BOOST_REQUIRE((row && *row));
      BOOST_REQUIRE(((*row)->state == all[(*row)->tick]));
      if ((*row)->tick == 99) in->rewind();
    } else if (i % 3 == 1) {
      const auto state = in->at(at);
      BOOST_REQUIRE(state);
      BOOST_REQUIRE((*state == all[at]));
    } else {
      const auto state = in->at(std::chrono::microseconds(stamp_of(at).time_us + 20'000));
      BOOST_REQUIRE(state);
      BOOST_REQUIRE((*state == all[at]));
    }
  }
  BOOST_TEST((in->at(100).error().code == error_code::out_of_range));
}

BOOST_AUTO_TEST_CASE(large_structs_continue_for_ten_seconds_by_default) {
  const scratch_folder folder;
  const std::string path = folder / "town.reel";
  recorder_options options;
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;
  options.ticks_per_second = 20;
  options.ring_ticks = 4;
  options.seal_frames = 20;
  auto out = record<town>(path, options);
  BOOST_REQUIRE(out);
  const auto now = std::make_unique<town>();
  for (std::size_t i = 0; i < 480; ++i) {
    now->walkers[i * 7 % now->walkers.size()].x += 3;
    BOOST_REQUIRE(out->push(stamp_of(i), *now));
    (void)out->pump();
  }
  BOOST_REQUIRE(out->close());
  BOOST_TEST(kinds_of(path) == "100000000010000000001000");
}

BOOST_AUTO_TEST_CASE(a_new_sink_begins_with_a_keyframe) {
  const scratch_folder folder;
  auto random = seeded_random("a sink that joins");
  const auto all = crowds(random, 30);
  auto out = open_crowd(folder / "crowd.reel", short_chunks());
  BOOST_REQUIRE(out);
  push_all(*out, all, 0, 22);
  byte_vector collected;
  out->add_sink(std::make_unique<collecting_sink>(collected));
  push_all(*out, all, 22, 30);
  BOOST_REQUIRE(out->close());
  write_file(folder / "joined.reel", collected);
  BOOST_TEST((ticks_of(folder / "joined.reel", all) == range(22, 29)));
}

BOOST_AUTO_TEST_CASE(after_a_lost_chunk_the_next_one_is_whole) {
  const scratch_folder folder;
  const std::string path = folder / "crowd.reel";
  auto random = seeded_random("a full disk");
  const auto all = crowds(random, 40);
  short_disk disk;
  auto out = open_crowd(path, short_chunks(), &disk);
  BOOST_REQUIRE(out);
  push_all(*out, all, 0, 10);
  disk.full = true;
  push_all(*out, all, 10, 15);
  disk.full = false;
  push_all(*out, all, 15, 40);
  const auto report = out->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->counters.lost == 5u);
  auto expected = range(0, 9);
  for (const std::size_t each : range(15, 39)) expected.push_back(each);
  BOOST_TEST((ticks_of(path, all) == expected));
}

BOOST_AUTO_TEST_CASE(a_follower_reads_each_tick_once) {
  const scratch_folder folder;
  const std::string path = folder / "crowd.reel";
  auto random = seeded_random("a follower");
  const auto all = crowds(random, 60);
  auto out = open_crowd(path, short_chunks());
  BOOST_REQUIRE(out);
  push_all(*out, all, 0, 8);
  auto in = follow<crowd>(path);
  BOOST_REQUIRE(in);
  std::size_t expected = 0;
  for (std::size_t i = 8; i <= 60; ++i) {
    BOOST_REQUIRE(in->refresh());
    for (auto next = in->next(); next && *next; next = in->next()) {
      BOOST_REQUIRE((*next)->tick == expected);
      BOOST_REQUIRE(((*next)->state == all[expected++]));
    }
    if (i < 60) push_all(*out, all, i, i + 1);
    if (i % 7 == 0) {
      // Random access while it grows.
      const std::size_t at = draw(random, expected);
      const auto state = in->at(at);
      BOOST_REQUIRE(state);
      BOOST_REQUIRE((*state == all[at]));
    }
  }
  BOOST_REQUIRE(out->close());
  BOOST_REQUIRE(in->refresh());
  for (auto next = in->next(); next && *next; next = in->next()) ++expected;
  BOOST_TEST(expected == 60u);
}

// Any part, cut out of chunks that continue, and of a copy of it: its chunks stay as they are where the ones that they
// continue do, and are otherwise written again.
BOOST_AUTO_TEST_CASE(parts_have_the_same_ticks) {
  const scratch_folder folder;
  const std::string path = folder / "crowd.reel";
  auto random = seeded_random("parts of continued chunks");
  const auto all = crowds(random, 90);
  auto out = open_crowd(path, short_chunks());
  BOOST_REQUIRE(out);
  for (std::size_t i = 0; i < 90; ++i) {
    push_all(*out, all, i, i + 1);
    // None among the ticks whose chunks are compared below: an event ends a block.
    const bool may = i < 15 || i >= 75;
    if (may && draw(random, 4) == 0) BOOST_REQUIRE(out->event(5, as_bytes("event")));
  }
  BOOST_REQUIRE(out->close());
  const auto cut = [&](const std::string& from, std::size_t first, std::size_t last, const std::string& to,
                       std::int64_t block_us = 10'000'000) {
    auto in = reel::reader::open(from);
    BOOST_REQUIRE(in);
    auto rows = tracks::row_rewriter::create(in->head().schema, {.block_us = block_us, .rows_version = 2});
    BOOST_REQUIRE(rows);
    reel::cut_options how;
    how.first_tick = first;
    how.last_tick = last;
    how.overwrite = true;
    how.rewriter = &*rows;
    const auto done = reel::cut_into(*in, to, how);
    BOOST_REQUIRE(done);
    BOOST_TEST(done->ticks == last - first + 1);
  };
  for (int round = 0; round < 60; ++round) {
    const std::size_t first = draw(random, 90), last = first + draw(random, 90 - first);
    // Also blocks that end within a chunk.
    const auto block_us = static_cast<std::int64_t>(50'000 * (1 + draw(random, 20)));
    cut(path, first, last, folder / "part.reel", block_us);
    BOOST_REQUIRE((ticks_of(folder / "part.reel", all) == range(first, last)));
    const std::size_t later = first + draw(random, last - first + 1);
    cut(folder / "part.reel", later, last, folder / "again.reel");
    BOOST_REQUIRE((ticks_of(folder / "again.reel", all) == range(later, last)));
  }
  cut(path, 15, 74, folder / "part.reel");
  BOOST_TEST(kinds_of(folder / "part.reel") == "100100100100");
  // Chunks that continue a rewritten one join its block.
  cut(path, 17, 74, folder / "part.reel");
  BOOST_TEST(kinds_of(folder / "part.reel") == "1100100100");
  // A block ends before the last tick of the chain.
  cut(path, 16, 74, folder / "part.reel", 13 * 50'000);
  BOOST_TEST((ticks_of(folder / "part.reel", all) == range(16, 74)));
  auto compacted = tracks::compact_in_place(path);
  BOOST_REQUIRE(compacted);
  BOOST_TEST((ticks_of(path, all) == range(0, 89)));
}

// Rejects the first row of blocks that would continue, and others.
class picky_encoder : public tracks::row_encoder<crowd> {
 public:
  explicit picky_encoder(tracks::row_encoder<crowd>&& from) : row_encoder(std::move(from)) {}
  static bool rejects(std::size_t number) {
    return number == 5 || number == 6 || number == 23 || number == 30;
  }
  bool add_row(const crowd& now) noexcept { return !rejects(now.number) && row_encoder::add_row(now); }
};
static_assert(continuing_block_encoder<picky_encoder>);

BOOST_AUTO_TEST_CASE(after_a_rejected_row_the_next_block_is_whole) {
  const scratch_folder folder;
  auto random = seeded_random("rejected rows");
  const auto all = crowds(random, 50);
  auto encoder = tracks::row_encoder<crowd>::create({.min_change_row_bytes = 0});
  BOOST_REQUIRE(encoder);
  encoder->take_events();
  recorder_options options = short_chunks();
  options.cadence.keyframe_interval_ticks = 0;
  options.schema = to_bytes(schema_of<crowd>());
  auto out =
      recorder<picky_encoder>::open(folder / "crowd.reel", picky_encoder(std::move(*encoder)), options);
  BOOST_REQUIRE(out);
  std::vector<std::size_t> expected;
  for (std::size_t i = 0; i < all.size(); ++i) {
    BOOST_REQUIRE(out->push(stamp_of(i), all[i]));
    (void)out->pump();
    if (!picky_encoder::rejects(i)) expected.push_back(i);
  }
  BOOST_REQUIRE(out->close());
  BOOST_TEST((ticks_of(folder / "crowd.reel", all) == expected));
  BOOST_TEST(kinds_of(folder / "crowd.reel") == "11000101000");
}

// There is no keyframe any more with which it could begin.
BOOST_AUTO_TEST_CASE(a_sink_that_joins_at_the_end_gets_no_chunk_that_continues) {
  const scratch_folder folder;
  auto random = seeded_random("a sink that joins at the end");
  const auto all = crowds(random, 8);
  auto out = open_crowd(folder / "crowd.reel", short_chunks());
  BOOST_REQUIRE(out);
  push_all(*out, all, 0, 8);
  byte_vector collected;
  out->add_sink(std::make_unique<collecting_sink>(collected));
  BOOST_REQUIRE(out->close());
  BOOST_TEST(kinds_of(folder / "crowd.reel") == "10");
  BOOST_TEST((ticks_of(folder / "crowd.reel", all) == range(0, 7)));
  write_file(folder / "joined.reel", collected);
  auto in = replay<crowd>(folder / "joined.reel");
  BOOST_REQUIRE(in);
  const auto next = in->next();
  BOOST_REQUIRE((next && !*next));
  BOOST_TEST(in->losses().losses == 0u);
  BOOST_TEST(in->losses().gap_ticks == 8u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
