// Selects the tick of a source for a moment of playback.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/echo/state.hpp"
#include "tickreel/echo_vr/api_server.hpp"
#include "tickreel/files/echo_source.hpp"

namespace tickreel::echo_vr {

// Plays a source in its own time. One thread at a time.
class playback {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  playback(std::unique_ptr<files::echo_source> source, const serve_options& options);

  // Reads the first tick.
  result<void> prepare();
  // Starts the clock. No effect the second time.
  void begin(time_point now) noexcept;
  // Advances to the tick for `now`.
  void advance(time_point now);

  enum class scene : std::uint8_t { menu, lobby, match };
  [[nodiscard]] scene showing() const noexcept { return scene_; }
  // The two responses for the current tick; written once per tick, valid until advance().
  std::string_view session_answer();
  std::string_view bones_answer();

  [[nodiscard]] const serve_status& status() const noexcept { return status_; }
  [[nodiscard]] const result<void>& source_result() const noexcept { return source_result_; }
  // For the first complete round, or the part that was read.
  [[nodiscard]] std::vector<std::string> losses() const;

 private:
  [[nodiscard]] std::vector<std::string> current_losses() const;
  // Reads the next tick into next_, and its time.
  bool read_next();
  void show_next();
  void end_round();

  std::unique_ptr<files::echo_source> source_;
  serve_options options_;
  result<void> source_result_;
  std::vector<std::string> losses_of_round_;

  // A source stores the text of only one tick, the last one read; so it is copied with next_.
  struct tick {
    echo::state state;
    std::string session;
    std::string bones;
    std::chrono::nanoseconds due{0};  // in the source's time, since its beginning
  };
  std::unique_ptr<tick> shown_;
  std::unique_ptr<tick> next_;
  std::int64_t last_recorded_ms_ = 0;
  std::chrono::nanoseconds last_pause_{0};  // between the last two ticks that were read
  std::chrono::nanoseconds last_due_{0};    // of the last tick that was read
  std::chrono::nanoseconds end_{0};         // of this round, if there is no next tick
  bool has_next_ = false;
  bool begun_ = false;
  time_point begun_at_;
  scene scene_ = scene::menu;
  serve_status status_;
};

}  // namespace tickreel::echo_vr
