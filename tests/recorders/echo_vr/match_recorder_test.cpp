#define BOOST_TEST_MODULE echo_vr_recording
#include "tickreel/echo_vr/match_recorder.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#ifndef _WIN32
#include <sys/resource.h>

#include <csignal>
#endif

#include "random.hpp"
#include "support/scripted_source.hpp"
#include "support/waiting.hpp"
#include "tickreel/recording/echo_source.hpp"
#include "tickreel/reel/file.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::echo_vr {
namespace {

using namespace std::chrono_literals;
using test::scripted_match;
using test::temporary_folder;

constexpr double rate_hz = 60;

// Plays the poller, with a time of its own: no test here waits for a clock.
class driver {
 public:
  explicit driver(match_options options, poll_options polls = {.rate_hz = rate_hz}) {
    options.ring_seconds = 5;  // more than any test here pushes at once: nothing is dropped on a slow machine
    recorder_ = std::make_unique<match_recorder>(target{"10.0.0.1", 6721}, polls, std::move(options),
                                                 [this](const record_event& event) {
                                                   const std::lock_guard lock(mutex_);
                                                   events_.push_back(event);
                                                 });
  }

  double tick(const scripted_match& match, std::uint32_t number, std::uint64_t lost = 0) {
    const std::string session = test::session_text(match, number);
    const std::string bones = match.bones ? test::bones_text(match, number) : std::string();
    pass(lost);
    poll_outcome outcome = here(target_state::in_match, lost);
    outcome.session = session;
    outcome.bones = bones;
    outcome.asked_for_bones = true;
    outcome.http_status = 200;
    return recorder_->on_poll(outcome);
  }
  void ticks(const scripted_match& match, std::uint32_t from, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) (void)tick(match, from + i);
  }
  // Ticks until the files are open, which another thread does. Returns the next tick's number.
  std::uint32_t ticks_until(event_kind kind, const scripted_match& match, std::uint32_t from) {
    BOOST_TEST(test::eventually([&] {
      (void)tick(match, from++);
      return !events(kind).empty();
    }));
    return from;
  }
  double miss(target_state state, std::uint64_t lost = 0) {
    pass(lost);
    return recorder_->on_poll(here(state, lost));
  }
  double answer(std::string_view text, std::string_view bones = {}) {
    pass(0);
    poll_outcome outcome = here(target_state::in_match, 0);
    outcome.session = text;
    outcome.bones = bones;
    outcome.http_status = 200;
    return recorder_->on_poll(outcome);
  }
  void wait(std::chrono::milliseconds time) { now_ += time; }

  match_recorder& recorder() { return *recorder_; }
  std::vector<record_event> events(event_kind kind) const {
    const std::lock_guard lock(mutex_);
    std::vector<record_event> found;
    for (const record_event& each : events_) {
      if (each.kind == kind) found.push_back(each);
    }
    return found;
  }

 private:
  void pass(std::uint64_t lost) { now_ += (lost + 1) * std::chrono::microseconds(16'667); }
  poll_outcome here(target_state state, std::uint64_t lost) {
    poll_outcome outcome;
    outcome.state = state;
    outcome.arrived = now_;
    outcome.time_ms = test::script_start_ms +
                      std::chrono::duration_cast<std::chrono::milliseconds>(now_.time_since_epoch()).count();
    outcome.latency_us = 1500;
    outcome.lost_before = lost;
    outcome.number = number_++;
    return outcome;
  }

  std::chrono::steady_clock::time_point now_{};
  std::uint64_t number_ = 0;
  mutable std::mutex mutex_;
  std::vector<record_event> events_;
  std::unique_ptr<match_recorder> recorder_;
};

// Which ticks a file holds.
std::vector<std::uint32_t> ticks_in(const std::filesystem::path& path) {
  std::vector<std::uint32_t> numbers;
  auto source = recording::open_echo(path);
  BOOST_TEST_CONTEXT(path.string()) BOOST_REQUIRE(source.has_value());
  auto state = std::make_unique<echo::state>();
  while (true) {
    const result<bool> more = (*source)->next(*state);
    BOOST_TEST_CONTEXT(path.string()) BOOST_REQUIRE(more.has_value());
    if (!*more) return numbers;
    numbers.push_back(test::tick_of(*state));
  }
}

std::vector<std::uint32_t> numbers(std::uint32_t from, std::uint32_t count) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < count; ++i) all.push_back(from + i);
  return all;
}

