// A recorder with a sink that does not answer, and the result of close().
#include <boost/test/unit_test.hpp>

#include "../reel/delivery_receiver.hpp"
#include "allocation_counter.hpp"
#include "file_bytes.hpp"
#include "scratch_folder.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(sdk_record_sinks_tests)
BOOST_AUTO_TEST_SUITE(sinks_test)

namespace {

struct world {
  float x = 0, y = 0;
};
TICKREEL_DESCRIBE(world, x, y);

using namespace tickreel;
using namespace tickreel::test;

// On a busy machine a sink may detach its sender, which still uses the receiver.
struct outliving_receiver : delivery_receiver {
  ~outliving_receiver() {
    stuck = false;
    (void)comes_true([this] { return deliveries == 0; });
  }
};

std::vector<std::unique_ptr<reel::sink>> sink_to(delivery_receiver& far, const std::string& path,
                                                 std::uint32_t wait_ms) {
  reel::queue_options options;
  options.first_backoff_ms = 1;
  options.longest_backoff_ms = 4;
  options.close_wait_ms = options.call_wait_ms = wait_ms;
  auto made = reel::queued_sink::create(path, std::make_unique<far_delivery>(far), options);
  BOOST_REQUIRE(made);
  std::vector<std::unique_ptr<reel::sink>> all;
  all.push_back(std::move(*made));
  return all;
}

recorder_options often() {
  recorder_options options;
  options.ticks_per_second = 60;
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;
  options.seal_frames = 10;
  options.sync_each_chunk = false;
  return options;
}

void push_thousand_ticks(auto& out) {
  for (int tick = 0; tick < 1000; ++tick) {
    BOOST_TEST(out.push({static_cast<float>(tick), 1}));
    (void)out.pump();
  }
}

struct receiver_that_is_away {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  outliving_receiver far;
  result<recording<world>> out;

  receiver_that_is_away() : out((far.away = true, record<world>(path, often(), sink_to(far, path, 5)))) {
    BOOST_REQUIRE(out);
  }
};

BOOST_AUTO_TEST_CASE(a_recording_is_delivered_when_it_is_closed) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  outliving_receiver far;
  auto out = record<world>(path, often(), sink_to(far, path, 60'000));
  BOOST_REQUIRE(out);
  push_thousand_ticks(*out);
  const auto report = out->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->counters.failed_sinks == 0u);
  BOOST_TEST(!report->earlier_failure);
  BOOST_TEST((far.bytes() == read_file(path)));
  BOOST_TEST(far.ends == 1u);
}

BOOST_FIXTURE_TEST_CASE(an_incomplete_delivery_is_reported_and_the_reel_kept, receiver_that_is_away) {
  push_thousand_ticks(*out);
  // A compact rewrite would produce another reel.
  const auto report = out->close({.compact = true});
  BOOST_REQUIRE(!report);
  BOOST_TEST((report.error().code == error_code::timed_out));
  BOOST_TEST(out->counters().failed_sinks == 1u);
  far.away = false;
  far_delivery to(far);
  const auto done = reel::deliver_reel(path, to);
  BOOST_REQUIRE(done);
  BOOST_TEST(done->ended);
  BOOST_TEST((far.bytes() == read_file(path)));
}

BOOST_FIXTURE_TEST_CASE(a_report_names_the_incomplete_sink, receiver_that_is_away) {
  BOOST_TEST(out->push({}));
  const auto report = out->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->counters.failed_sinks == 1u);
  BOOST_REQUIRE(report->earlier_failure);
  BOOST_TEST((report->earlier_failure->code == error_code::timed_out));
}

// The pushing thread allocates nothing, whatever the sink does, and the queue stays bounded.
BOOST_AUTO_TEST_CASE(pushing_is_not_affected_by_a_sink_that_never_answers) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  outliving_receiver far;
  far.stuck = true;
  recorder_options options = often();
  options.mode = threading::own_thread;
  options.ring_ticks = 1u << 16;
  auto out = record<world>(path, options, sink_to(far, path, 5));
  BOOST_REQUIRE(out);
  const std::uint64_t before = allocation_count_of_this_thread();
  bool all_taken = true;
  for (int tick = 0; tick < 20'000; ++tick) all_taken = out->push({static_cast<float>(tick), 1}) && all_taken;
  BOOST_TEST(allocation_count_of_this_thread() == before);
  BOOST_TEST(all_taken);
  const auto report = out->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->nothing_lost());
  BOOST_TEST(report->counters.failed_sinks == 1u);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
