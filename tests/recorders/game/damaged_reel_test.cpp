// A match's reel with every kind of damage at every record: each tick of the converted .icrep was recorded, and ticks plus
// reported losses add up to the recording.
#include <boost/test/unit_test.hpp>
#include <map>

#include "collecting_sink.hpp"
#include "random.hpp"
#include "reel_damage.hpp"
#include "same_match.hpp"
#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "small_world.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/game/replay.hpp"
#include "tickreel/reel/block_chunk.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/reel/writer.hpp"

BOOST_AUTO_TEST_SUITE(game_tests)
BOOST_AUTO_TEST_SUITE(damaged_reel_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

constexpr std::uint64_t recorded_ticks = 90;

void record(const std::string& path, game::container file) {
  game::match_options options;
  options.file = file;
  options.mode = threading::pumped;
  options.keyframe_interval_ticks = 5;
  options.full_keyframe_interval = 4;
  auto recorder = little_recorder::begin(path, little_match(), options);
  BOOST_REQUIRE_MESSAGE(recorder, why(recorder));
  small_world world;
  for (std::uint64_t tick = 0; tick < recorded_ticks; ++tick) {
    BOOST_REQUIRE(recorder->tick(tick, world.hash(), [&](auto& to) { world.describe(to); }));
    BOOST_REQUIRE(recorder->order(0, 1, place{static_cast<std::int32_t>(tick), 2}, 3));
    if (tick % 30 == 0) BOOST_TEST(recorder->event(analysis::pause_event{tick, 0, true}));
    (void)recorder->pump();
    world.step();
  }
  BOOST_REQUIRE(recorder->end());
}

// The reel of a recorder that seals every seven ticks, so that most chunks begin with a delta.
byte_vector sealed_often(const std::string& path, bool closed) {
  constexpr std::uint32_t seal_frames = 7;
  auto from = reel::reader::open(path);
  BOOST_REQUIRE(from);
  byte_vector made;
  auto to = writer_to(made, from->head());
  BOOST_REQUIRE(to);
  reel::record_info chunk;
  byte_vector payload;
  const auto seal = [&] {
    if (chunk.frames != 0) BOOST_REQUIRE(to->append(chunk, payload));
    chunk = {};
    payload.clear();
  };
  reel::frame_stream walk(*from);
  reel::item next;
  while (walk.next(next).value()) {
    if (next.kind == reel::item_kind::frame) {
      const reel::frame& frame = next.frame;
      const bool keyframe = frame.kind == frame_kind::keyframe;
      if (keyframe || chunk.frames == seal_frames) seal();
      if (chunk.frames == 0) {
        chunk.flags = keyframe ? reel::starts_with_keyframe : 0;
        chunk.first_tick = chunk.last_tick = frame.stamp.tick;
        chunk.first_time_us = chunk.last_time_us = frame.stamp.time_us;
      }
      std::byte room[3 * leb128_max_size];
      byte_writer head(room);
      write_leb128(head, frame.stamp.tick - chunk.last_tick);
      write_leb128(head, zigzag_encode(frame.stamp.time_us - chunk.last_time_us));
      write_leb128(head, frame.bytes.size() * 2 + (keyframe ? 1 : 0));
      payload.insert(payload.end(), head.written().begin(), head.written().end());
      payload.insert(payload.end(), frame.bytes.begin(), frame.bytes.end());
      chunk.last_tick = frame.stamp.tick;
      chunk.last_time_us = frame.stamp.time_us;
      ++chunk.frames;
      continue;
    }
    seal();
    BOOST_REQUIRE((next.kind == reel::item_kind::event || next.kind == reel::item_kind::header_update));
    BOOST_REQUIRE(to->append(next.in->info, next.in->payload));
  }
  seal();
  if (closed) BOOST_REQUIRE(to->finish());
  return made;
}

using ticks_of = std::map<std::uint64_t, std::uint64_t>;

ticks_of ticks_in(const std::string& path) {
  ticks_of all;
  const game::replay match = opened(path);
  icrep::tick_frame frame;
  for (auto cursor = match.orders(0, UINT64_MAX); cursor.next(frame);) all[frame.tick] = frame.state_hash;
  return all;
}

}  // namespace

// The same reel with one byte in place of that frame; all checksums are right.
void replace_frame(const file_path& path, const file_path& to, std::uint64_t bad) {
  auto from = reel::reader::open(path);
  BOOST_REQUIRE(from);
  auto out = reel::writer::create(to, from->head(), {.codec = codec_id::none});
  BOOST_REQUIRE(out);
  std::uint64_t number = 0;
  reel::record one;
  for (std::size_t at = 0; at < from->contents().records.size(); ++at) {
    const reel::record_kind kind = from->contents().records[at].kind;
    if (kind == reel::record_kind::index || kind == reel::record_kind::end) continue;
    BOOST_REQUIRE(from->read(at, one));
    byte_vector payload = one.payload;
    if (kind == reel::record_kind::chunk) {
      payload.clear();
      reel::frame_cursor frames(one);
      reel::frame each;
      std::optional<frame_stamp> before;
      while (frames.next(each).value()) {
        const std::byte wrong[] = {std::byte{0xFF}};
        const byte_span content = number++ == bad ? byte_span(wrong) : each.bytes;
        std::byte room[reel::frame_head_bytes];
        byte_writer head(room);
        reel::write_frame_head(head, before.value_or(each.stamp), each.stamp, each.kind, content.size());
        payload.insert(payload.end(), head.written().begin(), head.written().end());
        payload.insert(payload.end(), content.begin(), content.end());
        before = each.stamp;
      }
    }
    BOOST_REQUIRE(out->append(one.info, payload));
  }
  BOOST_REQUIRE(out->finish());
}