match_options in(const temporary_folder& folder,
                 std::vector<record_format> formats = {record_format::butter}) {
  match_options options;
  options.folder = folder.path();
  options.formats = std::move(formats);
  return options;
}

scripted_match other_session() {
  scripted_match match;
  match.sessionid = "99999999-BBBB-4000-8000-000000000002";
  return match;
}

BOOST_AUTO_TEST_SUITE(matches)

BOOST_AUTO_TEST_CASE(one_match_in_every_format_at_once) {
  const temporary_folder folder;
  driver game(in(folder, {record_format::butter, record_format::echoreplay, record_format::reel}));
  scripted_match match;
  match.bones = true;
  game.ticks(match, 0, 200);
  BOOST_TEST(game.recorder().status().recording);
  BOOST_TEST(folder.files(".butter").empty());  // only reels so far
  BOOST_TEST(test::eventually([&] { return folder.files(".reel").size() == 3; }));
  game.recorder().close();

  BOOST_REQUIRE(folder.files(".butter").size() == 1);
  BOOST_REQUIRE(folder.files(".echoreplay").size() == 1);
  BOOST_REQUIRE(folder.files(".reel").size() == 1);
  BOOST_TEST(ticks_in(folder.files(".butter")[0]) == numbers(0, 200), boost::test_tools::per_element());
  BOOST_TEST(ticks_in(folder.files(".echoreplay")[0]) == numbers(0, 200), boost::test_tools::per_element());
  BOOST_TEST(ticks_in(folder.files(".reel")[0]) == numbers(0, 200), boost::test_tools::per_element());
  BOOST_TEST(folder.files(".butter")[0].filename().string() ==
             "2025-06-15_15-06-40_mpl_arena_a_00000000.butter");

  const match_status done = game.recorder().status();
  BOOST_TEST(done.files_finished == 3);
  BOOST_TEST(done.files_failed == 0);
  BOOST_TEST(done.total_frames == 200);
  BOOST_TEST(done.lost_polls == 0);
  BOOST_TEST(done.dropped_ticks == 0);
  BOOST_TEST(!done.recording);
  for (const record_event& event : game.events(event_kind::file_finished)) {
    BOOST_TEST(event.ticks == 200);
    BOOST_TEST(event.lost_ticks == 0);
    BOOST_TEST(event.bytes == std::filesystem::file_size(event.path));
    BOOST_TEST(event.target == "10.0.0.1:6721");
  }
}

BOOST_AUTO_TEST_CASE(answers_are_kept_word_for_word) {
  const temporary_folder folder;
  driver game(in(folder, {record_format::echoreplay, record_format::reel}));
  scripted_match match;
  match.bones = true;
  game.ticks(match, 0, 5);
  game.recorder().close();
  for (const char* extension : {".echoreplay", ".reel"}) {
    auto source = recording::open_echo(folder.files(extension).at(0));
    BOOST_REQUIRE(source.has_value());
    auto state = std::make_unique<echo::state>();
    for (std::uint32_t i = 0; i < 5; ++i) {
      BOOST_REQUIRE((*source)->next(*state).value());
      BOOST_TEST((*source)->session_json() == test::session_text(match, i));
      BOOST_TEST((*source)->bones_json() == test::bones_text(match, i));
    }
  }
}

BOOST_AUTO_TEST_CASE(another_session_or_map_begins_another_file) {
  const temporary_folder folder;
  driver game(in(folder));
  scripted_match match;
  game.ticks(match, 0, 30);
  game.ticks(other_session(), 100, 20);
  scripted_match other_map = other_session();
  other_map.map = "mpl_combat_dyson";
  game.ticks(other_map, 200, 10);
  game.recorder().close();
  std::map<std::string, std::vector<std::uint32_t>> found;
  for (const auto& path : folder.files(".butter")) found[path.stem().string().substr(20)] = ticks_in(path);
  BOOST_REQUIRE(found.size() == 3);
  BOOST_TEST(found["mpl_arena_a_00000000"] == numbers(0, 30), boost::test_tools::per_element());
  BOOST_TEST(found["mpl_arena_a_99999999"] == numbers(100, 20), boost::test_tools::per_element());
  BOOST_TEST(found["mpl_combat_dyson_99999999"] == numbers(200, 10), boost::test_tools::per_element());
  BOOST_TEST(game.recorder().status().lost_polls == 0);
}

