// What a recorder writes into its reel in addition to ticks, and when.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <thread>

#include "collecting_sink.hpp"
#include "file_bytes.hpp"
#include "recorder_fixture.hpp"
#include "tickreel/io/file.hpp"

BOOST_AUTO_TEST_SUITE(sdk_record_tests)
BOOST_AUTO_TEST_SUITE(recorder_reel_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct broken_sink final : reel::sink {
  result<void> accept_header(byte_span) override { return {}; }
  result<void> accept_record(const reel::record_info&, byte_span) override {
    return fail(error_code::connection_lost);
  }
};

BOOST_AUTO_TEST_CASE(chunks_are_sealed_by_frames_bytes_and_keyframes) {
  const scratch_folder folder;
  recorder_options options = pumped_options();
  options.seal_frames = 10;
  auto by_frames = newest_recorder::open(folder / "frames.reel", int_encoder{}, options);
  BOOST_REQUIRE(by_frames);
  options.seal_frames = 0;
  options.seal_bytes = 100;
  auto by_bytes = newest_recorder::open(folder / "bytes.reel", int_encoder{}, options);
  BOOST_REQUIRE(by_bytes);
  for (std::uint64_t tick = 0; tick < 35; ++tick) {
    by_frames->push(state_of_tick(tick));
    by_bytes->push(state_of_tick(tick));
    if (tick == 14) {
      by_frames->pump();
      by_frames->force_keyframe();
    }
  }
  BOOST_REQUIRE(by_frames->close());
  BOOST_REQUIRE(by_bytes->close());
  auto reel = reel::reader::open(folder / "frames.reel");
  BOOST_REQUIRE(reel);
  const auto chunks = records_of(*reel, reel::record_kind::chunk);
  BOOST_REQUIRE(chunks.size() == 4u);
  BOOST_TEST(chunks[0].frames == 10u);
  BOOST_TEST(chunks[1].frames == 5u);
  BOOST_TEST(chunks[1].flags == 0u);
  BOOST_TEST(chunks[2].flags == reel::starts_with_keyframe);
  BOOST_TEST(chunks[2].first_tick == 15u);
  BOOST_TEST(chunks[3].first_tick == 25u);
  check_ticks(*reel, 0, 35);
  auto other = reel::reader::open(folder / "bytes.reel");
  BOOST_REQUIRE(other);
  for (const auto& chunk : records_of(*other, reel::record_kind::chunk)) BOOST_TEST(chunk.raw_bytes < 200u);
  check_ticks(*other, 0, 35);
}

BOOST_AUTO_TEST_CASE(seals_are_timed_without_new_ticks) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  recorder_options options;
  options.seal_interval_ms = 20;
  auto recorder = newest_recorder::open(path, int_encoder{}, options);
  BOOST_REQUIRE(recorder);
  BOOST_REQUIRE(recorder->push(state_of_tick(0)));
  auto reel = reel::reader::open(path);
  BOOST_REQUIRE(reel);
  while (reel->contents().frames == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    BOOST_REQUIRE(reel->refresh());
  }
  check_ticks(*reel, 0, 1);
  BOOST_TEST((reel->contents().end == reel::reel_end::open));
  BOOST_REQUIRE(recorder->close());
}

BOOST_AUTO_TEST_CASE(a_pumped_recorder_seals_when_it_is_pumped) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  recorder_options options = pumped_options();
  options.seal_interval_ms = 1;
  auto recorder = newest_recorder::open(path, int_encoder{}, options);
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 6; ++tick) recorder->push(state_of_tick(tick));
  BOOST_TEST(recorder->pump(4) == 4u);
  BOOST_TEST(recorder->counters().written < 6u);
  BOOST_TEST(recorder->pump() == 2u);
  while (recorder->counters().written < 6u) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    recorder->pump();
  }
  BOOST_REQUIRE(recorder->close());
}

