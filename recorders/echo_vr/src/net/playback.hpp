// Which tick of a source is shown at a moment.
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
  // Time begins. Does nothing the second time.
  void begin(time_point now) noexcept;
  // Goes on to the tick that `now` shows.
  void advance(time_point now);

  enum class scene : std::uint8_t { menu, lobby, match };
  [[nodiscard]] scene showing() const noexcept { return scene_; }
  // The two answers for the tick that is shown; written once per tick, valid until advance().
  std::string_view session_answer();
  std::string_view bones_answer();

  [[nodiscard]] const serve_status& status() const noexcept { return status_; }
  [[nodiscard]] const result<void>& source_result() const noexcept { return source_result_; }
  // Of the first whole round, or as far as it came.
  [[nodiscard]] std::vector<std::string> losses() const;

 private:
  [[nodiscard]] std::vector<std::string> losses_so_far() const;
  // The next tick into next_ and when it is due.
  bool read_next();
  void show_next();
  void end_round();

  std::unique_ptr<files::echo_source> source_;
  serve_options options_;
  result<void> source_result_;
  std::vector<std::string> losses_of_round_;

  // A source keeps the text of one tick only, the one it gave last; so that is taken along with next_.
  struct tick {
    echo::state state;
    std::string session;
    std::string bones;
    std::chrono::nanoseconds due{0};  // of the source's time, since its beginning
  };
  std::unique_ptr<tick> shown_;
  std::unique_ptr<tick> next_;
  std::int64_t last_recorded_ms_ = 0;
  std::chrono::nanoseconds last_pause_{0};  // between the last two ticks that were read
  std::chrono::nanoseconds last_due_{0};    // of the last tick that was read
  std::chrono::nanoseconds end_{0};         // of this round, when there is no next tick
  bool has_next_ = false;
  bool begun_ = false;
  time_point begun_at_;
  scene scene_ = scene::menu;
  serve_status status_;
};

}  // namespace tickreel::echo_vr
