// The thread of a recorder that writes, and the lock for what other threads pass to it. A build without threads has neither:
// its recorders are pumped.
#pragma once

#include <chrono>

#include "tickreel/result.hpp"

#ifndef TICKREEL_WITHOUT_THREADS
#include <mutex>
#include <thread>

#include "nap.hpp"
#include "thread_start.hpp"
#endif

namespace tickreel::detail {

#ifdef TICKREEL_WITHOUT_THREADS

struct no_mutex {
  void lock() noexcept {}
  void unlock() noexcept {}
};
using note_mutex = no_mutex;

class writer_thread {
 public:
  result<void> start(void (*)(void*) noexcept, void*) noexcept {
    return fail(error_code::unsupported_operation, error::no_offset,
                "this build has no threads: threading::pumped records without one");
  }
  void stop() noexcept {}
  [[nodiscard]] bool rest(std::chrono::microseconds) noexcept { return false; }
  [[nodiscard]] bool is_ended() noexcept { return true; }
};

inline void rest_for(std::chrono::microseconds) noexcept {}

#else

using note_mutex = std::mutex;

// start() once; stop() any number of times.
class writer_thread {
 public:
  result<void> start(void (*run)(void*) noexcept, void* argument) noexcept {
    return start_thread(thread_, run, argument);
  }
  // Waits until run() has returned.
  void stop() noexcept {
    if (!thread_.joinable()) return;
    naps_.end();
    thread_.join();
  }

  // For run(): sleeps. False as soon as stop() is called.
  [[nodiscard]] bool rest(std::chrono::microseconds at_most) noexcept { return naps_.rest(at_most); }
  [[nodiscard]] bool is_ended() noexcept { return naps_.is_ended(); }

 private:
  nap naps_;
  std::thread thread_;
};

// The calling thread sleeps; 0 only yields.
inline void rest_for(std::chrono::microseconds time) noexcept {
  if (time.count() == 0) {
    std::this_thread::yield();
  } else {
    std::this_thread::sleep_for(time);
  }
}

#endif

}  // namespace tickreel::detail
