// Every fault, at random moments: TICKREEL_TEST_ROUNDS=100 of each; few without. The seed is printed.
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

const kind_of_fault faults[] = {
    {"broker_killed", [](stage& on, other_self&) { on.server.kill(); }, [](stage& on) { on.server.start(); }},
    // It gives its streams up for good when its disk is full: somebody makes room, and starts it again.
    {"broker_disk_full", [](stage& on, other_self&) { on.broker_disk.fill(); },
     [](stage& on) {
       on.broker_disk.make_room();
       on.server.kill();
       on.server.start();
     },
     false, true},
    {"connection_cut", [](stage& on, other_self&) { on.proxy.set(cut_proxy::mode::refuse); },
     [](stage& on) { on.proxy.set(cut_proxy::mode::pass); }},
    {"connection_black_holed", [](stage& on, other_self&) { on.proxy.set(cut_proxy::mode::swallow); },
     [](stage& on) {
       on.wait(0, 1500);
       on.proxy.set(cut_proxy::mode::pass);
     }},
    {"archiver_killed",
     [](stage& on, other_self&) {
       on.is_held = false;
       on.parts_left = static_cast<int>(on.random() % 3);
       on.store_fails = fault::silence;
     },
     [](stage& on) {
       // Matches of few parts are there before that; then it is killed between two.
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
};

void play(const std::string& name) {
  auto random = seeded_random(name.c_str());
  const char* const told = std::getenv("TICKREEL_TEST_ROUNDS");
  const int rounds = told != nullptr ? std::atoi(told) : 1;
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

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
