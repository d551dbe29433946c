// Live clips of a match that is still being recorded.
#include "tickreel/echo_vr/clip_saver.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/match_driver.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/echo_vr/name_pattern.hpp"
#include "tickreel/echo_vr/simulator.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/reel/reader.hpp"

BOOST_AUTO_TEST_SUITE(echo_vr_recording_tests)
BOOST_AUTO_TEST_SUITE(clip_saver_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

std::size_t goal_type() {
  return *echo::event_type_from_name("goal");
}

std::vector<std::filesystem::path> named(const temporary_folder& folder, const std::string& part) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    if (entry.path().filename().string().find(part) != std::string::npos) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// A recorder with a clip_saver, and a simulated match to poll.
class clipped_game {
 public:
  clipped_game(const temporary_folder& folder, clip_options how, std::vector<record_format> formats,
               std::uint32_t buffer_ms = 0) {
    clips = std::make_unique<clip_saver>(feed, std::move(how), [this](const record_event& event) {
      const std::lock_guard lock(mutex_);
      reported_events_.push_back(event);
      if (listener_throws) throw std::runtime_error("no memory");
    });
    files_of_match_ = formats.size();
    match_options options = in(folder, std::move(formats));
    options.live = &feed;
    options.clips = clips.get();
    options.buffer_ms = buffer_ms;
    options.ring_seconds = ring_seconds;
    game = std::make_unique<driver>(options);
    simulation_options simulated;
    simulated.rate_hz = static_cast<std::uint32_t>(rate_hz);
    simulated.match_seconds = 120;
    simulated.bones = false;
    simulated.keep_played = true;
    simulator = std::make_unique<match_simulator>(simulated);
  }
  ~clipped_game() {
    game->recorder().close();
    clips->finish();
  }

  bool poll() {
    if (!simulator->next(*state)) return false;
    std::string json;
    echo::append_session_json(*state, echo::json_shape::api, echo::number_style::game, json);
    (void)game->answer(json);
    return true;
  }
  void poll_until_open() {
    BOOST_REQUIRE(eventually([&] {
      (void)poll();
      // Another thread opens them: the match waits for it.
      const auto are_open = [&] { return game->events(event_kind::file_started).size() >= files_of_match_; };
      for (int i = 0; i < 20 && !are_open(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      return are_open();
    }));
  }
  std::vector<record_event> events_of_kind(event_kind kind) const {
    const std::lock_guard lock(mutex_);
    std::vector<record_event> found;
    for (const record_event& each : reported_events_) {
      if (each.kind == kind) found.push_back(each);
    }
    return found;
  }

  bool listener_throws = false;  // set before the first poll
  live_feed feed{100'000};
  std::unique_ptr<clip_saver> clips;
  std::unique_ptr<driver> game;
  std::unique_ptr<match_simulator> simulator;
  std::unique_ptr<echo::state> state = std::make_unique<echo::state>();

 private:
  static constexpr std::uint32_t ring_seconds = 20;

  std::size_t files_of_match_ = 0;
  mutable std::mutex mutex_;
  std::vector<record_event> reported_events_;
};

std::size_t goals_in(const std::filesystem::path& path) {
  const auto opened = files::open(file_path(path));
  BOOST_REQUIRE(opened);
  std::size_t goals = 0;
  files::event_query query;
  query.types = {"goal"};
  BOOST_REQUIRE((*opened)->events(query, [&](std::string_view) {
    ++goals;
    return true;
  }));
  return goals;
}

// Of the match, in all its reels.
std::int64_t held_ms(const temporary_folder& folder) {
  std::int64_t sum_us = 0;
  for (const auto& path : named(folder, ".butter.reel")) {
    const auto reel = reel::reader::open(file_path(path));
    if (!reel) continue;  // no longer there
    std::optional<std::int64_t> first_us;
    std::int64_t last_us = 0;
    for (const reel::record_info& each : reel->contents().records) {
      if (each.kind != reel::record_kind::chunk) continue;
      if (!first_us) first_us = each.first_time_us;
      last_us = each.last_time_us;
    }
    if (first_us) sum_us += last_us - *first_us;
  }
  return sum_us / 1000;
}

std::int64_t length_ms(const std::filesystem::path& path, std::int64_t* first_ms = nullptr) {
  auto source = files::open_echo(path);
  BOOST_TEST_CONTEXT(path.string()) BOOST_REQUIRE(source.has_value());
  const auto tick = std::make_unique<echo::state>();
  std::int64_t first = 0;
  std::int64_t last = 0;
  for (bool any = false;; any = true) {
    const auto more = (*source)->next(*tick);
    BOOST_REQUIRE(more.has_value());
    if (!*more) break;
    if (!any) first = tick->recorded_time_ms;
    last = tick->recorded_time_ms;
  }
  if (first_ms != nullptr) *first_ms = first;
  return last - first;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_goal_becomes_a_clip_in_every_format) {
  const temporary_folder folder;
  std::size_t played = 0;
  {
    clipped_game one(
        folder, {.types = {goal_type()}, .before_ms = 3000, .after_ms = 1000},
        {record_format::butter, record_format::echoreplay, record_format::reel, record_format::tape});
    one.poll_until_open();
    while (one.poll()) {}
    for (const auto& each : one.simulator->played())
      played += each.what.index() == goal_type() ? std::size_t{1} : 0;
    one.game->recorder().close();
    one.clips->finish();
    for (const auto& each : one.events_of_kind(event_kind::clip_failed)) BOOST_ERROR(each.line);
  }
  BOOST_REQUIRE(played >= 2u);
  for (const char* extension : {".butter", ".echoreplay", ".reel", ".tape"}) {
    std::size_t goals = 0;
    for (const auto& path : named(folder, "_goal")) {
      if (path.extension() != extension) continue;
      const std::size_t here = goals_in(path);
      BOOST_TEST(here >= 1u, path);
      goals += here;
      // From the keyframe at or before it; one every five seconds.
      const std::int64_t length = length_ms(path);
      const auto most = static_cast<std::int64_t>(here) * 4000 + (path.extension() == ".butter" ? 5000 : 0);
      BOOST_TEST(length <= most + 40, path);
      BOOST_TEST(length >= 3900, path);
    }
    BOOST_TEST(goals == played, extension);
    // The match itself is complete, and no temporary file is left.
    BOOST_TEST(named(folder, extension).size() > 1u);
  }
  BOOST_TEST(named(folder, ".part").empty());
  BOOST_TEST(named(folder, ".butter.reel").empty());
  BOOST_TEST(named(folder, ".echoreplay.reel").empty());
  BOOST_TEST(named(folder, ".tape.reel").empty());
}

BOOST_AUTO_TEST_CASE(clips_of_one_player_contain_the_name) {
  std::string player;
  std::size_t of_player = 0, of_all = 0;
  for (const bool only_one : {false, true}) {
    const temporary_folder folder;
    {
      clip_options options{.types = {goal_type()}, .before_ms = 500, .after_ms = 500};
      if (only_one) options.player = player;
      clipped_game one(folder, options, {record_format::reel});
      one.poll_until_open();
      while (one.poll()) {}
      for (const auto& each : one.simulator->played()) {
        const auto* const scored = std::get_if<echo::goal>(&each.what);
        if (scored == nullptr) continue;
        if (player.empty()) player = scored->player.name.view();
        if (!only_one) of_player += scored->player.name.view() == player ? 1u : 0u;
        if (!only_one) ++of_all;
      }
    }
    const auto clips = named(folder, "_goal");
    BOOST_TEST(clips.size() == (only_one ? of_player : of_all));
    const std::string word = file_stem("{client}", {.client = player});
    const auto with_name = named(folder, "_" + word + "_goal");
    BOOST_TEST(with_name.size() == of_player);
    if (only_one) BOOST_TEST(with_name.size() == clips.size());
  }
  BOOST_TEST(of_player > 0u);
  BOOST_TEST(of_player < of_all);
}

BOOST_AUTO_TEST_CASE(a_clip_contains_the_recordings_own_ticks) {
  const temporary_folder folder;
  {
    clipped_game one(folder, {.types = {goal_type()}, .before_ms = 2000, .after_ms = 500},
                     {record_format::butter});
    one.poll_until_open();
    while (one.poll()) {}
  }
  const auto whole = named(folder, ".butter");
  const auto clips = named(folder, "_goal");
  BOOST_REQUIRE(!clips.empty());
  BOOST_REQUIRE(whole.size() == clips.size() + 1);
  auto all = files::open_echo(file_path(whole.front()));  // the shorter name comes first
  auto part = files::open_echo(file_path(clips.front()));
  BOOST_REQUIRE((all && part));
  const auto a = std::make_unique<echo::state>();
  const auto b = std::make_unique<echo::state>();
  BOOST_REQUIRE(*(*part)->next(*b));
  do BOOST_REQUIRE(*(*all)->next(*a));
  while (a->recorded_time_ms != b->recorded_time_ms);
  const auto text = [](const echo::state& tick) {
    std::string json;
    echo::append_session_json(tick, echo::json_shape::api, echo::number_style::game, json);
    return json;
  };
  std::size_t same = 0;
  for (;;) {
    BOOST_REQUIRE(text(*a) == text(*b));
    ++same;
    if (!*(*part)->next(*b)) break;
    BOOST_REQUIRE(*(*all)->next(*a));
  }
  BOOST_TEST(same > 100u);
}

BOOST_AUTO_TEST_CASE(a_clip_is_available_during_the_match) {
  const temporary_folder folder;
  clipped_game one(folder, {.types = {goal_type()}, .before_ms = 3000, .after_ms = 100},
                   {record_format::butter});
  one.poll_until_open();
  BOOST_TEST(eventually([&] {
    (void)one.poll();
    return !one.events_of_kind(event_kind::clip_saved).empty() || one.simulator->played().empty();
  }));
  const auto saved = one.events_of_kind(event_kind::clip_saved);
  BOOST_REQUIRE(!saved.empty());
  BOOST_TEST(one.game->events(event_kind::file_finished).empty());
  BOOST_TEST(saved.front().ticks > 0u);
  BOOST_TEST(goals_in(filesystem_path(saved.front().path)) >= 1u);
}

BOOST_AUTO_TEST_CASE(each_request_gets_a_response) {
  const temporary_folder folder;
  clipped_game one(folder, {.asked_ms = 1'000'000'000}, {record_format::butter, record_format::reel});
  const auto ask = [&] {
    auto answer = std::make_shared<std::promise<saved_clips>>();
    auto got = answer->get_future();
    one.clips->ask([answer](const saved_clips& done) { answer->set_value(done); });
    return got;
  };
  const saved_clips nothing = ask().get();
  BOOST_TEST(nothing.clips.empty());
  BOOST_TEST(nothing.failure == "no match is recorded now");
  one.poll_until_open();
  // The script's time is not real time: all of the match is in the past, so the clip ends where the reel ends.
  for (int i = 0; i < 300; ++i) (void)one.poll();
  auto got = ask();
  BOOST_REQUIRE(eventually([&] {
    (void)one.poll();
    return got.wait_for(std::chrono::milliseconds(1)) == std::future_status::ready;
  }));
  const saved_clips done = got.get();
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
  clipped_game one(folder, {.asked_ms = 1'000'000'000}, {record_format::butter});
  one.poll_until_open();
  for (int i = 0; i < 300; ++i) (void)one.poll();
  constexpr std::size_t asking = 50;
  std::vector<std::future<saved_clips>> answers;
  const auto began = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < asking; ++i) {
    auto answer = std::make_shared<std::promise<saved_clips>>();
    answers.push_back(answer->get_future());
    one.clips->ask([answer](const saved_clips& done) { answer->set_value(done); });
    if (i % 10 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - began).count();
  std::vector<std::string> paths;
  for (auto& each : answers) {
    BOOST_REQUIRE(eventually([&] {
      (void)one.poll();
      return each.wait_for(std::chrono::milliseconds(1)) == std::future_status::ready;
    }));
    const saved_clips done = each.get();
    BOOST_TEST(done.failure.empty(), done.failure);
    BOOST_REQUIRE(done.clips.size() == 1u);
    paths.push_back(done.clips[0].path.utf8());
  }
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
  auto answer = std::make_shared<std::promise<saved_clips>>();
  auto got = answer->get_future();
  one.clips->give_up();
  one.clips->ask([answer](const saved_clips& done) { answer->set_value(done); });
  const saved_clips done = got.get();
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

BOOST_AUTO_TEST_CASE(a_buffer_is_bounded_and_keeps_clips) {
  const temporary_folder folder;
  std::size_t played = 0;
  std::uint64_t polled = 0;
  std::uintmax_t all_bytes = 0;
  {
    clipped_game one(folder,
                     {.types = {goal_type()}, .before_ms = 8000, .after_ms = 1000, .longest_ms = 10'000},
                     {record_format::butter}, 10'000);
    one.poll_until_open();
    while (one.poll()) {
      ++polled;
      // A match that takes no time leaves no time to publish anything.
      if (polled % 60 != 0) continue;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      // Two buffers: one to be removed and one that a clip is made of; others are removed. Each holds at most twice the buffer
      // time plus five seconds of the four minutes played.
      BOOST_TEST(eventually([&] { return named(folder, ".butter.reel").size() <= 4u; }));
      BOOST_TEST(eventually([&] { return held_ms(folder) <= std::int64_t{4} * 2 * 15'000; }));
    }
    for (const auto& each : one.simulator->played())
      played += each.what.index() == goal_type() ? std::size_t{1} : 0;
    one.game->recorder().close();
    BOOST_TEST(one.game->events(event_kind::file_finished).empty());
    const match_status status = one.game->recorder().status();
    BOOST_TEST(one.game->events(event_kind::disk_failed).empty());
    BOOST_TEST(status.files_finished == 0u);
    BOOST_TEST(status.files_failed == 0u);
    BOOST_TEST(status.discarded_ticks == status.total_frames);
    BOOST_TEST(status.dropped_ticks == 0u);
    BOOST_TEST(one.events_of_kind(event_kind::clip_failed).empty());
  }
  BOOST_REQUIRE(polled > 5000u);
  std::size_t goals = 0;
  for (const auto& path : named(folder, "_goal")) {
    goals += goals_in(path);
    all_bytes += std::filesystem::file_size(path);
  }
  BOOST_TEST(goals == played);
  BOOST_TEST(all_bytes > 0u);
  // No other file is left.
  BOOST_TEST(named(folder, "").size() == named(folder, "_goal").size());
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
  auto answer = std::make_shared<std::promise<saved_clips>>();
  auto got = answer->get_future();
  one.clips->ask([answer](const saved_clips& done) { answer->set_value(done); });
  const saved_clips done = got.get();
  BOOST_TEST(done.clips.empty());
  BOOST_TEST(!done.failure.empty());
  BOOST_TEST(one.clips->counts().failed == 1u);
  BOOST_TEST(!one.events_of_kind(event_kind::clip_failed).empty());
}
#endif

BOOST_AUTO_TEST_CASE(missed_events_matter_only_with_event_clips) {
  live_feed small(1);
  live_feed::writer game(small, "10.0.0.1:6721");
  match_simulator match({.seed = 5, .bones = false, .match_seconds = 60});
  const auto state = std::make_unique<echo::state>();
  while (match.next(*state)) game.see(*state, 0);
  clip_saver on_request(small, {}, {});
  on_request.finish();
  BOOST_TEST(on_request.counts().missed == 0u);
  clip_saver of_goals(small, {.types = {goal_type()}}, {});
  of_goals.finish();
  BOOST_TEST(of_goals.counts().missed != 0u);
}

BOOST_AUTO_TEST_CASE(a_throwing_listener_ends_no_recording) {
  const temporary_folder folder;
  {
    clipped_game one(folder, {.types = {goal_type()}, .before_ms = 3000, .after_ms = 100},
                     {record_format::butter});
    one.listener_throws = true;
    one.poll_until_open();
    std::promise<void> asked;
    one.clips->ask([&](const saved_clips&) {
      asked.set_value();
      throw std::runtime_error("no memory");
    });
    asked.get_future().wait();
    while (one.poll()) {}
    one.game->recorder().close();
    one.clips->finish();
    const clip_counts counts = one.clips->counts();
    BOOST_TEST(counts.saved >= 2u);
    BOOST_TEST(one.events_of_kind(event_kind::clip_saved).size() == counts.saved);
    BOOST_TEST(one.game->recorder().status().files_finished == 1u);
  }
  BOOST_TEST(!named(folder, "_goal").empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
