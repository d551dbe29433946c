// Live clips of a match that is still being recorded.
#include "tickreel/echo_vr/clip_saver.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "support/clipped_game.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/echo_vr/name_pattern.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/reel/reader.hpp"

BOOST_AUTO_TEST_SUITE(echo_vr_recording_tests)
BOOST_AUTO_TEST_SUITE(clip_saver_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

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
        folder, goal_clips(3000, 1000),
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
      clip_options options = goal_clips(500, 500);
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
    clipped_game one(folder, goal_clips(2000, 500), {record_format::butter});
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
  clipped_game one(folder, goal_clips(3000, 100), {record_format::butter});
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

BOOST_AUTO_TEST_CASE(a_buffer_is_bounded_and_keeps_clips) {
  const temporary_folder folder;
  std::size_t played = 0;
  std::uint64_t polled = 0;
  std::uintmax_t all_bytes = 0;
  {
    clip_options options = goal_clips(8000, 1000);
    options.longest_ms = 10'000;
    clipped_game one(folder, options, {record_format::butter}, 10'000);
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
