// The thread of network I/O.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace tickreel::net {

// One thread calls run(). Objects of the loop belong to that thread: their functions are called there, and
// they call back there. Callbacks must not throw.
class event_loop {
 public:
  event_loop();
  event_loop(const event_loop&) = delete;
  event_loop& operator=(const event_loop&) = delete;
  ~event_loop();

  // Returns after stop(), or when no work is pending.
  void run();
  // Thread-safe.
  void stop() noexcept;
  // Thread-safe: `call` runs on the loop's thread.
  void post(std::function<void()> call);

  struct internals;
  [[nodiscard]] internals& inside() noexcept { return *internals_; }

 private:
  std::unique_ptr<internals> internals_;
};

// A one-shot timer. Setting it again replaces the previous call; its destructor cancels.
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

}  // namespace tickreel::net
