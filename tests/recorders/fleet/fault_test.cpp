#include <boost/test/unit_test.hpp>

#include "administrator.hpp"
#include "cut_proxy.hpp"
#include "delivered.hpp"
#include "random.hpp"

BOOST_AUTO_TEST_SUITE(fleet_broker_tests)
BOOST_AUTO_TEST_SUITE(fault_test)

using namespace tickreel;
using namespace tickreel::fleet;
using namespace tickreel::test;

namespace {

fleet::nats_url through(const cut_proxy& proxy, const std::string& league, const std::string& match = "") {
  auto url = read_nats_url("nats://127.0.0.1:" + std::to_string(proxy.port()));
  url->league = league;
  url->match = match;
  return *url;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_killed_broker_receives_everything_afterwards, *with_broker) {
  auto random = seeded_random("killed");
  scratch_folder folder;
  nats_server server(folder.path());
  const std::string path = folder / "live.reel";
  auto sink = publish_to(server.url(), path, quick_options());
  BOOST_REQUIRE(sink);
  const reel::queue_view view = (*sink)->view();
  growing_reel growing(path, random, std::move(*sink));
  for (int round = 0; round < 5; ++round) {
    growing.grow(20 + random() % 100);
    if (random() % 2 == 0) BOOST_REQUIRE(eventually([&] { return view.counters().confirmed > 0; }));
    server.kill();
    growing.grow(random() % 100);
    server.start();
  }
  BOOST_REQUIRE(growing.writer->finish());
  BOOST_TEST(eventually([&] { return view.counters().ended; }));
  growing.writer.reset();
  BOOST_TEST((followed(server.url("main", "live"), folder / "came") == read_file(path)));
}

BOOST_AUTO_TEST_CASE(a_connection_that_is_closed_or_starved, *with_broker) {
  auto random = seeded_random("cut");
  scratch_folder folder;
  const nats_server server(folder.path());
  cut_proxy proxy(server.port());
  const std::string path = folder / "live.reel";
  auto sink = publish_to(through(proxy, "main"), path, impatient_options());
  BOOST_REQUIRE(sink);
  const reel::queue_view view = (*sink)->view();
  growing_reel growing(path, random, std::move(*sink));
  auto watching = follower::create(through(proxy, "main", "live"), folder / "watched", impatient_follow());
  BOOST_REQUIRE(watching);
  for (const auto fault : {cut_proxy::mode::refuse, cut_proxy::mode::swallow, cut_proxy::mode::refuse}) {
    growing.grow(50);
    BOOST_REQUIRE(eventually([&] { return view.counters().lag_records == 0 && watching->pump(10ms); }));
    const auto before = view.counters().retried;
    proxy.set(fault);
    growing.grow(50);
    BOOST_REQUIRE(eventually([&] { return view.counters().retried > before && watching->pump(10ms); }));
    proxy.set(cut_proxy::mode::pass);
  }
  BOOST_REQUIRE(growing.writer->finish());
  BOOST_TEST(eventually([&] { return watching->pump(10ms) && watching->ended(); }));
  BOOST_TEST(eventually([&] { return view.counters().ended; }));
  growing.writer.reset();
  BOOST_TEST((read_file(folder / "watched") == read_file(path)));
  BOOST_TEST((followed(server.url("main", "live"), folder / "came") == read_file(path)));
}

// The record comes while nothing gets through to the follower, for longer than it waits for a missing one.
BOOST_AUTO_TEST_CASE(a_record_that_the_stream_has_is_not_given_up, *with_broker) {
  auto random = seeded_random("late record");
  scratch_folder folder;
  const nats_server server(folder.path());
  cut_proxy proxy(server.port());
  const std::string path = folder / "match.reel";
  {
    growing_reel growing(path, random, nullptr);
    growing.grow(40);
    BOOST_REQUIRE(growing.writer->finish());
  }
  const auto publish = [&] { return publish_reel(server.url("main", "match"), path, quick_options()); };
  BOOST_REQUIRE(publish());
  const auto subjects = subjects_of({"main", "match"});
  auto look = connected_to(server.url());
  BOOST_REQUIRE(look);
  const auto last = look->last(subjects->stream, subjects->records);
  BOOST_REQUIRE((last && *last));
  BOOST_REQUIRE(administrator(server.port()).remove(subjects->stream, (*last)->stream_sequence() - 10));
  auto how = impatient_follow();
  how.wait_for_missing = 1ms;
  auto watching = follower::create(through(proxy, "main", "match"), folder / "watched", how);
  BOOST_REQUIRE(watching);
  BOOST_REQUIRE(eventually([&] { return watching->pump(10ms) && watching->counters().reel.missing; }));
  proxy.set(cut_proxy::mode::swallow);
  const auto repaired = publish();
  BOOST_REQUIRE(repaired);
  BOOST_TEST(repaired->handed_over == 1u);
  BOOST_REQUIRE(eventually([&] {
    BOOST_REQUIRE(watching->pump(10ms));
    return !watching->counters().connected || watching->counters().holes_given_up != 0;
  }));
  proxy.set(cut_proxy::mode::pass);
  BOOST_TEST(eventually([&] { return watching->pump(10ms) && watching->ended(); }));
  BOOST_TEST(watching->counters().holes_given_up == 0u);
  BOOST_TEST((read_file(folder / "watched") == read_file(path)));
}

BOOST_AUTO_TEST_CASE(a_full_stream_rejects_and_continues_when_space_is_available, *with_broker) {
  auto random = seeded_random("full");
  scratch_folder folder;
  const nats_server server(folder.path());
  const std::string path = folder / "live.reel";
  const std::string other = folder / "other.reel";
  write_file(other, random_reel(random, 10, true).bytes);
  publish_options options = quick_options();
  options.keep_bytes = 60'000;
  options.queue.close_wait_ms = 50;
  BOOST_REQUIRE(publish_reel(server.url("small"), other, options));
  auto sink = publish_to(server.url("small"), path, options);
  BOOST_REQUIRE(sink);
  const reel::queue_view view = (*sink)->view();
  growing_reel growing(path, random, std::move(*sink));
  growing.grow(400);
  BOOST_REQUIRE(eventually([&] {
    const auto reported_error = view.counters().last_error;
    return reported_error && reported_error->code == error_code::no_space;
  }));
  BOOST_REQUIRE(growing.writer->finish());
  BOOST_TEST(growing.writer->failed_sinks() == 1u);
  BOOST_TEST(view.counters().confirmed < 400u);
  growing.writer.reset();
  auto look = connected_to(server.url());
  BOOST_REQUIRE(look);
  BOOST_REQUIRE(look->delete_stream("TICKREEL_L_small"));
  options.keep_bytes = -1;
  BOOST_REQUIRE(publish_reel(server.url("small"), path, options));
  BOOST_TEST((followed(server.url("small", "live"), folder / "came") == read_file(path)));
}

BOOST_AUTO_TEST_CASE(the_reel_of_a_killed_recorder_is_delivered_later, *with_broker) {
  auto random = seeded_random("left");
  scratch_folder folder;
  const nats_server server(folder.path());
  const auto made = random_reel(random, 200, true);
  const auto whole = reel::reader::from_memory(made.bytes);
  const auto& records = whole->contents().records;
  // The reel as written when the recorder was killed, with a torn record at its end; then its recovered version.
  const auto cut = static_cast<std::size_t>(records[120].offset);
  write_file(folder / "left.reel", byte_span(made.bytes).first(cut + 10));
  const auto first = publish_reel(server.url(), folder / "left.reel", quick_options());
  BOOST_REQUIRE(first);
  BOOST_TEST(first->counters.confirmed == 120u);
  BOOST_TEST(!first->counters.ended);
  write_file(folder / "left.reel", made.bytes);
  const auto second = publish_reel(server.url(), folder / "left.reel", quick_options());
  BOOST_REQUIRE(second);
  BOOST_TEST(second->counters.ended);
  BOOST_TEST(second->handed_over == whole->contents().records.size() - 120u);
  BOOST_TEST((followed(server.url("main", "left"), folder / "came") == made.bytes));
}

BOOST_AUTO_TEST_CASE(another_continuation_of_a_reel_is_rejected, *with_broker) {
  auto random = seeded_random("diverged");
  scratch_folder folder;
  const nats_server server(folder.path());
  const std::string path = folder / "twice.reel";
  reel::header head;
  head.encoder_name = "random";
  head.start_time_us = 1;
  for (const char* text : {"once", "twice"}) {
    std::filesystem::remove(path);
    auto writer = reel::writer::create(path, head);
    BOOST_REQUIRE(writer);
    reel::record_info about;
    about.kind = reel::record_kind::header_update;
    BOOST_REQUIRE(writer->append(about, as_bytes(text)));
    BOOST_REQUIRE(writer->finish());
    int asked = 0;
    const auto done =
        publish_reel(server.url(), path, quick_options(), [&](const reel::queue_counters& counters) {
          return !(counters.last_error && counters.last_error->code == error_code::already_exists) ||
                 ++asked < 3;
        });
    BOOST_TEST(done.has_value() == (text == std::string_view("once")));
  }
  BOOST_TEST(random() != 0u);
}

// Servers of 2.9 crash if a stream is read while another connection creates it.
BOOST_AUTO_TEST_CASE(reading_while_streams_are_created_is_harmless, *with_broker) {
  scratch_folder folder;
  const nats_server server(folder.path());
  std::atomic<bool> stop = false;
  std::vector<std::thread> reading;
  for (int each = 0; each < 3; ++each) {
    reading.emplace_back([&, each] {
      // Nothing answers some requests for a stream that is being deleted: they end after the ordinary wait.
      broker_options how;
      how.connect = 60s;
      auto from = broker::connect(server.url(), how);
      while (from && !stop) {
        // A connection outlives a stream: its cached facts refer to the earlier stream.
        if (each == 0) (void)from->last(std::string(status_stream), "tickreel-status.a.b");
        if (each == 1) (void)from->at(std::string(status_stream), 1);
        if (each == 2) {
          (void)from->subscribe(std::string(status_stream), {.subject = std::string(all_status_subjects)});
          (void)from->share_work(std::string(work_stream), std::string(archivers_consumer), 30s, 10);
        }
      }
    });
  }
  auto making = connected_to(server.url());
  BOOST_REQUIRE(making);
  bool alive = true;
  for (int round = 0; round < 100 && alive; ++round) {
    const stream_settings status{.name = std::string(status_stream),
                                 .subjects = {std::string(all_status_subjects)}};
    const stream_settings work{
        .name = std::string(work_stream), .subjects = {std::string(all_work_subjects)}, .work_queue = true};
    for (const stream_settings& each : {status, work})
      alive = alive && making->ensure_stream(each).has_value();
    for (const stream_settings& each : {status, work})
      alive = alive && making->delete_stream(each.name).has_value();
  }
  stop = true;
  for (std::thread& each : reading) each.join();
  BOOST_TEST(alive);
  BOOST_TEST(connected_to(server.url()).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