BOOST_AUTO_TEST_CASE(a_checked_copy_has_no_frame_that_readers_reject) {
  const scratch_folder folder;
  record(folder / "a.icrep", game::container::icrep);
  BOOST_REQUIRE(game::convert_icrep_to_reel(folder / "a.icrep", folder / "converted.reel"));
  record(folder / "recorded.reel", game::container::reel);
  for (const char* const name : {"converted.reel", "recorded.reel"}) {
    const auto copy = [&](const std::string& from, const std::string& to) {
      reel::copy_options how;
      how.overwrite = true;
      auto source = reel::reader::open(from).value();
      how.accepts = game::check_match_frames(source).value();
      return reel::recover_into(from, to, how);
    };
    const auto unchanged = copy(folder / name, folder / "copy.reel");
    BOOST_REQUIRE(unchanged);
    BOOST_TEST(!unchanged->changed);
    // Full keyframes are those of ticks 0, 20, 40 and so on; deltas those of ticks 5, 10 and 15.
    for (const std::uint64_t bad : {0u, 7u, 25u, 40u, 89u}) {
      BOOST_TEST_CONTEXT(name << ", frame " << bad) {
        const std::string wrong = folder / ("bad" + std::to_string(bad) + name);
        replace_frame(folder / name, wrong, bad);
        game::conversion_options how;
        how.overwrite = true;
        const auto before = game::convert_reel_to_icrep(wrong, folder / "bad.icrep", how);
        BOOST_REQUIRE(before);
        BOOST_TEST(before->damaged_parts != 0u);
        const auto done = copy(wrong, folder / "copy.reel");
        BOOST_REQUIRE(done);
        BOOST_TEST(done->totals.ticks != 0u);
        BOOST_TEST(done->ticks + done->totals.ticks == recorded_ticks);
        const auto after = game::convert_reel_to_icrep(folder / "copy.reel", folder / "copy.icrep", how);
        BOOST_REQUIRE(after);
        BOOST_TEST(after->damaged_parts == 0u);
        BOOST_TEST(after->incomplete);
        const auto again = copy(folder / "copy.reel", folder / "again.reel");
        BOOST_REQUIRE(again);
        BOOST_TEST(!again->changed);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(at_every_record) {
  auto random = seeded_random("damaged match reels");
  const scratch_folder folder;
  record(folder / "a.icrep", game::container::icrep);
  BOOST_REQUIRE(game::convert_icrep_to_reel(folder / "a.icrep", folder / "converted.reel"));
  // Its keyframes are a chain.
  record(folder / "recorded.reel", game::container::reel);
  const ticks_of whole = ticks_in(folder / "a.icrep");
  const game::replay match = opened(folder / "a.icrep");
  BOOST_REQUIRE(whole.size() == recorded_ticks);
  game::conversion_options options;
  options.overwrite = true;
  std::size_t cases = 0;
  for (const unsigned kind : {0u, 1u, 2u, 3u}) {
    const bool closed = kind % 2 == 1;
    const byte_vector good = sealed_often(folder / (kind < 2 ? "converted.reel" : "recorded.reel"), closed);
    const auto places = places_of(good);
    for (const reel_damage& damage : every_damage(places.size())) {
      const auto damaged = apply(damage, good, places, good, random);
      if (!damaged) continue;
      ++cases;
      BOOST_TEST_CONTEXT((closed ? "closed: " : "killed: ")
                         << damage.name() << " at record " << damage.record << " of " << places.size()) {
        write_file(folder / "bad.reel", *damaged);
        auto reel = reel::reader::open(folder / "bad.reel");
        BOOST_REQUIRE(reel);
        reel::frame_stream walk(*reel);
        reel::frame frame;
        std::uint64_t shown = 0;
        while (walk.next(frame).value()) ++shown;
        if (walk.totals().unknown != 0) {
          BOOST_REQUIRE((!closed && damage.record + 2 >= places.size()));
        } else if (closed || !damage.cuts_the_last(places.size())) {
          BOOST_REQUIRE(shown + walk.totals().ticks == recorded_ticks);
        }
        const auto made = game::convert_reel_to_icrep(folder / "bad.reel", folder / "bad.icrep", options);
        BOOST_REQUIRE_MESSAGE(made, why(made));
        BOOST_REQUIRE(made->ticks == shown);
        const ticks_of out = ticks_in(folder / "bad.icrep");
        BOOST_REQUIRE(out.size() == shown);
        for (const auto& [tick, hash] : out) {
          const auto expected = whole.find(tick);
          BOOST_REQUIRE((expected != whole.end() && expected->second == hash));
        }
        if (shown < recorded_ticks) BOOST_REQUIRE(made->incomplete);
        // And its keyframes are states that existed.
        const game::replay bad = opened(folder / "bad.icrep");
        for (const auto& keyframe : bad.keyframes()) {
          const auto state = bad.restore(keyframe.tick);
          const auto was = match.restore(keyframe.tick);
          BOOST_REQUIRE((state && was));
          if (state->snapshot.core.tick == was->snapshot.core.tick)
            BOOST_REQUIRE((state->snapshot == was->snapshot));
        }
      }
    }
  }
  BOOST_TEST(cases > 400u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
