// Random deliveries: whatever fails on the way, the receiver ends up with the reel's bytes.
#include <boost/test/unit_test.hpp>

#include "delivery_receiver.hpp"
#include "file_bytes.hpp"
#include "random.hpp"
#include "random_reel.hpp"
#include "scratch_folder.hpp"
#include "tickreel/reel/recover.hpp"
#include "tickreel/reel/writer.hpp"

BOOST_AUTO_TEST_SUITE(sdk_queued_sink_tests)
BOOST_AUTO_TEST_SUITE(queued_property_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

// 0: never; otherwise once in so many calls.
unsigned maybe(std::mt19937_64& random, unsigned least, unsigned most) {
  return random() % 2 == 0 ? 0 : least + static_cast<unsigned>(random() % (most - least));
}

faults random_faults(std::mt19937_64& random) {
  faults wrong;
  wrong.connect_refused = maybe(random, 2, 6);
  wrong.send_failed = maybe(random, 10, 60);
  wrong.send_unsure = maybe(random, 10, 60);
  wrong.confirm_failed = maybe(random, 5, 30);
  wrong.confirmed_late = maybe(random, 2, 5);
  wrong.forgets = maybe(random, 2, 6);
  wrong.slow = maybe(random, 20, 100);
  return wrong;
}

reel::queue_options random_options(std::mt19937_64& random) {
  reel::queue_options options;
  options.max_records = 1 + static_cast<std::uint32_t>(random() % 40);
  options.max_bytes = 200 + random() % 5000;
  options.max_unconfirmed_records = 1 + static_cast<std::uint32_t>(random() % 30);
  options.max_unconfirmed_bytes = 1 + random() % 4000;
  options.confirm_timeout_ms = 20;
  options.first_backoff_ms = 1;
  options.longest_backoff_ms = 2;
  options.jitter_percent = static_cast<std::uint32_t>(random() % 101);
  options.mode = random() % 2 == 0 ? threading::pumped : threading::own_thread;
  options.close_wait_ms = random() % 3 == 0 ? 0 : 5;
  return options;
}

void append_random(reel::writer& to, std::mt19937_64& random, frame_stamp& stamp) {
  ++stamp.tick;
  switch (random() % 6) {
    case 0:
      BOOST_REQUIRE(to.append_event(stamp, 1, random_bytes(random, 100)));
      break;
    case 1:
      BOOST_REQUIRE(to.append_gap({3, reel::gap_reason::ring_full}, stamp, stamp));
      break;
    default: {
      reel::record_info about;
      about.frames = 1;
      about.flags = reel::starts_with_keyframe;
      about.first_tick = about.last_tick = stamp.tick;
      BOOST_REQUIRE(to.append(about, random_bytes(random, 600)));
    }
  }
}

void one_round(std::mt19937_64& random) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  delivery_receiver far;
  const reel::queue_options options = random_options(random);
  reel::header head;
  head.encoder_name = "random";
  head.start_time_us = static_cast<std::int64_t>(random() >> 1);
  auto to = reel::writer::create(path, head);
  BOOST_REQUIRE(to);
  frame_stamp stamp;
  const std::size_t before = random() % 3 == 0 ? random() % 20 : 0;
  for (std::size_t i = 0; i < before; ++i) append_random(*to, random, stamp);
  auto sink = reel::queued_sink::create(
      path, std::make_unique<far_delivery>(far, random_faults(random), random()), options);
  BOOST_REQUIRE(sink);
  auto view = (*sink)->view();
  to->add_sink(std::move(*sink));
  const std::size_t records = random() % 300;
  for (std::size_t i = 0; i < records; ++i) {
    append_random(*to, random, stamp);
    if (random() % 20 == 0) far.away = !far.away;
    if (random() % 4 == 0) (void)view.pump();
    if (random() % 30 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
    const auto all = view.counters();
    BOOST_REQUIRE(all.queued_records <= options.max_records);
    // A larger record is queued alone.
    BOOST_REQUIRE((all.queued_bytes <= options.max_bytes || all.queued_records == 1));
    BOOST_REQUIRE(all.lost == 0u);
  }
  const bool killed = random() % 3 == 0;
  if (killed) {
    to->abandon();
  } else {
    BOOST_REQUIRE(to->finish());
    BOOST_REQUIRE((to->failed_sinks() == 0) == view.counters().ended);
  }
  far.away = false;
  const auto deliver = [&] {
    far_delivery again(far, random_faults(random), random());
    reel::deliver_options rest;
    rest.queue = options;
    const auto done = reel::deliver_reel(path, again, rest);
    BOOST_REQUIRE(done);
    BOOST_REQUIRE(done->lost == 0u);
    BOOST_REQUIRE(done->lag_records == 0u);
  };
  deliver();
  // The receiver may forget acknowledged records until the last query.
  far_delivery last(far);
  reel::deliver_options calm;
  BOOST_REQUIRE(reel::deliver_reel(path, last, calm));
  BOOST_REQUIRE((far.bytes() == read_file(path)));
  if (killed) {
    BOOST_REQUIRE(reel::recover_in_place(path));
    deliver();
    BOOST_REQUIRE(reel::deliver_reel(path, last, calm));
    BOOST_REQUIRE((far.bytes() == read_file(path)));
  }
  BOOST_REQUIRE(far.ends >= 1u);
  BOOST_REQUIRE(far.differing == 0u);
  BOOST_REQUIRE(far.disordered == 0u);
}

BOOST_AUTO_TEST_CASE(the_receiver_ends_up_with_the_reel) {
  auto random = seeded_random("queued sink");
  for (int round = 0; round < 60; ++round) one_round(random);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
