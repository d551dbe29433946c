// Rows in other blocks: only their size changes.
#include <boost/test/unit_test.hpp>

#include "../../fault/failing_calls.hpp"
#include "file_bytes.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "tickreel/reel/recover.hpp"
#include "tickreel/tracks/row_rewriter.hpp"
#include "worlds.hpp"

BOOST_AUTO_TEST_SUITE(sdk_simple_level_tests)
BOOST_AUTO_TEST_SUITE(rewrite_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct reel_contents {
  std::vector<std::pair<std::uint64_t, component_bytes<rich_world>>> ticks;
  std::vector<std::uint32_t> events;
  std::uint64_t gap_ticks = 0;
  bool operator==(const reel_contents&) const = default;
};

reel_contents all_of(const std::string& path) {
  reel_contents out;
  auto in = replay<rich_world>(path);
  BOOST_REQUIRE(in);
  for (const auto& tick : *in) out.ticks.emplace_back(tick.tick, to_component_bytes(tick.state));
  BOOST_REQUIRE(!in->failure());
  out.gap_ticks = in->losses().gap_ticks;
  auto source = reel::reader::open(path);
  reel::frame_stream walk(*source);
  reel::item next;
  for (auto more = walk.next(next); more && *more; more = walk.next(next)) {
    if (next.kind == reel::item_kind::event) out.events.push_back(next.event.type);
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(rows_events_and_gaps_are_unchanged) {
  scratch_folder folder;
  const std::string path = folder / "match.reel";
  const std::string compact = folder / "compact.reel";
  auto random = seeded_random("rewriting");
  recorder_options options;
  options.ticks_per_second = 60;
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;
  options.seal_frames = 60;
  options.ring_ticks = 64;
  auto out = record<rich_world>(path, options);
  BOOST_REQUIRE(out);
  rich_world world;
  for (std::uint64_t tick = 0; tick < 2000; ++tick) {
    advance(world, random);
    if (tick == 700) tick = 750;
    out->push({tick, static_cast<std::int64_t>(tick * 1'000'000 / 60)}, world);
    if (tick % 97 == 0) out->event(static_cast<std::uint32_t>(tick), {});
    // A burst that overflows the ring.
    if (tick < 1000 || tick > 1200) out->pump();
  }
  BOOST_REQUIRE(out->close());
  const reel_contents before = all_of(path);
  BOOST_TEST(before.gap_ticks > 0u);
  auto source = reel::reader::open(path);
  BOOST_REQUIRE(source);
  auto rows = tracks::row_rewriter::create(source->head().schema);
  BOOST_REQUIRE(rows);
  reel::copy_options copying;
  copying.rewriter = &*rows;
  const auto done = reel::recover_into(path, compact, copying);
  BOOST_REQUIRE(done);
  BOOST_TEST(done->losses.empty());
  BOOST_TEST(done->bytes < source->contents().file_bytes);
  BOOST_TEST((all_of(compact) == before));
  auto after = reel::reader::open(compact);
  BOOST_REQUIRE(after);
  BOOST_TEST(after->contents().keyframe_chunks < source->contents().keyframe_chunks / 4);
  auto in = replay<rich_world>(compact);
  for (int i = 0; i < 50; ++i) {
    const auto& [tick, bytes] = before.ticks[random() % before.ticks.size()];
    BOOST_REQUIRE((to_component_bytes(*in->at(tick)) == bytes));
  }
}

// Whatever fails on the way: the reel exists, original or compact, and no other file does.
BOOST_AUTO_TEST_CASE(a_reel_is_compacted_in_place_or_unchanged) {
  scratch_folder folder;
  auto random = seeded_random("compact in place");
  recorder_options options;
  options.ticks_per_second = 60;
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;
  options.seal_frames = 20;
  const std::string source = folder / "source.reel";
  auto out = record<rich_world>(source, options);
  BOOST_REQUIRE(out);
  rich_world world;
  for (int tick = 0; tick < 200; ++tick) {
    advance(world, random);
    out->push(world);
    out->pump();
  }
  BOOST_REQUIRE(out->close());
  const byte_vector live = read_file(source);
  const reel_contents before = all_of(source);
  scratch_folder place;
  const std::string path = place / "match.reel";
  bool compacted = false;
  for (std::uint64_t at = 1; !compacted; ++at) {
    for (const bool for_good : {false, true}) {
      write_file(path, live);
      failing_calls calls(fault::torn_write, ENOSPC, at, for_good);
      const auto done = tracks::compact_in_place(path, calls);
      BOOST_REQUIRE((all_of(path) == before));
      if (!done) BOOST_REQUIRE(calls.struck());
      // A failure leaves the original file or replaces it completely.
      const byte_vector now = read_file(path);
      if (!done && now != live)
        BOOST_REQUIRE(reel::reader::open(path).value().contents().end == reel::reel_end::closed);
      compacted = !calls.struck();
      if (compacted) BOOST_REQUIRE((done && done->changed && read_file(path).size() < live.size()));
    }
    BOOST_REQUIRE(at < 10'000);
  }
  // A second time saves nothing.
  const byte_vector compact = read_file(path);
  const auto again = tracks::compact_in_place(path);
  BOOST_REQUIRE(again);
  BOOST_TEST(!again->changed);
  BOOST_TEST((read_file(path) == compact));
  // A reel without an end is rejected, and so is close() without a file.
  write_file(path, byte_span(live).first(live.size() - 1));
  BOOST_TEST((tracks::compact_in_place(path).error().code == error_code::wrong_state));
  std::vector<std::unique_ptr<reel::sink>> sinks;
  sinks.push_back(std::make_unique<reel::memory_sink>());
  auto without_file = record<rich_world>({}, options, std::move(sinks));
  BOOST_REQUIRE(without_file);
  BOOST_TEST((without_file->close({.compact = true}).error().code == error_code::invalid_argument));
  BOOST_TEST(without_file->close().has_value());
}

namespace {
struct captioned {
  short_text<60> caption;
};
TICKREEL_DESCRIBE(captioned, caption);
}  // namespace

BOOST_AUTO_TEST_CASE(a_repeated_text_costs_its_characters_once_per_chunk) {
  scratch_folder folder;
  const auto size = [&](const std::string& path, int every) {
    recorder_options options;
    options.ticks_per_second = 60;
    options.mode = threading::pumped;
    options.seal_interval_ms = 1'000'000;
    options.seal_frames = 200;
    options.codec.codec = codec_id::none;
    auto out = record<captioned>(path, options);
    BOOST_REQUIRE(out);
    auto random = std::mt19937_64(7);
    std::vector<short_text<60>> texts;
    for (int i = 0; i < 4; ++i) {
      std::string text;
      while (text.size() < 60) text += static_cast<char>('!' + random() % 90);
      texts.emplace_back(text);
    }
    for (int tick = 0; tick < 200; ++tick) out->push({texts[static_cast<std::size_t>(tick / every % 4)]});
    BOOST_REQUIRE(out->close());
    return read_file(path).size();
  };
  const auto each_once = size(folder / "slow.reel", 50);
  const auto each_often = size(folder / "fast.reel", 1);
  // 196 more changes; the characters of one text are 60.
  BOOST_TEST(each_often < each_once + 100);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
