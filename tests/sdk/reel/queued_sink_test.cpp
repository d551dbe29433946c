#include "tickreel/reel/queued_sink.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "queued_recording.hpp"

BOOST_AUTO_TEST_SUITE(sdk_queued_sink_tests)
BOOST_AUTO_TEST_SUITE(queued_sink_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(all_records_arrive_in_order_and_once) {
  for (const bool pumped : {false, true}) {
    delivery_receiver far;
    queued_recording reel;
    reel.attach(far, pumped ? quick_pumped() : quick());
    for (int i = 0; i < 50; ++i) {
      reel.add(10);
      if (pumped) pump_all(*reel.view);
    }
    BOOST_REQUIRE(reel.to->finish());
    BOOST_TEST(reel.to->failed_sinks() == 0u);
    check_all_there(far, reel);
    const auto counters = reel.view->counters();
    BOOST_TEST(counters.accepted == 502u);  // with index and end
    BOOST_TEST(counters.confirmed == 502u);
    BOOST_TEST(counters.sent == 502u);
    BOOST_TEST(far.sends == 502u);
    BOOST_TEST(counters.lag_records == 0u);
    BOOST_TEST(counters.lag_bytes == 0u);
    BOOST_TEST(counters.refilled == 0u);
    BOOST_TEST(counters.lost == 0u);
    BOOST_TEST(counters.ended);
    BOOST_TEST(far.received.ended);
    // The recorder delivered nothing.
    if (!pumped) BOOST_TEST((far.sent_by != std::this_thread::get_id()));
  }
}

BOOST_AUTO_TEST_CASE(overflowing_records_are_read_from_the_file) {
  delivery_receiver far;
  far.away = true;
  queued_recording reel;
  queue_options options = quick();
  options.max_records = 8;
  options.max_bytes = 4000;
  reel.attach(far, options);
  for (int i = 0; i < 300; ++i) {
    reel.add(1);
    const auto counters = reel.view->counters();
    BOOST_TEST(counters.queued_records <= 8u);
    BOOST_TEST(counters.queued_bytes <= 4000u);
  }
  BOOST_TEST(comes_true([&] { return reel.view->counters().retried > 3; }));
  auto counters = reel.view->counters();
  BOOST_TEST(!counters.connected);
  BOOST_TEST(counters.last_error.has_value());
  BOOST_TEST(counters.trouble.has_value());
  BOOST_TEST(counters.lag_records == 300u);
  BOOST_TEST(counters.overflowed == 292u);
  // Some of the marks are stored separately: slightly more memory, never less.
  BOOST_TEST(counters.lag_bytes == reel.to->bytes() - header_bytes(reel.bytes()));
  far.away = false;
  BOOST_TEST(comes_true([&] { return reel.view->counters().lag_records == 0; }));
  BOOST_TEST(reel.view->counters().refilled >= 292u);
  // The last error is kept, but it is no longer the current state.
  BOOST_TEST(!reel.view->counters().trouble);
  BOOST_TEST(reel.view->counters().last_error.has_value());
  reel.add(5);
  BOOST_REQUIRE(reel.to->finish());
  check_all_there(far, reel);
  BOOST_TEST(far.sends == 307u);
}

BOOST_AUTO_TEST_CASE(a_record_larger_than_the_queue_is_delivered) {
  delivery_receiver far;
  queued_recording reel;
  queue_options options = quick();
  options.max_bytes = 1000;
  options.max_unconfirmed_bytes = 1000;
  reel.attach(far, options);
  reel.add(3, 100);
  reel.add(1, 50'000);
  reel.add(3, 100);
  BOOST_REQUIRE(reel.to->finish());
  check_all_there(far, reel);
}

BOOST_AUTO_TEST_CASE(forgotten_records_are_sent_again) {
  delivery_receiver far;
  queued_recording reel;
  reel.attach(far, quick_pumped());
  reel.add(100);
  pump_all(*reel.view);
  BOOST_TEST(reel.view->counters().confirmed == 100u);
  {
    // A power failure loses acknowledged records.
    const std::lock_guard guard(far.lock);
    far.records.erase(far.records.find(40), far.records.end());
  }
  far.away = true;
  reel.add(1);
  pump_all(*reel.view);
  BOOST_TEST(!reel.view->counters().connected);
  far.away = false;
  BOOST_TEST(comes_true([&] {
    pump_all(*reel.view);
    return reel.view->counters().lag_records == 0;
  }));
  BOOST_TEST(reel.view->counters().refilled == 60u);
  BOOST_REQUIRE(reel.to->finish());
  check_all_there(far, reel);
}

BOOST_AUTO_TEST_CASE(unconfirmed_records_are_sent_again) {
  delivery_receiver far;
  far.silent = true;
  queued_recording reel;
  queue_options options = quick();
  options.confirm_timeout_ms = 5;
  options.max_unconfirmed_records = 7;
  reel.attach(far, options);
  reel.add(50);
  BOOST_TEST(comes_true([&] { return reel.view->counters().retried >= 3; }));
  BOOST_TEST((reel.view->counters().last_error->code == error_code::timed_out));
  far.silent = false;
  BOOST_REQUIRE(reel.to->finish());
  BOOST_TEST(reel.to->failed_sinks() == 0u);
  check_all_there(far, reel);
}

BOOST_AUTO_TEST_CASE(records_in_flight_fit_into_the_window) {
  delivery_receiver far;
  far.silent = true;
  queued_recording reel;
  queue_options options = quick_pumped();
  options.max_unconfirmed_records = 7;
  reel.attach(far, options);
  reel.add(50);
  pump_all(*reel.view);
  BOOST_TEST(far.sends == 7u);
  far.silent = false;
  pump_all(*reel.view);
  BOOST_TEST(reel.view->counters().confirmed == 50u);
}

BOOST_AUTO_TEST_CASE(a_silent_receiver_blocks_no_one) {
  delivery_receiver far;
  far.stuck = true;
  queued_recording reel;
  queue_options options = quick();
  options.close_wait_ms = 20;
  options.call_wait_ms = 20;
  reel.attach(far, options);
  reel.add(1000);
  BOOST_REQUIRE(reel.to->finish());
  BOOST_TEST(reel.to->failed_sinks() == 1u);
  BOOST_REQUIRE(reel.to->sink_failure().has_value());
  BOOST_TEST((reel.to->sink_failure()->code == error_code::timed_out));
  BOOST_TEST(describe(*reel.to->sink_failure()).find("1002 records not delivered") != std::string::npos);
  BOOST_TEST(!reel.view->counters().ended);
  // Its thread was detached. It ends when the call returns, and keeps what it needs until then.
  far.stuck = false;
  reel.view.reset();
  BOOST_REQUIRE(comes_true([&] { return far.deliveries == 0; }));

  // Nothing is lost: the reel stays.
  far_delivery again(far);
  const auto done = reel::deliver_reel(reel.path, again, {quick()});
  BOOST_REQUIRE(done);
  BOOST_TEST(done->ended);
  check_all_there(far, reel);
}

BOOST_AUTO_TEST_CASE(close_reports_undelivered_records) {
  for (const bool pumped : {false, true}) {
    delivery_receiver far;
    queued_recording reel;
    queue_options options = pumped ? quick_pumped() : quick();
    options.close_wait_ms = 10;
    far.away = true;
    reel.attach(far, options);
    reel.add(3);
    BOOST_REQUIRE(reel.to->finish());
    BOOST_TEST(reel.to->failed_sinks() == 1u);
    BOOST_TEST(reel.view->counters().lag_records == 5u);
    BOOST_TEST(!reel.view->pump());
  }
}

BOOST_AUTO_TEST_CASE(close_does_not_wait_for_a_long_back_off) {
  delivery_receiver far;
  far.away = true;
  queued_recording reel;
  queue_options options;
  options.first_backoff_ms = options.longest_backoff_ms = 3'600'000;
  options.close_wait_ms = 60'000;
  reel.attach(far, options);
  reel.add(3);
  BOOST_TEST(comes_true([&] { return reel.view->counters().retried == 1; }));
  far.away = false;
  BOOST_REQUIRE(reel.to->finish());
  BOOST_TEST(reel.to->failed_sinks() == 0u);
  check_all_there(far, reel);
}

BOOST_AUTO_TEST_CASE(destroyed_without_an_end_it_delivers_all_records) {
  delivery_receiver far;
  queued_recording reel;
  reel.attach(far, quick());
  reel.add(20);
  reel.to->abandon();
  BOOST_TEST((far.bytes() == reel.bytes()));
  BOOST_TEST(far.ends == 0u);
}

BOOST_AUTO_TEST_CASE(a_late_receiver_gets_everything) {
  delivery_receiver far;
  queued_recording reel;
  reel.add(30);
  reel.attach(far, quick());
  reel.add(30);
  BOOST_REQUIRE(reel.to->finish());
  check_all_there(far, reel);
  BOOST_TEST(reel.view->counters().refilled == 30u);
}

BOOST_AUTO_TEST_CASE(the_file_may_be_removed_while_a_sink_lags) {
  delivery_receiver far;
  far.away = true;
  queued_recording reel;
  queue_options options = quick();
  options.max_records = 4;
  reel.attach(far, options);
  reel.add(100);
  BOOST_TEST(comes_true([&] { return reel.view->counters().retried > 0; }));
  std::filesystem::rename(reel.path, reel.folder / "elsewhere");
  // Another file may have that name.
  write_file(reel.path, as_bytes(std::string_view("no reel")));
  far.away = false;
  BOOST_REQUIRE(reel.to->finish());
  BOOST_TEST(reel.to->failed_sinks() == 0u);
  BOOST_TEST((far.bytes() == read_file(reel.folder / "elsewhere")));
  BOOST_TEST(reel.view->counters().lost == 0u);
}

BOOST_AUTO_TEST_CASE(without_a_file_overflowing_records_are_lost_and_counted) {
  for (const std::string& path : {std::string(), std::string("not there")}) {
    delivery_receiver far;
    far.away = true;
    queued_recording reel;
    queue_options options = quick_pumped();
    options.max_records = 10;
    reel.attach(far, options, {}, 1, path);
    reel.add(25);
    pump_all(*reel.view);
    far.away = false;
    BOOST_REQUIRE(reel.to->finish());
    BOOST_TEST(reel.to->failed_sinks() == 0u);
    BOOST_TEST(reel.view->counters().lost == 17u);  // two more made room for index and end
    BOOST_TEST(reel.view->counters().overflowed == 17u);
    BOOST_TEST(far.records.size() == 10u);
    BOOST_TEST(far.records.begin()->first == 17u);
    BOOST_TEST(far.ends == 1u);
  }
}

BOOST_AUTO_TEST_CASE(another_reel_is_rejected) {
  delivery_receiver far;
  queued_recording reel;
  {
    reel::header head;
    head.encoder_name = "other";
    auto made = reel::writer::create(reel.folder / "another.reel", head);
    BOOST_REQUIRE(made);
    BOOST_REQUIRE(made->finish());
  }
  queue_options options = quick_pumped();
  options.max_records = 2;
  reel.attach(far, options, {}, 1, "another.reel");
  reel.add(10);
  BOOST_REQUIRE(reel.to->finish());
  BOOST_TEST(reel.view->counters().lost == 10u);
  BOOST_TEST((reel.view->counters().last_error->code == error_code::wrong_state));
}

BOOST_AUTO_TEST_CASE(a_damaged_record_is_skipped_and_counted) {
  delivery_receiver far;
  queued_recording reel;
  reel.add(20);
  BOOST_REQUIRE(reel.to->finish());
  byte_vector bytes = reel.bytes();
  const auto opened = reel::reader::from_memory(bytes);
  BOOST_REQUIRE(opened);
  const auto& hurt = opened->contents().records[7];
  bytes[static_cast<std::size_t>(hurt.offset + hurt.bytes - 20)] ^= std::byte{1};
  const std::string path = reel.folder / "hurt.reel";
  write_file(path, bytes);
  far_delivery to(far);
  const auto done = reel::deliver_reel(path, to, {quick()});
  BOOST_REQUIRE(done);
  BOOST_TEST(done->lost == 1u);
  BOOST_TEST(done->ended);
  BOOST_TEST(far.records.size() == 21u);
  BOOST_TEST(far.records.count(7) == 0u);
  BOOST_TEST(far.disordered == 0u);
}

BOOST_AUTO_TEST_CASE(a_full_disk_and_its_sink_have_the_same_records) {
  delivery_receiver far;
  far.away = true;
  queued_recording reel;
  queue_options options = quick();
  options.max_records = 3;
  reel.attach(far, options);
  reel.add(20);
  const scratch_folder folder;
  failing_calls disk(fault::torn_write, ENOSPC, 14, false);
  reel::header head;
  head.encoder_name = "full";
  delivery_receiver other;
  std::size_t refused = 0;
  const std::string path = folder / "full.reel";
  {
    auto to = reel::writer::create(path, head, {.codec = codec_id::none}, disk);
    BOOST_REQUIRE(to);
    auto sink = queued_sink::create(path, std::make_unique<far_delivery>(other), options);
    BOOST_REQUIRE(sink);
    to->add_sink(std::move(*sink));
    for (std::uint64_t i = 0; i < 40; ++i) {
      reel::record_info about;
      about.first_tick = about.last_tick = i;
      about.frames = 1;
      if (!to->append(about, byte_vector(100, static_cast<std::byte>(i)))) ++refused;
    }
    BOOST_REQUIRE(to->finish());
  }
  BOOST_TEST(refused >= 1u);
  BOOST_TEST((other.bytes() == read_file(path)));
  far.away = false;
  BOOST_REQUIRE(reel.to->finish());
  check_all_there(far, reel);
}

BOOST_AUTO_TEST_CASE(lag_is_exact_while_it_is_in_memory) {
  delivery_receiver far;
  far.silent = true;
  queued_recording reel;
  reel.attach(far, quick_pumped());
  reel.add(10);
  const std::uint64_t end_of_first = reel.to->bytes();
  reel.add(10);
  pump_all(*reel.view);
  {
    const std::lock_guard guard(far.lock);
    far.acknowledged = 10;
  }
  pump_all(*reel.view);
  const auto all = reel.view->counters();
  BOOST_TEST(all.lag_records == 10u);
  BOOST_TEST(all.lag_bytes == reel.to->bytes() - end_of_first);
  BOOST_TEST(all.lag_seconds >= 0.0);
  BOOST_TEST(all.queued_records == 10u);
  far.silent = false;
  BOOST_REQUIRE(reel.to->finish());
}

BOOST_AUTO_TEST_CASE(invalid_options_are_rejected) {
  delivery_receiver far;
  const auto is_refused = [&far](auto&& change) {
    queue_options options = quick();
    change(options);
    const auto made = queued_sink::create("x.reel", std::make_unique<far_delivery>(far), options);
    return !made && made.error().code == error_code::invalid_argument;
  };
  BOOST_TEST(is_refused([](queue_options& all) { all.max_records = 0; }));
  BOOST_TEST(is_refused([](queue_options& all) { all.max_unconfirmed_records = 0; }));
  BOOST_TEST(is_refused([](queue_options& all) { all.jitter_percent = 101; }));
  BOOST_TEST((queued_sink::create("x.reel", nullptr).error().code == error_code::invalid_argument));
  const auto zero = std::string("a\0b", 3);
  BOOST_TEST((queued_sink::create(zero, std::make_unique<far_delivery>(far)).error().code ==
              error_code::invalid_argument));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