BOOST_AUTO_TEST_CASE(a_short_gap_is_bridged_and_counted) {
  const temporary_folder folder;
  driver game(in(folder, {record_format::butter, record_format::reel}));
  const scripted_match match;
  game.ticks(match, 0, 30);
  for (int i = 0; i < 6; ++i) (void)game.miss(target_state::unreachable);
  game.wait(4s);
  (void)game.miss(target_state::unreachable, 3);
  (void)game.tick(match, 50, 2);
  game.ticks(match, 51, 9);
  game.recorder().close();

  std::vector<std::uint32_t> expected = numbers(0, 30);
  for (const std::uint32_t each : numbers(50, 10)) expected.push_back(each);
  BOOST_REQUIRE(folder.files(".butter").size() == 1);
  BOOST_TEST(ticks_in(folder.files(".butter")[0]) == expected, boost::test_tools::per_element());
  // Six failed, one failed with three lost before it, two lost before the good one.
  BOOST_TEST(game.recorder().status().lost_polls == 6 + 1 + 3 + 2);
  BOOST_REQUIRE(game.events(event_kind::gap).size() == 1);
  BOOST_TEST(game.events(event_kind::gap)[0].ticks == 12);
  const auto reel = reel::reader::open(folder.files(".reel").at(0));
  BOOST_REQUIRE(reel.has_value());
  BOOST_TEST(reel->contents().lost_ticks == 12);
  BOOST_TEST(reel->contents().frames == 40);
  BOOST_TEST((reel->contents().end == reel::reel_end::closed));
  for (const record_event& event : game.events(event_kind::file_finished)) BOOST_TEST(event.lost_ticks == 12);
}

BOOST_AUTO_TEST_CASE(a_long_gap_ends_the_file_and_is_no_loss) {
  const temporary_folder folder;
  driver game(in(folder));
  const scripted_match match;
  game.ticks(match, 0, 10);
  (void)game.miss(target_state::menu);
  BOOST_TEST(game.recorder().status().recording);
  game.wait(6s);
  BOOST_TEST(game.miss(target_state::menu) == 0);
  BOOST_TEST(!game.recorder().status().recording);
  game.ticks(match, 500, 10);
  game.recorder().close();
  const auto files = folder.files(".butter");
  BOOST_REQUIRE(files.size() == 2);
  BOOST_TEST(ticks_in(files[0]) == numbers(0, 10), boost::test_tools::per_element());
  BOOST_TEST(ticks_in(files[1]) == numbers(500, 10), boost::test_tools::per_element());
  BOOST_TEST(game.recorder().status().lost_polls == 0);
}

BOOST_AUTO_TEST_CASE(another_session_after_a_gap_is_another_match) {
  const temporary_folder folder;
  driver game(in(folder));
  game.ticks({}, 0, 10);
  (void)game.miss(target_state::menu, 20);
  game.ticks(other_session(), 0, 10);
  game.recorder().close();
  BOOST_TEST(folder.files(".butter").size() == 2);
  BOOST_TEST(game.recorder().status().lost_polls == 0);
  BOOST_TEST(game.events(event_kind::gap).empty());
}

BOOST_AUTO_TEST_CASE(late_polls_are_counted_in_the_file) {
  const temporary_folder folder;
  driver game(in(folder, {record_format::reel}));
  const scripted_match match;
  game.ticks(match, 0, 10);
  (void)game.tick(match, 15, 5);
  game.recorder().close();
  const auto reel = reel::reader::open(folder.files(".reel").at(0));
  BOOST_REQUIRE(reel.has_value());
  BOOST_TEST(reel->contents().frames == 11);
  BOOST_TEST(reel->contents().lost_ticks == 5);
  BOOST_TEST(game.recorder().status().lost_polls == 5);
}

