// Live files that a killed recorder left.
#include <boost/test/unit_test.hpp>

#include "live_file.hpp"
#include "random.hpp"
#include "random_world.hpp"

BOOST_AUTO_TEST_SUITE(encoders_icrep_tests)
BOOST_AUTO_TEST_SUITE(live_test)

using namespace tickreel;
using namespace tickreel::icrep;
using namespace tickreel::test;

namespace {

struct live_recording {
  byte_vector file;
  byte_vector keyframes;
  byte_vector events;
  byte_vector voice;
  std::uint64_t ticks = 0;

  live_files files() const { return {file, keyframes, events, voice}; }
};

metadata live_facts() {
  metadata facts = example_metadata();
  facts.state_hash = "core-sha256";
  facts.schema = example_schema();
  facts.others = {{"x_note", "[1,{\"a\":null}]"}};
  facts.tick_rate = "15/1";
  return facts;
}

live_recording record_live(std::uint64_t ticks) {
  live_recording made;
  made.ticks = ticks;
  made.file = begin_live_file(to_json(live_facts()));
  order_stream_writer orders({32, true});
  auto events = record_stream_writer::events();
  auto voice = record_stream_writer::voice_frames();
  taken(voice.add(voice::track{1, 1}, made.voice));
  sim_snapshot state = example_full();
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    state.core.tick = tick;
    if (tick % 20 == 0) taken(append_keyframe_block(made.keyframes, tick, true, to_bytes(state)));
    taken(orders.add({tick, sync_hash(core_hash(state.core)), {}}, made.file));
    taken(events.add({analysis::pause_event{tick, 0, true}}, made.events));
    taken(voice.add(voice::frame{1, tick, order::to_all{}, from_hex("0102")}, made.voice));
  }
  taken(orders.flush(made.file));
  taken(events.finish(made.events));
  taken(voice.finish(made.voice));
  return made;
}

byte_vector assembled(const live_recording& made, const finished_live& end) {
  byte_vector file(made.file.begin(), made.file.begin() + static_cast<std::ptrdiff_t>(end.keep_bytes));
  file.insert(file.end(), end.tail.begin(), end.tail.end());
  std::copy(end.header.begin(), end.header.end(), file.begin());
  return file;
}

std::uint64_t count_events(const reader& opened) {
  std::uint64_t count = 0;
  analysis::event happened;
  auto events = opened.events();
  while (events.next(happened)) ++count;
  return count;
}

std::uint64_t count_frames(const reader& opened) {
  std::uint64_t count = 0;
  tick_frame frame;
  auto frames = opened.orders();
  while (frames.next(frame)) ++count;
  return count;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_live_file_can_be_followed) {
  const live_recording made = record_live(100);
  reader_options options;
  options.spools = made.files();
  const reader opened = taken(reader::open(made.file, options));
  BOOST_TEST(opened.header().live);
  BOOST_TEST(opened.total_ticks() == 100u);
  BOOST_TEST(opened.keyframes().size() == 5u);
  BOOST_TEST(taken(opened.restore(99)).snapshot.core.tick == 80u);
  BOOST_TEST(count_events(opened) == 100u);
  const reader alone = taken(reader::open(made.file));
  BOOST_TEST(alone.keyframes().empty());
  BOOST_TEST(count_frames(alone) == 100u);
}

BOOST_AUTO_TEST_CASE(spools_are_ahead_of_orders) {
  live_recording made = record_live(100);
  made.file.resize(made.file.size() - 3);  // the last block, ticks 96 to 99
  reader_options options;
  options.spools = made.files();
  const reader opened = taken(reader::open(made.file, options));
  BOOST_TEST(opened.total_ticks() == 96u);
  BOOST_TEST(count_events(opened) == 100u);
  for (const finding& found : opened.verify())
    BOOST_TEST((found.severity != severity::damage), describe(found.what));
}

BOOST_AUTO_TEST_CASE(a_killed_recorder) {
  live_recording made = record_live(100);
  made.file.resize(made.file.size() - 3);  // the last block, ticks 96 to 99
  const finished_live end = taken(finish_live(made.files()));
  BOOST_TEST(end.total_ticks == 96u);
  BOOST_TEST(end.damage.size() == 1u);
  const byte_vector file = assembled(made, end);
  const reader opened = taken(reader::open(file));
  BOOST_TEST(opened.header().incomplete);
  BOOST_TEST(opened.header().final_state_hash == digest{});
  BOOST_TEST(opened.total_ticks() == 96u);
  BOOST_TEST(opened.facts().total_ticks == 96u);
  BOOST_TEST(opened.facts().duration_seconds == 6.4);
  BOOST_TEST(opened.facts().players[0].outcome == "unknown");
  BOOST_TEST((opened.facts().others == live_facts().others));
  BOOST_TEST(count_events(opened) == 96u);
  std::uint64_t frames = 0;
  bool track = false;
  byte_span record;
  std::uint64_t offset = 0;
  auto voice = opened.voice();
  while (voice.next(record, offset)) {
    const auto said = taken(read_voice(record));
    if (std::holds_alternative<voice::track>(said)) {
      track = true;
    } else {
      ++frames;
    }
  }
  BOOST_TEST(frames == 96u);
  BOOST_TEST(track);
  for (const finding& found : opened.verify()) BOOST_TEST((found.severity != severity::damage));

  // Killed again after the tail, before the header: the same result.
  live_recording again = made;
  again.file.resize(static_cast<std::size_t>(end.keep_bytes));
  again.file.insert(again.file.end(), end.tail.begin(), end.tail.end());
  const finished_live twice = taken(finish_live(again.files()));
  BOOST_TEST(twice.keep_bytes == end.keep_bytes);
  BOOST_TEST((twice.tail == end.tail));
  BOOST_TEST((twice.header == end.header));
  BOOST_TEST((finish_live({file, {}, {}, {}}).error().code == error_code::wrong_state));
}

BOOST_AUTO_TEST_CASE(killed_at_any_byte) {
  const live_recording whole = record_live(40);
  const std::size_t head = begin_live_file(to_json(live_facts())).size();
  std::uint64_t before = 0;
  for (std::size_t size = head; size <= whole.file.size(); ++size) {
    live_recording cut = whole;
    cut.file.resize(size);
    const finished_live end = taken(finish_live(cut.files()));
    BOOST_REQUIRE(end.total_ticks >= before);
    before = end.total_ticks;
    const byte_vector file = assembled(cut, end);
    const reader opened = taken(reader::open(file));
    BOOST_REQUIRE(count_frames(opened) == end.total_ticks);
    BOOST_REQUIRE(count_events(opened) == end.total_ticks);
    BOOST_REQUIRE(opened.restore(end.total_ticks).has_value());
  }
  BOOST_TEST(before == 40u);
  for (std::size_t size = 0; size <= whole.keyframes.size(); ++size) {
    live_recording cut = whole;
    cut.keyframes.resize(size);
    const byte_vector file = assembled(cut, taken(finish_live(cut.files())));
    const reader opened = taken(reader::open(file));
    BOOST_REQUIRE(opened.keyframes().size() <= 2u);
    BOOST_REQUIRE(count_frames(opened) == 40u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
