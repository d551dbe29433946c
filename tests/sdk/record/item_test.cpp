// Items of any size: the ring, and a recorder that uses it.
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <thread>

#include "random.hpp"
#include "recorder_fixture.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/record/item_recorder.hpp"

BOOST_AUTO_TEST_SUITE(sdk_record_tests)
BOOST_AUTO_TEST_SUITE(item_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

// The contents of the item of tick `tick`: 0 to 40 KB, mostly small.
byte_vector content_of(std::uint64_t tick) {
  std::mt19937 random(static_cast<std::uint32_t>(tick));
  byte_vector bytes(random() % 16 == 0 ? random() % 40'000 : random() % 60);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

// Every item is a frame after one type byte; every fourth is a keyframe. The item of tick 5n also has an event.
class plain_encoder {
 public:
  static constexpr std::string_view encoder_name = "plain";
  static constexpr std::uint32_t encoder_version = 3;
  void encode(const recorder_item& from, item_output& out) noexcept {
    const std::byte head{static_cast<unsigned char>(from.stamp.tick)};
    const byte_span parts[] = {{&head, 1}, from.bytes};
    const bool restarts = std::exchange(lost, false) || out.wants_keyframe();
    const auto kind = restarts || from.stamp.tick % 4 == 0 ? frame_kind::keyframe : frame_kind::delta;
    (void)out.frame(from.stamp, kind, parts);
    if (from.stamp.tick % 5 == 0)
      out.event(from.stamp, 7, from.bytes.first(std::min<std::size_t>(4, from.bytes.size())));
    dropped += from.dropped_before;
  }
  void sealed(bool written, std::uint32_t count) noexcept {
    (written ? frames : lost_frames) += count;
    if (!written) lost = true;
  }
  void event_lost(std::uint32_t type) noexcept { lost_events += type == 7 ? 1u : 0u; }

  std::uint64_t frames = 0;
  std::uint64_t lost_frames = 0;
  std::uint64_t lost_events = 0;
  std::uint64_t dropped = 0;
  bool lost = false;
};
using plain_recorder = item_recorder<plain_encoder>;
using patient_recorder = item_recorder<plain_encoder, loss_policy::block>;

struct read_back {
  std::vector<std::uint64_t> ticks;
  std::uint64_t events = 0;
};
read_back check_reel(const std::string& path) {
  auto reel = reel::reader::open(path);
  BOOST_REQUIRE(reel);
  read_back found;
  reel::record record;
  for (std::size_t number = 0; number < reel->contents().records.size(); ++number) {
    const auto kind = reel->contents().records[number].kind;
    if (kind == reel::record_kind::event) ++found.events;
    if (kind != reel::record_kind::chunk) continue;
    BOOST_REQUIRE(reel->read(number, record));
    reel::frame_cursor frames(record);
    reel::frame frame;
    for (auto more = frames.next(frame); more && *more; more = frames.next(frame)) {
      byte_vector expected = content_of(frame.stamp.tick);
      expected.insert(expected.begin(), std::byte{static_cast<unsigned char>(frame.stamp.tick)});
      BOOST_REQUIRE(std::ranges::equal(frame.bytes, expected));
      found.ticks.push_back(frame.stamp.tick);
    }
  }
  return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_ring_is_bounded_in_items_and_bytes) {
  item_ring<int> ring(4, 100);
  item_buffer bytes;
  const auto push = [&](int number, std::size_t size) {
    if (!ring.has_room(size)) return false;
    (void)bytes.room(size);
    ring.push(number, bytes);
    BOOST_TEST(bytes.size() == 0u);
    return true;
  };
  for (int i = 0; i < 4; ++i) BOOST_TEST(push(i, 10));
  BOOST_TEST(!push(4, 0));
  ring.pop();
  BOOST_TEST(!push(4, 71));
  BOOST_TEST(push(4, 70));
  for (int i = 1; i < 5; ++i, ring.pop()) BOOST_TEST(ring.front()->head == i);
  BOOST_TEST(ring.front() == nullptr);
  // Larger than the byte limit of the ring: accepted only when the ring is empty.
  BOOST_TEST(push(5, 1000));
  BOOST_TEST(!push(6, 1));
  ring.pop();
  BOOST_TEST(push(6, 1));
}

BOOST_AUTO_TEST_CASE(large_buffers_return_to_the_producer) {
  item_ring<int> ring(8, 1u << 30);
  item_buffer bytes;
  bytes.reserve(1);
  (void)bytes.room(1u << 20);
  const std::byte* const large = bytes.data();
  ring.push(0, bytes);
  BOOST_TEST(bytes.capacity() == prepared_item_bytes);
  BOOST_TEST(ring.front()->bytes.data() == large);
  ring.reclaim(bytes);
  BOOST_TEST(bytes.capacity() == prepared_item_bytes);  // not yet
  ring.pop();
  ring.reclaim(bytes);
  BOOST_TEST(bytes.data() == large);
  // Every slot still has memory.
  for (int i = 0; i < 40; ++i) {
    BOOST_TEST(bytes.capacity() >= prepared_item_bytes);
    ring.push(i, bytes);
    ring.pop();
  }
}

BOOST_AUTO_TEST_CASE(two_threads_transfer_every_byte) {
  item_ring<std::uint64_t> ring(16, 100'000);
  constexpr std::uint64_t count = 20'000;
  std::thread consumer([&] {
    for (std::uint64_t tick = 0; tick < count;) {
      auto* const slot = ring.front();
      if (slot == nullptr) {
        std::this_thread::yield();
        continue;
      }
      if (slot->head != tick || !std::ranges::equal(slot->bytes.bytes(), content_of(tick))) std::abort();
      ring.pop();
      ++tick;
    }
  });
  item_buffer bytes;
  for (std::uint64_t tick = 0; tick < count; ++tick) {
    const byte_vector content = content_of(tick);
    if (content.size() > bytes.capacity()) ring.reclaim(bytes);
    bytes.append(content);
    while (!ring.has_room(bytes.size())) std::this_thread::yield();
    ring.push(tick, bytes);
  }
  consumer.join();
}

BOOST_AUTO_TEST_CASE(items_become_frames_and_events) {
  const scratch_folder folder;
  recorder_options options;
  options.ring_ticks = 8;
  options.ring_bytes = 50'000;
  options.seal_bytes = 100'000;
  auto recorder = patient_recorder::open(folder / "a.reel", {}, options);
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 2000; ++tick) {
    BOOST_REQUIRE(recorder->push({tick, static_cast<std::int64_t>(tick)}, content_of(tick)));
  }
  const auto report = recorder->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->nothing_lost());
  BOOST_TEST(report->counters.written == 2000u);
  BOOST_TEST(report->counters.keyframes == 500u);
  BOOST_TEST(report->counters.events == 400u);
  BOOST_TEST(recorder->encoder().frames == 2000u);
  const read_back found = check_reel(folder / "a.reel");
  BOOST_TEST(found.ticks.size() == 2000u);
  BOOST_TEST(found.events == 400u);
}

// Counted, stored in a gap record, and reported to the encoder.
BOOST_AUTO_TEST_CASE(items_that_do_not_fit) {
  const scratch_folder folder;
  auto options = pumped_options();
  options.ring_ticks = 4;
  auto recorder = plain_recorder::open(folder / "a.reel", {}, options);
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 100; ++tick) {
    BOOST_TEST(recorder->push({tick, 0}, content_of(tick)) == (tick % 10 < 4));
    if (tick % 10 == 9) (void)recorder->pump();
  }
  BOOST_TEST(!recorder->push({50, 0}, content_of(50)));
  const auto report = recorder->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->counters.pushed == 40u);
  BOOST_TEST(report->counters.dropped == 60u);
  BOOST_TEST(report->counters.refused == 1u);
  BOOST_TEST(report->counters.written == 40u);
  BOOST_TEST(recorder->encoder().dropped == 54u);  // the last 6 were not followed by another item
  auto reel = reel::reader::open(folder / "a.reel");
  BOOST_REQUIRE(reel);
  BOOST_TEST(reel->contents().lost_ticks == 60u);
}

