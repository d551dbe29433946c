// Clips on request.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "support/clipped_game.hpp"
#include "tickreel/io/filesystem_path.hpp"

BOOST_AUTO_TEST_SUITE(echo_vr_recording_tests)
BOOST_AUTO_TEST_SUITE(clip_requests_test)

using namespace tickreel;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(each_request_gets_a_response) {
  const temporary_folder folder;
  clipped_game one(folder, {.asked_ms = 1'000'000'000}, {record_format::butter, record_format::reel});
  const saved_clips nothing = one.ask().get();
  BOOST_TEST(nothing.clips.empty());
  BOOST_TEST(nothing.failure == "no match is recorded now");
  one.poll_until_open();
  // The script's time is not real time: all of the match is in the past, so the clip ends where the reel ends.
  for (int i = 0; i < 300; ++i) (void)one.poll();
  one.poll_until_sealed();
  auto got = one.ask();
  const saved_clips done = one.wait_for(got);
  BOOST_TEST(done.failure.empty(), done.failure);
  BOOST_REQUIRE(done.clips.size() == 2u);
  for (const saved_clip& each : done.clips) {
    BOOST_TEST(each.target == "10.0.0.1:6721");
    BOOST_TEST(each.ticks > 0u);
    BOOST_TEST(std::filesystem::exists(filesystem_path(each.path)), each.path.utf8());
  }
  BOOST_TEST(one.clips->counts().saved == 2u);
  BOOST_TEST(one.clips->counts().failed == 0u);
}

// However many clients ask at the same time: at most one clip per second is made, and all of them receive it.
BOOST_AUTO_TEST_CASE(simultaneous_requests_get_the_same_clip) {
  const temporary_folder folder;
  constexpr std::uint32_t longest_wait_ms = 4000;
  clipped_game one(folder, {.asked_ms = 1'000'000'000, .longest_wait_ms = longest_wait_ms},
                   {record_format::butter});
  one.poll_until_open();
  for (int i = 0; i < 300; ++i) (void)one.poll();
  one.poll_until_sealed();
  constexpr std::size_t asking = 50;
  std::vector<std::future<saved_clips>> answers;
  const auto began = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < asking; ++i) {
    answers.push_back(one.ask());
    if (i % 10 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::vector<std::string> paths;
  for (auto& each : answers) {
    const saved_clips done = one.wait_for(each);
    BOOST_TEST(done.failure.empty(), done.failure);
    BOOST_REQUIRE(done.clips.size() == 1u);
    paths.push_back(done.clips[0].path.utf8());
  }
  // The time in which requests became clips: each clip waits for a tick that never arrives before it is cut.
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - began -
                                                       std::chrono::milliseconds(longest_wait_ms))
          .count();
  BOOST_REQUIRE(seconds >= 0);
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  BOOST_TEST(paths.size() <= static_cast<std::size_t>(seconds) + 1);
  BOOST_TEST(named(folder, "_clip").size() == paths.size());
  BOOST_TEST(one.clips->counts().saved == paths.size());
}

// Clients beyond the limit are rejected with a retry message; no client waits forever.
BOOST_AUTO_TEST_CASE(requests_beyond_the_limit_get_a_retry_message) {
  const temporary_folder folder;
  clipped_game one(folder, {.asked_ms = 1'000'000'000}, {record_format::butter});
  std::mutex lock;
  std::vector<saved_clips> answers;
  constexpr std::size_t asking = 20'000;  // far more than the saver handles meanwhile
  for (std::size_t i = 0; i < asking; ++i) {
    one.clips->ask([&](const saved_clips& done) {
      const std::lock_guard guard(lock);
      answers.push_back(done);
    });
  }
  BOOST_TEST(eventually([&] {
    const std::lock_guard guard(lock);
    return answers.size() == asking;
  }));
  for (const saved_clips& each : answers) {
    const bool busy = each.failure.find("try again in a second") != std::string::npos;
    BOOST_TEST(each.is_busy == busy);
    if (!busy) BOOST_TEST(each.failure == "no match is recorded now");
  }
  one.clips->finish();
  saved_clips late;
  one.clips->ask([&](const saved_clips& done) { late = done; });
  BOOST_TEST(late.failure == "the recording ends");
}

BOOST_AUTO_TEST_CASE(clips_can_be_cancelled) {
  const temporary_folder folder;
  clipped_game one(folder, {.asked_ms = 1'000'000'000}, {record_format::butter});
  one.poll_until_open();
  for (int i = 0; i < 300; ++i) (void)one.poll();
  one.clips->give_up();
  const saved_clips done = one.ask().get();
  BOOST_TEST(done.clips.empty());
  BOOST_TEST(!done.failure.empty());
  BOOST_TEST(one.clips->counts().failed == 1u);
  BOOST_TEST(named(folder, "_clip").empty());
  // Nor at the end of the match, whose own file is written nevertheless.
  one.clips->ask({});
  one.game->recorder().close();
  one.clips->finish();
  BOOST_TEST(named(folder, "_clip").empty());
  BOOST_TEST(one.clips->counts().saved == 0u);
  BOOST_TEST(named(folder, ".butter").size() == 1u);
}

#ifndef _WIN32  // systems on which an open file keeps its name
BOOST_AUTO_TEST_CASE(a_failed_clip_is_reported) {
  const temporary_folder folder;
  clipped_game one(folder, {.types = {goal_type()}, .before_ms = 3000, .after_ms = 100},
                   {record_format::butter});
  one.poll_until_open();
  for (int i = 0; i < 60; ++i) (void)one.poll();
  // The reel is removed while it is in use.
  for (const auto& path : named(folder, ".reel")) std::filesystem::remove(path);
  const saved_clips done = one.ask().get();
  BOOST_TEST(done.clips.empty());
  BOOST_TEST(!done.failure.empty());
  BOOST_TEST(one.clips->counts().failed == 1u);
  BOOST_TEST(!one.events_of_kind(event_kind::clip_failed).empty());
}
#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
