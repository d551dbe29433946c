// Drives a match_recorder like the poller, and reads its files.
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/event_log.hpp"
#include "support/scripted_source.hpp"
#include "support/waiting.hpp"
#include "tickreel/echo_vr/match_recorder.hpp"
#include "tickreel/files/echo_source.hpp"

namespace tickreel::test {

using namespace echo_vr;

inline constexpr double rate_hz = 60;

// Replaces the poller, with a clock of its own: no test here waits for real time.
class driver {
 public:
  explicit driver(match_options options, poll_options polls = {.rate_hz = rate_hz}) {
    // More than most tests here push in a burst: nothing is dropped on a slow machine.
    options.ring_seconds = std::max(options.ring_seconds, 5u);
    max_waiting_ = options.ring_seconds * static_cast<std::uint64_t>(rate_hz) / 2;
    recorder_ = std::make_unique<match_recorder>(target{"10.0.0.1", 6721}, polls, std::move(options),
                                                 events_.function());
  }

  double tick(const scripted_match& match, std::uint32_t number, std::uint64_t lost = 0) {
    const std::string session = session_text(match, number);
    const std::string bones = match.bones ? bones_text(match, number) : std::string();
    pass(lost);
    poll_outcome outcome = here(target_state::in_match, lost);
    outcome.session = session;
    outcome.bones = bones;
    outcome.asked_for_bones = true;
    outcome.http_status = 200;
    return poll(outcome);
  }
  void ticks(const scripted_match& match, std::uint32_t from, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) (void)tick(match, from + i);
  }
  // Pushes ticks until another thread has opened the files. Returns the next tick's number.
  std::uint32_t ticks_until(event_kind kind, const scripted_match& match, std::uint32_t from) {
    BOOST_TEST(eventually([&] {
      (void)tick(match, from++);
      return !events(kind).empty();
    }));
    return from;
  }
  double miss(target_state state, std::uint64_t lost = 0) {
    pass(lost);
    return recorder_->on_poll(here(state, lost));
  }
  double answer(std::string_view text, std::string_view bones = {}, bool asked_for_bones = false) {
    pass(0);
    poll_outcome outcome = here(target_state::in_match, 0);
    outcome.session = text;
    outcome.bones = bones;
    outcome.asked_for_bones = asked_for_bones;
    outcome.http_status = 200;
    return poll(outcome);
  }
  void wait(std::chrono::milliseconds time) { now_ += time; }

  match_recorder& recorder() { return *recorder_; }
  std::vector<record_event> events(event_kind kind) const { return events_.of(kind); }

 private:
  // A match runs faster than real time here, but never faster than a starved recorder: before the ring is full, it waits.
  double poll(const poll_outcome& outcome) {
    const double rate = recorder_->on_poll(outcome);
    for (int i = 0; i < 10 && recorder_->status().waiting_ticks > max_waiting_; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return rate;
  }
  void pass(std::uint64_t lost) { now_ += (lost + 1) * std::chrono::microseconds(16'667); }
  poll_outcome here(target_state state, std::uint64_t lost) {
    poll_outcome outcome;
    outcome.state = state;
    outcome.arrived = now_;
    outcome.time_ms = script_start_ms +
                      std::chrono::duration_cast<std::chrono::milliseconds>(now_.time_since_epoch()).count();
    outcome.latency_us = 1500;
    outcome.lost_before = lost;
    outcome.number = number_++;
    return outcome;
  }

  std::chrono::steady_clock::time_point now_{};
  std::uint64_t number_ = 0;
  std::uint64_t max_waiting_ = 0;
  event_log events_;
  std::unique_ptr<match_recorder> recorder_;
};

// The ticks of a file.
inline std::vector<std::uint32_t> ticks_in(const std::filesystem::path& path) {
  std::vector<std::uint32_t> numbers;
  auto source = files::open_echo(path);
  BOOST_TEST_CONTEXT(path.string()) BOOST_REQUIRE(source.has_value());
  auto state = std::make_unique<echo::state>();
  while (true) {
    const result<bool> more = (*source)->next(*state);
    BOOST_TEST_CONTEXT(path.string()) BOOST_REQUIRE(more.has_value());
    if (!*more) return numbers;
    numbers.push_back(tick_of(*state));
  }
}

inline std::vector<std::uint32_t> numbers(std::uint32_t from, std::uint32_t count) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < count; ++i) all.push_back(from + i);
  return all;
}

inline void check_ticks(const std::filesystem::path& path, const std::vector<std::uint32_t>& expected) {
  BOOST_TEST_CONTEXT(path.string()) BOOST_TEST(ticks_in(path) == expected, boost::test_tools::per_element());
}

inline match_options in(const temporary_folder& folder,
                        std::vector<record_format> formats = {record_format::butter}) {
  match_options options;
  options.folder = folder.path();
  options.formats = std::move(formats);
  return options;
}

inline scripted_match other_session() {
  scripted_match match;
  match.sessionid = "99999999-BBBB-4000-8000-000000000002";
  return match;
}

}  // namespace tickreel::test