// Neither the next push of bytes nor the buffer's owner changes it.
BOOST_AUTO_TEST_CASE(a_rejected_item_is_not_part_of_the_next_one) {
  const scratch_folder folder;
  auto recorder = plain_recorder::open(folder / "a.reel", {}, pumped_options());
  BOOST_REQUIRE(recorder);
  BOOST_TEST(recorder->push({4, 0}, content_of(4)));
  BOOST_TEST(!recorder->push({4, 0}, content_of(3)));
  BOOST_TEST(recorder->push({5, 0}, content_of(5)));
  item_buffer bytes;
  bytes.append(content_of(5));
  BOOST_TEST(!recorder->push({5, 0}, bytes));
  BOOST_TEST(bytes.size() == 0u);
  bytes.append(content_of(6));
  BOOST_TEST(recorder->push({6, 0}, bytes));
  BOOST_REQUIRE(recorder->close());
  const read_back found = check_reel(folder / "a.reel");
  const std::vector<std::uint64_t> expected = {4, 5, 6};
  BOOST_TEST(found.ticks == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_frame_larger_than_a_chunk_is_lost_alone) {
  const scratch_folder folder;
  auto options = pumped_options();
  options.codec.codec = codec_id::none;
  auto recorder = plain_recorder::open(folder / "a.reel", {}, options);
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 6; ++tick) {
    const byte_vector content = tick == 2 ? byte_vector(65u << 20) : content_of(tick);
    BOOST_REQUIRE(recorder->push({tick, 0}, content));
    (void)recorder->pump();
  }
  const auto report = recorder->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->counters.written == 5u);
  BOOST_TEST(report->counters.lost == 1u);
  const read_back found = check_reel(folder / "a.reel");
  const std::vector<std::uint64_t> expected = {0, 1, 3, 4, 5};
  BOOST_TEST(found.ticks == expected, boost::test_tools::per_element());
}

