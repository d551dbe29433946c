#include "stop_signal.hpp"

#include <atomic>
#include <csignal>

namespace tickreel::cli {

namespace {

std::atomic<bool> stop = false;
static_assert(std::atomic<bool>::is_always_lock_free, "set in a signal handler");

extern "C" void on_stop(int number) {
  stop.store(true, std::memory_order_relaxed);
  std::signal(number, SIG_DFL);
}

}  // namespace

void catch_stop_signals() noexcept {
  std::signal(SIGINT, on_stop);
  std::signal(SIGTERM, on_stop);
#ifdef SIGPIPE
  std::signal(SIGPIPE, SIG_IGN);
#endif
}

void let_stop_signals_end() noexcept {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool stop_requested() noexcept {
  return stop.load(std::memory_order_relaxed);
}

}  // namespace tickreel::cli
