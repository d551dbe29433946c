#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "administrator.hpp"
#include "delivered.hpp"
#include "random.hpp"
#include "tickreel/fleet/status.hpp"

BOOST_AUTO_TEST_SUITE(fleet_broker_tests)
BOOST_AUTO_TEST_SUITE(broker_test)

using namespace tickreel;
using namespace tickreel::fleet;
using namespace tickreel::test;
using namespace std::chrono_literals;

namespace {

// Records that may exceed a message.
void append_large_records(reel::writer& to, std::mt19937_64& random) {
  for (int each = 0; each < 20; ++each) {
    reel::record_info about;
    about.kind = reel::record_kind::header_update;
    byte_vector payload(random() % 30'000);
    for (std::byte& one : payload) one = static_cast<std::byte>(random());
    BOOST_REQUIRE(to.append(about, payload));
  }
}
void write_large_records(const std::string& path, const reel::header& head, std::mt19937_64& random) {
  auto writer = reel::writer::create(path, head);
  BOOST_REQUIRE(writer);
  append_large_records(*writer, random);
  BOOST_REQUIRE(writer->finish());
}

}  // namespace

// With nats.c before 3.6, which uses subscriptions after their end, it crashes within seconds if they are destroyed immediately.
BOOST_AUTO_TEST_CASE(subscriptions_end_while_messages_arrive, *with_broker) {
  const scratch_folder folder;
  const nats_server server(folder.path());
  auto connected = connected_to(server.url());
  BOOST_REQUIRE(connected);
  BOOST_REQUIRE(connected->ensure_stream({.name = "many", .subjects = {"many.*"}}));
  const byte_vector body(100);
  for (std::uint64_t each = 1; each <= 2000; ++each) {
    BOOST_REQUIRE(connected->publish_later("many.messages", body, {}, 0));
  }
  BOOST_REQUIRE(connected->publish("many.messages", body));
  for (int round = 0; round < 300; ++round) {
    auto reading = connected->subscribe("many", {.subject = "many.*"});
    BOOST_REQUIRE(reading);
    const auto first = reading->next(60s);
    BOOST_REQUIRE(first);
    BOOST_REQUIRE(first->has_value());
    BOOST_TEST((*first)->stream_sequence() == 1u);
  }
}

// Another process on the port of a test's server would answer for it, for example with "permission denied".
BOOST_AUTO_TEST_CASE(a_server_waits_until_its_port_is_its_own, *with_broker) {
  const scratch_folder folder;
  nats_server server(folder.path());
  server.kill();
  const int stranger = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int reuse = 1;
  BOOST_REQUIRE(::setsockopt(stranger, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse) == 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(server.port());
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  BOOST_REQUIRE(::bind(stranger, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  BOOST_REQUIRE(::listen(stranger, 1) == 0);
  std::thread leaves([&] {
    (void)eventually([&] {
      const byte_vector log = read_file(folder / "nats.log");
      return as_text(log).find("address already in use") != std::string_view::npos;
    });
    ::close(stranger);
  });
  server.start();
  leaves.join();
  BOOST_TEST(connected_to(server.url()).has_value());
}

BOOST_AUTO_TEST_CASE(a_reel_arrives_byte_for_byte_and_once, *with_broker) {
  auto random = seeded_random("delivered");
  scratch_folder folder;
  const nats_server server(folder.path());
  for (int round = 0; round < 5; ++round) {
    const auto made = random_reel(random, 1 + random() % 300, true);
    const std::string name = "match " + std::to_string(round);
    write_file(folder / (name + ".reel"), made.bytes);
    const auto first = publish_reel(server.url(), folder / (name + ".reel"), quick_options());
    BOOST_REQUIRE(first);
    BOOST_TEST(first->counters.ended);
    BOOST_TEST((followed(server.url("main", name), folder / (name + ".came")) == made.bytes));
    // Again: nothing is stored twice.
    auto look = connected_to(server.url());
    BOOST_REQUIRE(look);
    const auto before = look->stream("TICKREEL_L_main");
    const auto again = publish_reel(server.url(), folder / (name + ".reel"), quick_options());
    BOOST_REQUIRE(again);
    // Nor sent: duplicates must not depend on how long the broker remembers ids.
    BOOST_TEST(again->handed_over == 0u);
    BOOST_TEST(again->counters.confirmed == first->counters.confirmed);
    const auto after = look->stream("TICKREEL_L_main");
    BOOST_TEST(before->messages == after->messages);
  }
}

BOOST_AUTO_TEST_CASE(any_names, *with_broker) {
  auto random = seeded_random("names");
  scratch_folder folder;
  const nats_server server(folder.path());
  int number = 0;
  for (const char* name : {"a b", "a.b.c", "*", ">", "Zürich – 決勝", "$SYS", "..", "a/b", "STATUS", "="}) {
    const auto made = random_reel(random, 20, true);
    const std::string path = folder / ("reel" + std::to_string(number++));
    write_file(path, made.bytes);
    BOOST_REQUIRE(publish_reel(server.url(name, name), path, quick_options()));
    BOOST_TEST((followed(server.url(name, name), path + ".came") == made.bytes), name);
  }
  auto look = connected_to(server.url());
  BOOST_REQUIRE(look);
  const auto all = read_fleet(*look, "", 0);
  BOOST_REQUIRE(all);
  BOOST_TEST(all->size() == 10u);
  for (const fleet_match& each : *all) {
    BOOST_TEST(each.reported.name.league == each.reported.name.match);
    BOOST_TEST(each.reported.state == "ended");
    BOOST_TEST(each.reported.confirmed == each.reported.records);
  }
  const auto one = read_fleet(*look, "a.b.c", 0);
  BOOST_REQUIRE(one);
  BOOST_TEST(one->size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_record_larger_than_a_message_is_sent_in_parts, *with_broker) {
  auto random = seeded_random("parts");
  scratch_folder folder;
  write_file(folder / "nats.conf", as_bytes("max_payload: 5000\n"));
  const nats_server server(folder.path(), {"-c", folder / "nats.conf"});
  const std::string path = folder / "large.reel";
  {
    reel::header head;
    head.encoder_name = "random";
    head.schema.resize(20'000);
    for (std::byte& one : head.schema) one = static_cast<std::byte>(random());
    write_large_records(path, head, random);
  }
  BOOST_REQUIRE(publish_reel(server.url(), path, quick_options()));
  BOOST_TEST((followed(server.url("main", "large"), folder / "came") == read_file(path)));
  follow_options late = quick_follow();
  late.from_start = false;
  auto from = follower::create(server.url("main", "large"), folder / "late", late);
  BOOST_REQUIRE(from);
  BOOST_TEST(eventually([&] { return from->pump(50ms) && from->ended(); }));
}

// The first delivery stores a part of the records in another number of parts than the second.
BOOST_AUTO_TEST_CASE(a_broker_may_change_its_limit_of_messages, *with_broker) {
  auto random = seeded_random("other limits");
  scratch_folder folder;
  const auto limit = [&](const char* bytes) {
    write_file(folder / "nats.conf", as_bytes("max_payload: " + std::string(bytes) + "\n"));
  };
  limit("5000");
  nats_server server(folder.path(), {"-c", folder / "nats.conf"});
  const std::string path = folder / "large.reel";
  {
    reel::header head;
    head.encoder_name = "random";
    write_large_records(path, head, random);
  }
  BOOST_REQUIRE(publish_reel(server.url(), path, quick_options()));
  administrator admin(server.port());
  // At least one part of nearly every record remains.
  for (std::uint64_t place = 1; place < 80; place += 4) (void)admin.remove("TICKREEL_L_main", place);
  server.kill();
  limit("12000");
  server.start();
  const auto again = publish_reel(server.url(), path, quick_options());
  BOOST_REQUIRE(again);
  BOOST_TEST(again->handed_over > 10u);
  BOOST_TEST((followed(server.url("main", "large"), folder / "came") == read_file(path)));
  const auto nothing = publish_reel(server.url(), path, quick_options());
  BOOST_REQUIRE(nothing);
  BOOST_TEST(nothing->handed_over == 0u);

  // The same to a running recorder.
  const std::string live = folder / "live.reel";
  publish_options comparing = quick_options();
  comparing.compare_interval = 10ms;
  auto sink = publish_to(server.url("other"), live, comparing);
  BOOST_REQUIRE(sink);
  const reel::queue_view view = (*sink)->view();
  reel::header head;
  head.encoder_name = "random";
  auto writer = reel::writer::create(live, head);
  BOOST_REQUIRE(writer);
  writer->add_sink(std::move(*sink));
  append_large_records(*writer, random);
  BOOST_REQUIRE(eventually([&] { return view.counters().confirmed >= 20; }));
  administrator again_admin(server.port());
  for (std::uint64_t place = 1; place < 40; place += 4) (void)again_admin.remove("TICKREEL_L_other", place);
  server.kill();
  limit("5000");
  server.start();
  append_large_records(*writer, random);
  BOOST_REQUIRE(writer->finish());
  BOOST_TEST(eventually([&] { return view.counters().ended; }));
  BOOST_TEST((followed(server.url("other", "live"), folder / "live.came") == read_file(live)));
}

// A broker gives publishers the subjects of their leagues.
BOOST_AUTO_TEST_CASE(a_publisher_reports_nothing_about_another_league, *with_broker) {
  auto random = seeded_random("another league");
  scratch_folder folder;
  const nats_server server(folder.path());
  const std::string path = folder / "match.reel";
  write_file(path, random_reel(random, 20, true).bytes);
  BOOST_REQUIRE(publish_reel(server.url("z"), path, quick_options()));
  BOOST_REQUIRE(publish_reel(server.url("a"), path, quick_options()));
  auto other = connected_to(server.url());
  BOOST_REQUIRE(other);
  const auto before = read_fleet(*other, "", 0);
  BOOST_REQUIRE((before && before->size() == 2u));
  for (fleet_match each : *before) {
    each.reported.state = "recording";
    archived_reel archived;
    archived.name = each.reported.name;
    archived.reel = each.reported.reel;
    archived.records = 9;
    archived.ended = true;
    BOOST_REQUIRE(other->publish("tickreel-status.n.match", as_bytes(to_json(each.reported))));
    BOOST_REQUIRE(other->publish("tickreel-archived.n.match", as_bytes(to_json(archived))));
  }
  const auto after = read_fleet(*other, "", 0);
  BOOST_REQUIRE(after);
  BOOST_TEST(to_json(*after) == to_json(*before));
}

BOOST_AUTO_TEST_CASE(late_slow_and_reconnecting_watchers, *with_broker) {
  auto random = seeded_random("watchers");
  scratch_folder folder;
  nats_server server(folder.path());
  const std::string path = folder / "live.reel";
  auto sink = publish_to(server.url("league"), path, quick_options());
  BOOST_REQUIRE(sink);
  const reel::queue_view view = (*sink)->view();
  growing_reel growing(path, random, std::move(*sink));
  growing.grow(100);
  BOOST_REQUIRE(eventually([&] { return view.counters().confirmed >= 100; }));
  const auto url = server.url("league", "live");
  auto whole = follower::create(url, folder / "whole", quick_follow());
  follow_options from_keyframe = quick_follow();
  from_keyframe.from_start = false;
  auto late = follower::create(url, folder / "late", from_keyframe);
  BOOST_REQUIRE(whole);
  BOOST_REQUIRE(late);
  BOOST_REQUIRE(
      eventually([&] { return late->pump(20ms) && late->begun() && whole->pump(20ms) && whole->begun(); }));
  growing.grow(50);
  BOOST_REQUIRE(
      eventually([&] { return late->pump(20ms) && whole->pump(20ms) && view.counters().lag_records == 0; }));
  server.kill();
  growing.grow(100);
  BOOST_REQUIRE(eventually([&] {
    (void)late->pump(20ms);
    (void)whole->pump(20ms);
    return !late->counters().connected && !whole->counters().connected && view.counters().retried > 0;
  }));
  server.start();
  growing.grow(100);
  BOOST_REQUIRE(growing.writer->finish());
  growing.writer.reset();
  BOOST_TEST(
      eventually([&] { return late->pump(20ms) && whole->pump(20ms) && late->ended() && whole->ended(); }));
  BOOST_TEST((read_file(folder / "whole") == read_file(path)));
  BOOST_TEST(whole->counters().reel.lost_records == 0u);
  BOOST_TEST(late->counters().reel.lost_records == 0u);
  BOOST_TEST(late->counters().reconnects > 0u);
  // The late follower has the end of the reel, from a keyframe on, without losses.
  const auto of_late = reel::reader::open(folder / "late");
  const auto of_all = reel::reader::open(path);
  BOOST_REQUIRE(of_late);
  BOOST_REQUIRE(of_all);
  auto records = of_late->contents().records;
  BOOST_TEST(of_late->contents().missing_records == 0u);
  BOOST_TEST(of_late->contents().begins_at != 0u);
  BOOST_TEST(std::none_of(records.begin(), records.end(), [](const auto& each) { return each.damaged; }));
  BOOST_REQUIRE(records.size() > 240u);
  BOOST_TEST(records.size() < of_all->contents().records.size());
  std::size_t first = 0;
  while (records[first].kind != reel::record_kind::chunk) ++first;
  BOOST_TEST((records[first].flags & reel::starts_with_keyframe) != 0);
  for (std::size_t each = first + 1; each < records.size(); ++each) {
    BOOST_REQUIRE(records[each].sequence == records[each - 1].sequence + 1);
  }
  BOOST_TEST(records.back().sequence == of_all->contents().records.back().sequence);
}

BOOST_AUTO_TEST_CASE(a_broker_without_jetstream_other_credentials_and_none, *with_broker) {
  scratch_folder folder;
  write_file(folder / "nats.conf", as_bytes("authorization { token: \"secret\" }\n"));
  const nats_server server(folder.path(), {"-c", folder / "nats.conf"});
  const auto without = connected_to(server.url());
  BOOST_REQUIRE(!without);
  BOOST_TEST((without.error().code == error_code::permission_denied));
  broker_options options;
  options.token = "secret";
  auto with = connected_to(server.url(), options);
  BOOST_REQUIRE(with);
  BOOST_TEST((with->stream("TICKREEL_L_none").error().code == error_code::not_found));
  const auto nobody = broker::connect(*read_nats_url("nats://127.0.0.1:1"));
  BOOST_REQUIRE(!nobody);
  BOOST_TEST((nobody.error().code == error_code::connection_refused));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