class full_disk : public system_calls {
 public:
  std::int64_t write_at(std::int64_t handle, byte_span from, std::uint64_t offset) override {
    return full ? -ENOSPC : system_calls::write_at(handle, from, offset);
  }
  bool full = false;
};

// Memory stays bounded, and all ticks are accounted for.
BOOST_AUTO_TEST_CASE(a_disk_that_fails_for_a_long_time) {
  const scratch_folder folder;
  full_disk disk;
  auto options = pumped_options();
  options.seal_frames = 10;
  auto recorder = plain_recorder::open(folder / "a.reel", {}, options, disk);
  BOOST_REQUIRE(recorder);
  const byte_vector large(60'000);
  constexpr std::uint64_t ticks = 3000;
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    disk.full = tick >= 1000 && tick < 2000;
    BOOST_REQUIRE(recorder->push({tick, 0}, content_of(tick)));
    if (disk.full) BOOST_TEST(recorder->event(9, large));
    (void)recorder->pump();
  }
  const auto report = recorder->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->counters.written + report->counters.lost == ticks);
  BOOST_TEST(report->counters.lost >= 1000u);
  BOOST_TEST(report->counters.lost <= 1020u);
  BOOST_TEST(recorder->encoder().frames == report->counters.written);
  BOOST_TEST(recorder->encoder().lost_frames == report->counters.lost);
  const read_back found = check_reel(folder / "a.reel");
  BOOST_TEST(found.ticks.size() == report->counters.written);
  BOOST_TEST(found.events == report->counters.events);
  BOOST_TEST(found.events + report->counters.events_lost == ticks / 5 + 1000u);
  BOOST_TEST(report->counters.events_lost > 800u);  // of 60 kB each: more than a slot keeps for reuse
}

// A moved recorder continues; the target of an assignment is closed first.
BOOST_AUTO_TEST_CASE(recorders_can_be_moved) {
  const scratch_folder folder;
  auto first = newest_recorder::open(folder / "a.reel", int_encoder{}, pumped_options());
  auto second = newest_recorder::open(folder / "b.reel", int_encoder{}, pumped_options());
  BOOST_REQUIRE((first && second));
  for (std::uint64_t tick = 0; tick < 5; ++tick) BOOST_TEST(first->push(state_of_tick(tick)));
  newest_recorder moved = std::move(*first);
  for (std::uint64_t tick = 5; tick < 10; ++tick) BOOST_TEST(moved.push(state_of_tick(tick)));
  BOOST_TEST(second->push(state_of_tick(0)));
  *second = std::move(moved);
  auto closed = reel::reader::open(folder / "b.reel");
  BOOST_REQUIRE(closed);
  BOOST_TEST((closed->contents().end == reel::reel_end::closed));
  check_ticks(*closed, 0, 1);
  BOOST_TEST(second->push(state_of_tick(10)));
  BOOST_REQUIRE(second->close());
  auto reel = reel::reader::open(folder / "a.reel");
  BOOST_REQUIRE(reel);
  check_ticks(*reel, 0, 11);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
