// A recorder with a clip_saver, and a simulated match to poll.
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/match_driver.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/echo_vr/clip_saver.hpp"
#include "tickreel/echo_vr/simulator.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::test {

inline std::size_t goal_type() {
  return *echo::event_type_from_name("goal");
}

inline std::vector<std::filesystem::path> named(const temporary_folder& folder, const std::string& part) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    if (entry.path().filename().string().find(part) != std::string::npos) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// The last tick of such a clip reaches the reel, or the reel ends: the clip waits for it, however slow the disk is.
inline clip_options goal_clips(std::uint32_t before_ms, std::uint32_t after_ms) {
  return {.types = {goal_type()}, .before_ms = before_ms, .after_ms = after_ms, .longest_wait_ms = 60'000};
}

inline bool has_sealed_ticks(const std::filesystem::path& path) {
  const auto reel = reel::reader::open(file_path(path));
  return reel &&
         std::any_of(reel->contents().records.begin(), reel->contents().records.end(),
                     [](const reel::record_info& each) { return each.kind == reel::record_kind::chunk; });
}

class clipped_game {
 public:
  clipped_game(const temporary_folder& folder, clip_options how, std::vector<record_format> formats,
               std::uint32_t buffer_ms = 0)
      : folder_(folder) {
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
  // A clip can be cut of each reel then.
  void poll_until_sealed() {
    poll_until_open();
    BOOST_REQUIRE(eventually([&] {
      (void)poll();
      const auto reels = named(folder_, ".reel");
      return reels.size() == files_of_match_ && std::all_of(reels.begin(), reels.end(), has_sealed_ticks);
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

  // The answer to a request for a clip.
  std::future<saved_clips> ask() {
    const auto answer = std::make_shared<std::promise<saved_clips>>();
    clips->ask([answer](const saved_clips& done) { answer->set_value(done); });
    return answer->get_future();
  }
  // Polls until the answer is known.
  saved_clips wait_for(std::future<saved_clips>& answer) {
    BOOST_REQUIRE(eventually([&] {
      (void)poll();
      return answer.wait_for(std::chrono::milliseconds(1)) == std::future_status::ready;
    }));
    return answer.get();
  }

  bool listener_throws = false;  // set before the first poll
  live_feed feed{100'000};
  std::unique_ptr<clip_saver> clips;
  std::unique_ptr<driver> game;
  std::unique_ptr<match_simulator> simulator;
  std::unique_ptr<echo::state> state = std::make_unique<echo::state>();

 private:
  static constexpr std::uint32_t ring_seconds = 20;

  const temporary_folder& folder_;
  std::size_t files_of_match_ = 0;
  mutable std::mutex mutex_;
  std::vector<record_event> reported_events_;
};

}  // namespace tickreel::test
