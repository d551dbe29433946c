// The thread that network work happens on.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace tickreel::echo_vr {

// One thread calls run(); everything made with the loop lives on that thread: its functions are called there
// and its callbacks come from there. Callbacks must not throw.
class event_loop {
 public:
  event_loop();
  event_loop(const event_loop&) = delete;
  event_loop& operator=(const event_loop&) = delete;
  ~event_loop();

  // Returns after stop(), or when nothing is left to wait for.
  void run();
  // From any thread.
  void stop() noexcept;
  // From any thread: `call` happens on the loop's thread.
  void post(std::function<void()> call);

  struct internals;
  [[nodiscard]] internals& inside() noexcept { return *internals_; }

 private:
  std::unique_ptr<internals> internals_;
};

// Calls once at a time. Setting it again replaces what was set; destroying it cancels.
class loop_timer {
 public:
  explicit loop_timer(event_loop& loop);
  loop_timer(const loop_timer&) = delete;
  loop_timer& operator=(const loop_timer&) = delete;
  ~loop_timer();

  void at(std::chrono::steady_clock::time_point when, std::function<void()> call);
  void cancel() noexcept;

 private:
  struct internals;
  std::shared_ptr<internals> internals_;
};

}  // namespace tickreel::echo_vr
