// Every fault at random moments: 100 of each with TICKREEL_TEST_ROUNDS=100, otherwise few. The seed is printed.
#include <boost/test/unit_test.hpp>

#include "rounds_stage.hpp"

BOOST_AUTO_TEST_SUITE(fleet_rounds_tests)
BOOST_AUTO_TEST_SUITE(rounds_test)

using namespace tickreel::test;

namespace {

void nothing(stage&) {}

template <fault Kind>
void store_fails(stage& on, other_self&) {
  on.store_fails = Kind;
}
void store_works(stage& on) {
  on.store_fails = fault::none;
}

void purge(stage& on, other_self&) {
  (void)administrator(on.server.port()).purge(rounds_stream, on.random() % 2 == 0 ? on.subject() : "");
}

// Some of the existing messages, of this match and of earlier ones.
void remove_messages(stage& on, other_self&) {
  auto look = connected_to(on.server.url());
  BOOST_REQUIRE(look);
  const auto last = look->last(rounds_stream, on.subject());
  if (!last || !*last) return;  // no message of the match has arrived yet
  administrator admin(on.server.port());
  const std::uint64_t newest = (*last)->stream_sequence();
  for (int each = 0; each < 20; ++each) {
    (void)admin.remove(rounds_stream, newest - std::min<std::uint64_t>(newest - 1, on.random() % 60));
  }
}

void send_control_messages(stage& on, other_self&) {
  administrator other(on.server.port());
  for (const char* const line : {"100 Idle Heartbeat", "100 FlowControl Request", "503", "404 No Messages",
                                 "408 Request Timeout", "409 Consumer Deleted"}) {
    for (const std::string& subject :
         {on.subject(), "tickreel-work.rounds." + on.match, "tickreel-status.rounds." + on.match}) {
      other.publish_status_line(subject, line);
    }
  }
}

// Ids that follow from the match's own messages, and ids of earlier recorders.
void use_ids(stage& on, other_self&) {
  auto thief = connected_to(on.server.url());
  BOOST_REQUIRE(thief);
  const auto seen = thief->last(rounds_stream, on.subject());
  if (!seen || !*seen) return;
  const std::string id((*seen)->field("Nats-Msg-Id"));
  const std::string stem = id.substr(0, id.rfind('-'));
  const auto head = (*seen)->head();
  for (int number = 0; number < 300; ++number) {
    for (const std::string& from : {stem, head ? head->reel : stem}) {
      (void)thief->publish(on.subject(), tickreel::as_bytes("x"),
                           {{"Nats-Msg-Id", from + '-' + std::to_string(number)}});
    }
  }
}

void delete_stream(stage& on, other_self&) {
  (void)administrator(on.server.port()).delete_stream(rounds_stream);
}

// Below the current size: the broker removes the oldest records and rejects new ones.
void lower_limit(stage& on, other_self&) {
  (void)administrator(on.server.port())
      .set_max_bytes("rounds", 2000 + static_cast<std::int64_t>(on.random() % 20'000));
}
void raise_limit(stage& on) {
  (void)administrator(on.server.port()).set_max_bytes("rounds", -1);
}

const kind_of_fault faults[] = {
    {"broker_killed", [](stage& on, other_self&) { on.server.kill(); }, [](stage& on) { on.server.start(); }},
    // A broker with a full disk does not reopen its streams by itself: an administrator frees space and restarts it.
    {"broker_disk_full", [](stage& on, other_self&) { on.broker_disk.fill(); },
     [](stage& on) {
       on.broker_disk.make_room();
       on.server.kill();
       on.server.start();
     },
     false, true},
    {"connection_cut", [](stage& on, other_self&) { on.proxy.set(cut_proxy::mode::refuse); },
     [](stage& on) { on.proxy.set(cut_proxy::mode::pass); }},
    {.name = "connection_black_holed",
     .strike = [](stage& on, other_self&) { on.proxy.set(cut_proxy::mode::swallow); },
     .repair =
         [](stage& on) {
           on.wait(0, 1500);
           on.proxy.set(cut_proxy::mode::pass);
         },
     .goes_silent = true},
    {"archiver_killed",
     [](stage& on, other_self&) {
       on.is_held = false;
       on.parts_left = static_cast<int>(on.random() % 3);
       on.store_fails = fault::silence;
     },
     [](stage& on) {
       // Matches of few parts are complete before that; then it is killed between two.
       (void)eventually([&] { return on.is_held.load(); }, std::chrono::seconds(1));
       on.archiver->kill();
       on.store_fails = fault::none;
       on.start_archiver();
     },
     true},
    {"store_says_500", store_fails<fault::status_500>, store_works, true},
    {"store_says_503", store_fails<fault::status_503>, store_works, true},
    {"store_is_slow", store_fails<fault::slow>, store_works, true},
    {"recorder_killed", [](stage&, other_self& recorder) { recorder.kill(); }, nothing},
    {"recorder_disk_full", [](stage& on, other_self&) { on.recorder_disk.fill(); },
     [](stage& on) { on.recorder_disk.make_room(); }, false, true},
    {.name = "stream_purged", .strike = purge, .repair = nothing, .takes_records = true},
    {.name = "messages_deleted", .strike = remove_messages, .repair = nothing, .takes_records = true},
    {.name = "foreign_control_messages", .strike = send_control_messages, .repair = nothing},
    {.name = "message_ids_used", .strike = use_ids, .repair = nothing},
    {.name = "stream_deleted",
     .strike = delete_stream,
     .repair = nothing,
     .takes_records = true,
     .may_break_broker = true},
    {.name = "limit_lowered_and_raised", .strike = lower_limit, .repair = raise_limit, .takes_records = true},
};

void play(const std::string& name) {
  auto random = seeded_random(name.c_str());
  const char* const requested_rounds = std::getenv("TICKREEL_TEST_ROUNDS");
  const int rounds = requested_rounds != nullptr ? std::atoi(requested_rounds) : 1;
  BOOST_REQUIRE(rounds > 0);
  stage on(random);
  bool played = false;
  for (const kind_of_fault& each : faults) {
    if (each.name != name) continue;
    play_rounds(each, on, rounds);
    played = true;
  }
  BOOST_REQUIRE(played);
}

}  // namespace

BOOST_AUTO_TEST_CASE(broker_killed, *with_broker) {
  play("broker_killed");
}

BOOST_AUTO_TEST_CASE(broker_disk_full, *with_broker) {
  play("broker_disk_full");
}

BOOST_AUTO_TEST_CASE(connection_cut, *with_broker) {
  play("connection_cut");
}

BOOST_AUTO_TEST_CASE(connection_black_holed, *with_broker) {
  play("connection_black_holed");
}

BOOST_AUTO_TEST_CASE(archiver_killed, *with_broker) {
  play("archiver_killed");
}

BOOST_AUTO_TEST_CASE(store_says_500, *with_broker) {
  play("store_says_500");
}

BOOST_AUTO_TEST_CASE(store_says_503, *with_broker) {
  play("store_says_503");
}

BOOST_AUTO_TEST_CASE(store_is_slow, *with_broker) {
  play("store_is_slow");
}

BOOST_AUTO_TEST_CASE(recorder_killed, *with_broker) {
  play("recorder_killed");
}

BOOST_AUTO_TEST_CASE(recorder_disk_full, *with_broker) {
  play("recorder_disk_full");
}

BOOST_AUTO_TEST_CASE(stream_purged, *with_broker) {
  play("stream_purged");
}

BOOST_AUTO_TEST_CASE(messages_deleted, *with_broker) {
  play("messages_deleted");
}

BOOST_AUTO_TEST_CASE(foreign_control_messages, *with_broker) {
  play("foreign_control_messages");
}

BOOST_AUTO_TEST_CASE(message_ids_used, *with_broker) {
  play("message_ids_used");
}

BOOST_AUTO_TEST_CASE(stream_deleted, *with_broker) {
  play("stream_deleted");
}

BOOST_AUTO_TEST_CASE(limit_lowered_and_raised, *with_broker) {
  play("limit_lowered_and_raised");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
