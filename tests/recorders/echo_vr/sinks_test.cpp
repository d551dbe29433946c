// A match whose reels also go to sinks: a reel is removed only when its sink has all of it.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <map>

#include "../../sdk/reel/delivery_receiver.hpp"
#include "file_bytes.hpp"
#include "support/match_driver.hpp"

namespace tickreel::echo_vr {

BOOST_AUTO_TEST_SUITE(echo_vr_sinks_tests)
BOOST_AUTO_TEST_SUITE(sinks_test)

namespace {

using namespace test;
using tickreel::test::delivery_receiver;
using tickreel::test::far_delivery;

// The receivers by the name of the reel.
struct receivers {
  std::mutex lock;
  std::map<std::string, std::unique_ptr<delivery_receiver>> by_reel;
  std::vector<match_reel> asked;
  bool away = false;

  match_sinks factory() {
    return [this](const match_reel& about) {
      const std::lock_guard guard(lock);
      asked.push_back(about);
      auto& receiver = by_reel[std::filesystem::path(about.path.utf8()).filename().string()];
      if (!receiver) receiver = std::make_unique<delivery_receiver>();
      receiver->away = away;
      reel::queue_options how;
      how.first_backoff_ms = 1;
      how.longest_backoff_ms = 4;
      how.close_wait_ms = away ? 5 : 60'000;
      auto made = reel::queued_sink::create(about.path, std::make_unique<far_delivery>(*receiver), how);
      std::vector<std::unique_ptr<reel::sink>> all;
      if (made) all.push_back(std::move(*made));
      return all;
    };
  }
};

BOOST_AUTO_TEST_CASE(each_reel_is_delivered) {
  const temporary_folder folder;
  receivers others;
  match_options options = in(folder, {record_format::butter, record_format::reel});
  options.name_pattern = "{map}_{n}";
  options.sinks = others.factory();
  driver game(options);
  game.ticks({}, 0, 50);
  game.recorder().close();
  BOOST_REQUIRE_EQUAL(others.asked.size(), 2u);
  BOOST_TEST(others.asked[0].name == "mpl_arena_a_1");
  BOOST_TEST(others.asked[0].target == "10.0.0.1:6721");
  BOOST_TEST(folder.files(".butter").size() == 1u);
  const auto reels = folder.files(".reel");
  BOOST_REQUIRE_EQUAL(reels.size(), 1u);  // that of the .butter is removed
  BOOST_REQUIRE(others.by_reel.count("mpl_arena_a_1.reel") == 1);
  BOOST_TEST((others.by_reel["mpl_arena_a_1.reel"]->bytes() == tickreel::test::read_file(reels[0])));
  for (const auto& each : others.by_reel) BOOST_TEST(each.second->ends == 1u);
}

BOOST_AUTO_TEST_CASE(an_undelivered_reel_is_kept_and_reported) {
  const temporary_folder folder;
  receivers others;
  others.away = true;
  match_options options = in(folder);
  options.sinks = others.factory();
  driver game(options);
  game.ticks({}, 0, 50);
  game.recorder().close();
  BOOST_REQUIRE_EQUAL(folder.files(".butter").size(), 1u);
  const auto reels = folder.files(".reel");
  BOOST_REQUIRE_EQUAL(reels.size(), 1u);
  const auto finished_events = game.events(event_kind::file_finished);
  BOOST_REQUIRE_EQUAL(finished_events.size(), 1u);
  BOOST_TEST(finished_events[0].line.find("its reel stays") != std::string::npos);
  delivery_receiver& receiver = *others.by_reel.begin()->second;
  receiver.away = false;
  far_delivery to(receiver);
  BOOST_REQUIRE(reel::deliver_reel(file_path(reels[0]), to).has_value());
  BOOST_TEST((receiver.bytes() == tickreel::test::read_file(reels[0])));
}

BOOST_AUTO_TEST_CASE(a_buffer_is_not_delivered) {
  const temporary_folder folder;
  receivers others;
  match_options options = in(folder);
  options.buffer_ms = 10'000;
  options.sinks = others.factory();
  driver game(options);
  game.ticks({}, 0, 50);
  game.recorder().close();
  BOOST_TEST(others.asked.empty());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::echo_vr