BOOST_AUTO_TEST_CASE(only_play_is_recorded_when_asked_for) {
  const temporary_folder folder;
  match_options options = in(folder);
  options.active_only = true;
  driver game(options);
  scripted_match match;
  const auto play = [&](const char* status, std::uint32_t from) {
    match.status = status;
    game.ticks(match, from, 10);
  };
  play("pre_match", 0);
  BOOST_TEST(!game.recorder().status().recording);
  play("round_start", 10);
  play("playing", 20);
  play("round_over", 30);
  play("playing", 40);
  play("post_match", 50);
  game.recorder().close();
  std::vector<std::uint32_t> expected = numbers(10, 20);
  for (const std::uint32_t each : numbers(40, 10)) expected.push_back(each);
  BOOST_REQUIRE(folder.files(".butter").size() == 1);
  BOOST_TEST(ticks_in(folder.files(".butter")[0]) == expected, boost::test_tools::per_element());
  BOOST_TEST(game.recorder().status().lost_polls == 0);
  BOOST_TEST(game.recorder().status().total_frames == 30);
}

BOOST_AUTO_TEST_CASE(the_rate_follows_what_happens) {
  const temporary_folder folder;
  match_options options = in(folder);
  options.idle_rate_hz = 2;
  driver game(options);
  scripted_match match;
  BOOST_TEST(game.miss(target_state::menu) == 2);
  BOOST_TEST(game.tick(match, 0) == rate_hz);
  BOOST_TEST(game.miss(target_state::unreachable) == rate_hz);  // it may come back at any moment
  match.status = "post_match";
  BOOST_TEST(game.tick(match, 1) == 2);
  match.status = "playing";
  BOOST_TEST(game.tick(match, 2) == rate_hz);

  driver plain(in(folder));
  match.status = "post_match";
  BOOST_TEST(plain.tick(match, 0) == rate_hz);
  plain.wait(10s);
  BOOST_TEST(plain.miss(target_state::lobby) == 0);
}

BOOST_AUTO_TEST_CASE(nothing_is_ever_overwritten) {
  const temporary_folder folder;
  for (const char* taken : {"2025-06-15_15-06-40_mpl_arena_a_00000000.butter",
                            "2025-06-15_15-06-40_mpl_arena_a_00000000-2.butter.reel"}) {
    std::ofstream(folder.path() / taken) << "precious";
  }
  for (int i = 0; i < 2; ++i) {
    driver game(in(folder));
    game.ticks({}, 0, 10);
    game.recorder().close();
  }
  BOOST_TEST(std::filesystem::file_size(folder.path() / "2025-06-15_15-06-40_mpl_arena_a_00000000.butter") ==
             8);
  BOOST_TEST(std::filesystem::file_size(folder.path() /
                                        "2025-06-15_15-06-40_mpl_arena_a_00000000-2.butter.reel") == 8);
  BOOST_TEST(ticks_in(folder.path() / "2025-06-15_15-06-40_mpl_arena_a_00000000-3.butter").size() == 10);
  BOOST_TEST(ticks_in(folder.path() / "2025-06-15_15-06-40_mpl_arena_a_00000000-4.butter").size() == 10);
}

BOOST_AUTO_TEST_CASE(nonsense_that_looks_like_an_answer_is_a_missed_poll) {
  const temporary_folder folder;
  driver game(in(folder));
  const scripted_match match;
  const std::string whole = test::session_text(match, 0);
  game.ticks(match, 0, 10);
  (void)game.answer(whole.substr(0, whole.size() - 5));
  (void)game.answer("{\"sessionid\":");
  game.ticks(match, 12, 10);
  game.recorder().close();
  BOOST_REQUIRE(folder.files(".butter").size() == 1);
  BOOST_TEST(ticks_in(folder.files(".butter")[0]).size() == 20);
  BOOST_TEST(game.recorder().status().lost_polls == 2);
}

BOOST_AUTO_TEST_CASE(bones_that_cannot_be_read_cost_only_themselves) {
  const temporary_folder folder;
  driver game(in(folder));
  for (std::uint32_t i = 0; i < 3; ++i) (void)game.answer(test::session_text({}, i), "{\"user_bones\":[{");
  game.recorder().close();
  BOOST_TEST(ticks_in(folder.files(".butter").at(0)) == numbers(0, 3), boost::test_tools::per_element());
  BOOST_TEST(game.recorder().status().incomplete_parses == 3);
}

