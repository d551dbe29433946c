// Rows in other blocks: nothing changes but their size.
#include <boost/test/unit_test.hpp>

#include "random.hpp"
#include "scratch_folder.hpp"
#include "tickreel/reel/recover.hpp"
#include "tickreel/tracks/row_rewriter.hpp"
#include "worlds.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct told {
  std::vector<std::pair<std::uint64_t, component_bytes<rich_world>>> ticks;
  std::vector<std::uint32_t> events;
  std::uint64_t gap_ticks = 0;
  bool operator==(const told&) const = default;
};

told all_of(const std::string& path) {
  told out;
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

BOOST_AUTO_TEST_SUITE(rewriting)

BOOST_AUTO_TEST_CASE(rows_events_and_gaps_stay) {
  scratch_folder folder;
  const std::string path = folder / "match.reel";
  const std::string compact = folder / "compact.reel";
  auto random = seeded_random("rewriting");
  recorder_options options;
  options.ticks_per_second = 60;
  options.mode = threading::pumped;
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
    // A burst that the ring does not hold.
    if (tick < 1000 || tick > 1200) out->pump();
  }
  BOOST_REQUIRE(out->close());
  const told before = all_of(path);
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

BOOST_AUTO_TEST_SUITE_END()