BOOST_AUTO_TEST_CASE(events_and_noted_gaps_are_in_the_reel) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  auto recorder = newest_recorder::open(path, int_encoder{}, pumped_options());
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 5; ++tick) recorder->push(state_of_tick(tick));
  BOOST_TEST(recorder->event(42, as_bytes("goal")));
  BOOST_TEST(!recorder->event(42, byte_vector(100'000)));
  recorder->note_gap(3, reel::gap_reason::source_failed);
  recorder->note_unknown_gap({4, 0}, {4, 0}, reel::gap_reason::damaged);
  recorder->note_unknown_gap({4, 0}, {4, 0}, reel::gap_reason::source_failed);
  const auto report = recorder->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->counters.events == 1u);
  BOOST_TEST(report->counters.events_lost == 1u);
  BOOST_TEST(report->counters.noted == 3u);
  auto reel = reel::reader::open(path);
  BOOST_REQUIRE(reel);
  BOOST_TEST(reel->contents().lost_ticks == 3u);
  const auto has_gap = [&](std::size_t number, std::uint64_t ticks, reel::gap_reason reason) {
    const reel::gap found = gap_of(*reel, number);
    return found.ticks == ticks && found.reason == reason;
  };
  BOOST_TEST(has_gap(0, 3, reel::gap_reason::source_failed));
  BOOST_TEST(has_gap(1, 0, reel::gap_reason::source_failed));
  BOOST_TEST(has_gap(2, 0, reel::gap_reason::damaged));
  const auto events = records_of(*reel, reel::record_kind::event);
  BOOST_REQUIRE(events.size() == 1u);
  BOOST_TEST(events[0].first_tick == 4u);
  for (std::size_t number = 0; number < reel->contents().records.size(); ++number) {
    if (reel->contents().records[number].kind != reel::record_kind::event) continue;
    reel::record record;
    BOOST_REQUIRE(reel->read(number, record));
    const auto event = reel::read_event(record.payload);
    BOOST_REQUIRE(event);
    BOOST_TEST(event->type == 42u);
    BOOST_TEST(as_text(event->bytes) == "goal");
  }
}

// A header with the number of encoded states, rounded up to tens.
class growing_encoder : public int_encoder {
 public:
  [[nodiscard]] std::uint32_t header_revision() const noexcept {
    return static_cast<std::uint32_t>((encoded() + 9) / 10);
  }
  [[nodiscard]] std::size_t max_header_size() const noexcept { return 4; }
  void write_header(byte_writer& out) const noexcept { out.u32(header_revision()); }
};

BOOST_AUTO_TEST_CASE(a_header_update_precedes_the_chunk_that_needs_it) {
  static_assert(encoder_with_header<growing_encoder>);
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  recorder_options options = pumped_options();
  options.seal_frames = 5;
  auto recorder = tickreel::recorder<growing_encoder>::open(path, growing_encoder{}, options);
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 20; ++tick) recorder->push(state_of_tick(tick));
  BOOST_REQUIRE(recorder->close());
  auto reel = reel::reader::open(path);
  BOOST_REQUIRE(reel);
  std::vector<int> kinds;
  for (const auto& info : reel->contents().records) kinds.push_back(static_cast<int>(info.kind));
  // The header update is repeated after the first and the second chunk.
  const std::vector<int> expected{3, 1, 3, 1, 3, 3, 1, 3, 1, 3, 5, 6};
  BOOST_TEST(kinds == expected, boost::test_tools::per_element());
  std::vector<int> repeats;
  for (const auto& info : records_of(*reel, reel::record_kind::header_update)) repeats.push_back(info.flags);
  const std::vector<int> expected_flags{0, 2, 2, 0, 2, 2};
  BOOST_TEST(repeats == expected_flags, boost::test_tools::per_element());
  BOOST_TEST(reel->contents().records.back().updates_before == 2u);
  const auto header = reel->last_header_update();
  BOOST_REQUIRE(header);
  BOOST_TEST(byte_reader(*header).u32() == 2u);
}

// A header that changes once.
class constant_encoder : public int_encoder {
 public:
  [[nodiscard]] std::uint32_t header_revision() const noexcept { return 1; }
  [[nodiscard]] std::size_t max_header_size() const noexcept { return 4; }
  void write_header(byte_writer& out) const noexcept { out.u32(4711); }
};