BOOST_AUTO_TEST_CASE(a_player_too_many_begins_another_file) {
  const temporary_folder folder;
  driver game(in(folder));
  echo::state state;
  // Two new names on every tick: 255 are full in the 128th.
  for (std::uint32_t i = 0; i < 140; ++i) {
    test::fill_tick({}, i, state);
    state.players[0].name.assign("blue " + std::to_string(i));
    state.players[1].name.assign("orange " + std::to_string(i));
    std::string text;
    echo::append_session_json(state, echo::json_shape::api, echo::number_style::game, text);
    (void)game.answer(text);
  }
  game.recorder().close();
  const auto files = folder.files(".butter");
  BOOST_REQUIRE(files.size() == 2);
  std::vector<std::uint32_t> all = ticks_in(files[0]);
  BOOST_TEST(all.size() == 127);
  for (const std::uint32_t each : ticks_in(files[1])) all.push_back(each);
  BOOST_TEST(all == numbers(0, 140), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(states_are_told_once) {
  const temporary_folder folder;
  driver game(in(folder));
  for (int i = 0; i < 5; ++i) (void)game.miss(target_state::unreachable);
  for (int i = 0; i < 5; ++i) (void)game.miss(target_state::menu);
  game.ticks({}, 0, 5);
  (void)game.miss(target_state::unreachable);  // one lost answer is no news
  game.ticks({}, 6, 5);
  for (int i = 0; i < 3; ++i) (void)game.miss(target_state::lobby);
  std::string told;
  for (const record_event& event : game.events(event_kind::state_changed)) {
    for (const target_state state :
         {target_state::unreachable, target_state::menu, target_state::in_match, target_state::lobby}) {
      if (event.line.starts_with(sentence(state))) told += std::string(name(state)) + ' ';
    }
  }
  BOOST_TEST(told == "unreachable menu in_match lobby ");
}

BOOST_AUTO_TEST_CASE(a_folder_that_cannot_be_written_is_reported_and_tried_again) {
  const temporary_folder folder;
  match_options options = in(folder);
  options.folder = folder.path() / "gone";
  driver game(options);
  std::ofstream(options.folder) << "a file where the folder should be";
  std::uint32_t next = game.ticks_until(event_kind::disk_failed, {}, 0);
  BOOST_TEST(game.recorder().status().dropped_ticks == next);
  std::filesystem::remove(options.folder);
  std::filesystem::create_directory(options.folder);
  game.ticks({}, next, 10);
  next += 10;
  BOOST_TEST(game.recorder().status().dropped_ticks == next);  // not tried on every tick
  BOOST_TEST(!game.recorder().status().recording);
  game.wait(5s);
  game.ticks({}, next, 10);
  game.recorder().close();
  BOOST_TEST(game.events(event_kind::disk_failed).size() == 1);
  BOOST_TEST(game.recorder().status().dropped_ticks == next);
  BOOST_TEST(game.recorder().status().total_frames == 10);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(options.folder)) {
    ++files;
    BOOST_TEST(ticks_in(entry.path()) == numbers(next, 10), boost::test_tools::per_element());
  }
  BOOST_TEST(files == 1);
}

BOOST_AUTO_TEST_CASE(a_match_that_ends_before_its_file_is_open_is_still_a_file) {
  const temporary_folder folder;
  driver game(in(folder));
  for (std::uint32_t i = 0; i < 20; ++i) {
    scripted_match match;
    match.sessionid = std::to_string(10 + i) + "000000-0000-4000-8000-000000000000";
    (void)game.tick(match, i);
  }
  game.recorder().close();
  const auto files = folder.files(".butter");
  BOOST_REQUIRE(files.size() == 20);
  std::uint32_t sum = 0;
  for (const auto& path : files) {
    const auto found = ticks_in(path);
    BOOST_TEST(found.size() == 1);
    sum += found.at(0);
  }
  BOOST_TEST(sum == 19 * 20 / 2);
  BOOST_TEST(game.events(event_kind::file_started).size() == 20);
  BOOST_TEST(game.recorder().status().files_finished == 20);
}

BOOST_AUTO_TEST_CASE(a_reel_that_cannot_be_laid_out_stays) {
  const temporary_folder folder;
  driver game(in(folder));
  const std::uint32_t next = game.ticks_until(event_kind::file_started, {}, 0);
  // Somebody takes the final name meanwhile.
  std::ofstream(folder.path() / "2025-06-15_15-06-40_mpl_arena_a_00000000.butter") << "precious";
  game.recorder().close();
  BOOST_TEST(game.recorder().status().files_failed == 1);
  BOOST_TEST(game.recorder().status().files_finished == 0);
  const auto failed = game.events(event_kind::publish_failed);
  BOOST_REQUIRE(failed.size() == 1);
  BOOST_TEST(failed[0].path.extension() == ".reel");
  BOOST_TEST(failed[0].line.find("tickreel recover") != std::string::npos);
  BOOST_TEST(ticks_in(failed[0].path).size() == next);
  BOOST_TEST(std::filesystem::file_size(folder.path() / "2025-06-15_15-06-40_mpl_arena_a_00000000.butter") ==
             8);
}

BOOST_AUTO_TEST_CASE(reels_of_the_dead_are_found_those_of_the_living_are_not) {
  const temporary_folder folder;
  driver living(in(folder, {record_format::butter, record_format::reel}));
  (void)living.ticks_until(event_kind::file_started, {}, 0);
  BOOST_TEST(find_left_over_reels(folder.path()).empty());
  living.recorder().close();
  BOOST_TEST(find_left_over_reels(folder.path()).empty());  // the .reel that remains is whole

  const std::filesystem::path whole = folder.files(".reel").at(0);
  const std::filesystem::path cut = folder.path() / "cut.reel";
  std::filesystem::copy_file(whole, cut);
  std::filesystem::resize_file(cut, std::filesystem::file_size(cut) - 20);
  const std::filesystem::path unpublished = folder.path() / "x.butter.reel";
  std::filesystem::copy_file(whole, unpublished);
  const auto found = find_left_over_reels(folder.path());
  BOOST_REQUIRE(found.size() == 2);
  BOOST_TEST(found[0] == cut);
  BOOST_TEST(found[1] == unpublished);
  BOOST_TEST(find_left_over_reels(folder.path() / "nowhere").empty());
}

#ifndef _WIN32

// No file of this process may grow beyond a size while it lives.
class file_size_limit {
 public:
  explicit file_size_limit(rlim_t bytes) {
    // Unhandled it would end the process; ignored, writing fails as on a full disk.
    earlier_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &earlier_);
    const rlimit now{bytes, earlier_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  file_size_limit(const file_size_limit&) = delete;
  file_size_limit& operator=(const file_size_limit&) = delete;
  ~file_size_limit() {
    setrlimit(RLIMIT_FSIZE, &earlier_);
    std::signal(SIGXFSZ, earlier_handler_);
  }

 private:
  rlimit earlier_{};
  void (*earlier_handler_)(int) = SIG_DFL;
};

BOOST_AUTO_TEST_CASE(a_full_disk_is_reported_and_what_was_written_survives) {
  auto random = test::seeded_random("full disk");
  const temporary_folder folder;
  driver game(in(folder, {record_format::reel}));
  std::uint32_t next = 0;
  // Bytes that no codec shrinks, in a field that no reader knows.
  const auto push = [&] {
    std::string noise;
    for (int i = 0; i < 2000; ++i)
      noise += "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"[random() % 64];
    std::string text = test::session_text({}, next++);
    text.insert(1, "\"noise\":\"" + noise + "\",");
    (void)game.answer(text);
    // 10 ms of real time each: the ring must never fill.
    std::this_thread::sleep_for(10ms);
  };
  const auto written = [&] { return game.recorder().status().stored_bytes; };
  BOOST_TEST(test::eventually([&] {
    push();
    return written() > 50'000;
  }));
  {
    const file_size_limit full(written());
    BOOST_TEST(test::eventually([&] {
      push();
      return !game.events(event_kind::disk_failed).empty();
    }));
  }
  BOOST_TEST(test::eventually([&] {
    push();
    return !game.events(event_kind::disk_recovered).empty();
  }));
  const std::uint32_t recovered_at = next;
  push();
  game.recorder().close();
  BOOST_TEST(game.events(event_kind::disk_failed).size() == 1);
  BOOST_TEST(game.events(event_kind::disk_recovered).size() == 1);

  const std::vector<std::uint32_t> found = ticks_in(folder.files(".reel").at(0));
  BOOST_TEST(found.front() == 0);
  BOOST_TEST(found.back() == recovered_at);
  const match_status done = game.recorder().status();
  BOOST_TEST(done.dropped_ticks > 0);
  BOOST_TEST(found.size() + done.dropped_ticks == next);
  BOOST_TEST(done.files_finished == 1);
}

#endif

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tickreel::echo_vr
