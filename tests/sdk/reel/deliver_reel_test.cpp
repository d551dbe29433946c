// Delivery of reels without a recorder, or by another process than the recorder.
#include <boost/test/unit_test.hpp>

#include "queued_recording.hpp"
#include "tickreel/reel/recover.hpp"

BOOST_AUTO_TEST_SUITE(sdk_queued_sink_tests)
BOOST_AUTO_TEST_SUITE(deliver_reel_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(an_unfinished_delivery_is_resumed) {
  delivery_receiver far;
  queued_recording reel;
  queue_options options = quick();
  options.close_wait_ms = 0;
  reel.attach(far, options);
  reel.add(30);
  BOOST_TEST(comes_true([&] { return reel.view->counters().confirmed == 30; }));
  far.away = true;
  reel.add(30);
  reel.to->abandon();  // as killed
  far.away = false;

  far_delivery to(far);
  const std::uint64_t sends = far.sends;
  const auto rest = reel::deliver_reel(reel.path, to, {quick()});
  BOOST_REQUIRE(rest);
  BOOST_TEST(!rest->ended);
  BOOST_TEST(rest->confirmed == 60u);
  BOOST_TEST((far.bytes() == reel.bytes()));
  BOOST_TEST(far.sends - sends <= 31u);

  // Followed by the records that recovery appends.
  BOOST_REQUIRE(reel::recover_in_place(reel.path));
  const auto end = reel::deliver_reel(reel.path, to, {quick()});
  BOOST_REQUIRE(end);
  BOOST_TEST(end->ended);
  check_all_there(far, reel);
  // There is nothing more to deliver.
  const std::uint64_t before = far.sends;
  BOOST_REQUIRE(reel::deliver_reel(reel.path, to, {quick()}));
  BOOST_TEST(far.sends == before);
}

BOOST_AUTO_TEST_CASE(a_resumed_writer_resumes_the_delivery) {
  delivery_receiver far;
  queued_recording reel;
  reel.add(30);
  reel.to->abandon();
  far_delivery first(far);
  BOOST_REQUIRE(reel::deliver_reel(reel.path, first, {quick()}));
  auto opened = reel::reader::open(reel.path);
  BOOST_REQUIRE(opened);
  auto file = tickreel::file::open_for_appending(reel.path);
  BOOST_REQUIRE(file);
  auto again = reel::writer::resume(std::move(*file), *opened, opened->contents(), {});
  BOOST_REQUIRE(again);
  reel.to.emplace(std::move(*again));
  reel.attach(far, quick());
  BOOST_TEST(comes_true([&] { return reel.view->counters().accepted == 0; }));
  reel.add(5);
  BOOST_REQUIRE(reel.to->finish());
  BOOST_TEST(reel.to->failed_sinks() == 0u);
  check_all_there(far, reel);
}

BOOST_AUTO_TEST_CASE(a_growing_reel_is_followed_to_its_end) {
  delivery_receiver far;
  queued_recording reel;
  reel.add(10);
  result<reel::queue_counters> done = fail(error_code::wrong_state);
  std::thread other([&] {
    far_delivery to(far);
    reel::deliver_options options{quick()};
    options.wait_for_end = true;
    done = reel::deliver_reel(reel.path, to, options);
  });
  BOOST_TEST(comes_true([&] { return far.count() == 10; }));
  reel.add(10);
  BOOST_TEST(comes_true([&] { return far.count() == 20; }));
  BOOST_REQUIRE(reel.to->finish());
  other.join();
  BOOST_REQUIRE(done);
  BOOST_TEST(done->ended);
  check_all_there(far, reel);
}

BOOST_AUTO_TEST_CASE(a_delivery_can_be_cancelled) {
  delivery_receiver far;
  far.away = true;
  queued_recording reel;
  reel.add(10);
  far_delivery to(far);
  reel::deliver_options options{quick()};
  options.should_continue = [](const reel::queue_counters& all) { return all.retried < 5; };
  const auto done = reel::deliver_reel(reel.path, to, options);
  BOOST_REQUIRE(!done);
  BOOST_TEST((done.error().code == error_code::interrupted));
  BOOST_TEST((reel::deliver_reel(reel.folder / "none", to, options).error().code == error_code::not_found));
}

BOOST_AUTO_TEST_CASE(an_empty_reel_is_announced) {
  delivery_receiver far;
  queued_recording reel;
  reel.to->abandon();
  far_delivery to(far);
  const auto done = reel::deliver_reel(reel.path, to, {quick()});
  BOOST_REQUIRE(done);
  BOOST_TEST((far.bytes() == reel.bytes()));
}

BOOST_AUTO_TEST_CASE(a_receiver_with_more_records_than_the_reel_gets_an_error) {
  delivery_receiver far;
  queued_recording reel;
  reel.add(5);
  BOOST_REQUIRE(reel.to->finish());
  {
    far_delivery to(far);
    BOOST_REQUIRE(reel::deliver_reel(reel.path, to, {quick()}));
  }
  far.records[7] = {};
  far_delivery to(far);
  reel::deliver_options options{quick()};
  std::optional<error> said;
  options.should_continue = [&said](const reel::queue_counters& all) {
    said = all.last_error;
    return all.retried == 0;
  };
  BOOST_REQUIRE(!reel::deliver_reel(reel.path, to, options));
  BOOST_REQUIRE(said);
  BOOST_TEST((said->code == error_code::bad_answer));
}

BOOST_AUTO_TEST_CASE(a_temporarily_unreadable_file_is_retried) {
  delivery_receiver far;
  far.away = true;
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  reel::header head;
  auto to = reel::writer::create(path, head);
  BOOST_REQUIRE(to);
  failing_calls calls(fault::refused, EIO, 6, true);
  queue_options options = quick_pumped();
  options.max_records = 1;
  auto sink = queued_sink::create(path, std::make_unique<far_delivery>(far), options, calls);
  BOOST_REQUIRE(sink);
  auto view = (*sink)->view();
  to->add_sink(std::move(*sink));
  pump_all(view);
  reel::record_info about;
  for (int i = 0; i < 30; ++i) BOOST_REQUIRE(to->append(about, byte_vector(10)));
  far.away = false;
  BOOST_TEST(comes_true([&] {
    pump_all(view);
    const auto all = view.counters();
    return all.connected && all.last_error && all.last_error->code == error_code::io_failed;
  }));
  BOOST_TEST(far.records.empty());
  calls.heal();
  BOOST_TEST(comes_true([&] {
    pump_all(view);
    return view.counters().lag_records == 0;
  }));
  BOOST_REQUIRE(to->finish());
  BOOST_TEST((far.bytes() == read_file(path)));
  BOOST_TEST(view.counters().lost == 0u);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