BOOST_AUTO_TEST_CASE(a_header_is_repeated_soon_then_every_eight_chunks_and_at_the_end) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  recorder_options options = pumped_options();
  options.seal_frames = 5;
  auto recorder = tickreel::recorder<constant_encoder>::open(path, constant_encoder{}, options);
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 5 * 21; ++tick) {
    recorder->push(state_of_tick(tick));
    (void)recorder->pump();
  }
  BOOST_REQUIRE(recorder->close());
  auto reel = reel::reader::open(path);
  BOOST_REQUIRE(reel);
  std::vector<int> chunks_before;
  int chunks = 0;
  for (const auto& info : reel->contents().records) {
    if (info.kind == reel::record_kind::chunk) ++chunks;
    if (info.kind == reel::record_kind::header_update) chunks_before.push_back(chunks);
  }
  const std::vector<int> expected{0, 1, 2, 4, 8, 16, 21};
  BOOST_TEST(chunks_before == expected, boost::test_tools::per_element());

  // Any single copy is sufficient, and the frame iterator misses no tick.
  const byte_vector whole = read_file(path);
  const auto headers = records_of(*reel, reel::record_kind::header_update);
  for (std::size_t kept = 0; kept < headers.size(); ++kept) {
    byte_vector damaged = whole;
    for (std::size_t number = 0; number < headers.size(); ++number) {
      // A byte of the payload, or of the head, so that the record is not even found.
      const std::size_t at = number % 2 == 0 ? 73 : 20;
      if (number != kept) damaged[static_cast<std::size_t>(headers[number].offset) + at] ^= std::byte{1};
    }
    for (const bool by_index : {false, true}) {
      auto left = reel::reader::from_memory(damaged, {}, !by_index);
      BOOST_REQUIRE(left);
      BOOST_TEST(decode_all(*left).size() == 5u * 21);
      const auto header = left->last_header_update();
      BOOST_REQUIRE(header);
      BOOST_TEST(byte_reader(*header).u32() == 4711u);
    }
  }
}

BOOST_AUTO_TEST_CASE(sinks_receive_the_exact_file_and_a_failing_one_is_dropped) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  recorder_options options = pumped_options();
  options.seal_frames = 7;
  auto recorder = newest_recorder::open(path, int_encoder{}, options);
  BOOST_REQUIRE(recorder);
  byte_vector early;
  byte_vector late;
  recorder->add_sink(std::make_unique<collecting_sink>(early));
  recorder->add_sink(std::make_unique<broken_sink>());
  for (std::uint64_t tick = 0; tick < 40; ++tick) {
    recorder->push(state_of_tick(tick));
    recorder->pump();
    if (tick == 7) BOOST_TEST((recorder->failure().value().code == error_code::connection_lost));
    if (tick == 14) BOOST_TEST(!recorder->failure());
    if (tick == 24) recorder->add_sink(std::make_unique<collecting_sink>(late));
  }
  const auto report = recorder->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->counters.failed_sinks == 1u);
  BOOST_TEST(report->counters.written == 40u);
  BOOST_TEST((report->earlier_failure.value().code == error_code::connection_lost));

  auto file = file::open_for_reading(path);
  BOOST_REQUIRE(file);
  byte_vector stored(std::filesystem::file_size(path));
  BOOST_REQUIRE(file->read_at(stored, 0));
  BOOST_TEST((early == stored));
  auto reel = reel::reader::from_memory(late);
  BOOST_REQUIRE(reel);
  BOOST_TEST((reel->contents().end == reel::reel_end::closed));
  check_ticks(*reel, 25, 15);
}

BOOST_AUTO_TEST_CASE(a_recorder_may_have_only_sinks) {
  byte_vector bytes;
  std::vector<std::unique_ptr<reel::sink>> sinks;
  BOOST_TEST(
      (newest_recorder::open(std::move(sinks), int_encoder{}).error().code == error_code::invalid_argument));
  sinks.clear();
  sinks.push_back(std::make_unique<collecting_sink>(bytes));
  auto recorder = newest_recorder::open(std::move(sinks), int_encoder{}, pumped_options());
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 50; ++tick) recorder->push(state_of_tick(tick));
  BOOST_REQUIRE(recorder->close());
  auto reel = reel::reader::from_memory(bytes);
  BOOST_REQUIRE(reel);
  check_ticks(*reel, 0, 50);
}

// Every frame is a keyframe, like lines of text.
struct standalone_encoder : int_encoder {
  static constexpr std::string_view encoder_name = "lines";
  [[nodiscard]] bool needs_keyframe(const int_state&) const noexcept { return true; }
};

BOOST_AUTO_TEST_CASE(consecutive_keyframes_share_a_chunk) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  auto recorder = tickreel::recorder<standalone_encoder>::open(path, {}, pumped_options());
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 100; ++tick) recorder->push(state_of_tick(tick));
  const auto report = recorder->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->counters.chunks == 1u);
  BOOST_TEST(report->counters.keyframes == 100u);
  auto reel = reel::reader::open(path);
  BOOST_REQUIRE(reel);
  check_ticks(*reel, 0, 100);
}

// Writes more than it announced at every tenth frame.
struct boastful_encoder : int_encoder {
  void encode(const int_state& state, frame_kind kind, byte_writer& out) noexcept {
    int_encoder::encode(state, kind, out);
    if (encoded() % 10 == 0) (void)out.reserve(1000);
  }
};

BOOST_AUTO_TEST_CASE(a_frame_that_does_not_fit_is_a_reported_loss) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  auto recorder = tickreel::recorder<boastful_encoder>::open(path, {}, pumped_options());
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 30; ++tick) recorder->push(state_of_tick(tick));
  const auto report = recorder->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->counters.lost == 3u);
  BOOST_TEST(report->counters.written == 27u);
  auto reel = reel::reader::open(path);
  BOOST_REQUIRE(reel);
  BOOST_TEST(reel->contents().lost_ticks == 3u);
  const auto ticks = decode_all(*reel);
  BOOST_TEST(ticks.size() == 27u);
  for (const auto& tick : ticks) BOOST_TEST((tick.state == state_of_tick(tick.stamp.tick)));
}

BOOST_AUTO_TEST_CASE(two_recorders_never_write_one_reel) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  auto first = newest_recorder::open(path, int_encoder{});
  BOOST_REQUIRE(first);
  BOOST_TEST((newest_recorder::open(path, int_encoder{}).error().code == error_code::in_use));
  BOOST_REQUIRE(first->close());
  BOOST_TEST((newest_recorder::open(path, int_encoder{}).error().code == error_code::already_exists));
}

BOOST_AUTO_TEST_CASE(contradictory_options_are_rejected) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  recorder_options options;
  options.ring_ticks = 0;
  BOOST_TEST((newest_recorder::open(path, {}, options).error().code == error_code::invalid_argument));
  options = {};
  options.seal_bytes = 1u << 30;
  BOOST_TEST((newest_recorder::open(path, {}, options).error().code == error_code::invalid_argument));
  options = pumped_options();
  BOOST_TEST((block_recorder::open(path, {}, options).error().code == error_code::invalid_argument));
  options = {};
  options.codec.level = 1000;
  BOOST_TEST((newest_recorder::open(path, {}, options).error().code == error_code::invalid_argument));
  BOOST_TEST(
      (newest_recorder::open(folder / "no/such/folder.reel", {}).error().code == error_code::not_found));
  BOOST_TEST(!std::filesystem::exists(path));
}

BOOST_AUTO_TEST_CASE(a_destroyed_recorder_closes_its_reel) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  {
    auto recorder = newest_recorder::open(path, int_encoder{});
    BOOST_REQUIRE(recorder);
    recorder->push(state_of_tick(0));
  }
  auto reel = reel::reader::open(path);
  BOOST_REQUIRE(reel);
  BOOST_TEST((reel->contents().end == reel::reel_end::closed));
  BOOST_TEST(reel->contents().frames == 1u);
}

// Copied by copy_state(), not by assignment.
struct counted_state {
  std::int64_t used = 0;
  std::int64_t values[100];
};
int copies = 0;
void copy_state(counted_state& to, const counted_state& from) noexcept {
  ++copies;
  to.used = from.used;
}
struct counted_encoder {
  using state_type = counted_state;
  static constexpr std::string_view encoder_name = "counted";
  static constexpr std::uint32_t encoder_version = 1;
  [[nodiscard]] std::size_t max_frame_size() const noexcept { return 8; }
  [[nodiscard]] bool needs_keyframe(const counted_state&) const noexcept { return false; }
  void encode(const counted_state& state, frame_kind, byte_writer& out) noexcept { out.i64(state.used); }
};

BOOST_AUTO_TEST_CASE(a_state_with_copy_state_is_copied_by_it) {
  const scratch_folder folder;
  auto recorder = tickreel::recorder<counted_encoder>::open(folder / "match.reel", {}, pumped_options());
  BOOST_REQUIRE(recorder);
  counted_state state;
  state.used = 5;
  BOOST_TEST(recorder->push(state));
  BOOST_TEST(copies == 1);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
