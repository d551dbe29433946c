#include "stop_signal.hpp"

#include <atomic>

#ifdef _WIN32
#include "windows_api.hpp"
#else
#include <unistd.h>

#include <csignal>
#include <string_view>
#endif

namespace tickreel::cli {

namespace {

std::atomic<int> stops = 0;
std::atomic<int> max_stops = 1;
static_assert(std::atomic<int>::is_always_lock_free, "set in a signal handler");

#ifdef _WIN32

// Runs in a thread of the system. When this returns, or some seconds later, the closing window, session or
// machine ends the program; so the program ends first.
BOOL WINAPI on_event(DWORD what) {
  const int before = stops.fetch_add(1, std::memory_order_relaxed);
  if (what == CTRL_C_EVENT || what == CTRL_BREAK_EVENT) {
    return before < max_stops.load(std::memory_order_relaxed) ? TRUE : FALSE;
  }
  ::Sleep(INFINITE);
  return TRUE;
}

#else

std::atomic<int> last_signal = 0;

// Only functions that a signal handler may call.
extern "C" void on_end(int number) {
  constexpr std::string_view line = "tickreel: interrupted\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
  std::signal(number, SIG_DFL);
  (void)std::raise(number);
}

extern "C" void on_stop(int number) {
  last_signal.store(number, std::memory_order_relaxed);
  const int before = stops.fetch_add(1, std::memory_order_relaxed);
  // Some systems reset a handler after its call.
  std::signal(number, before + 1 < max_stops.load(std::memory_order_relaxed) ? on_stop : SIG_DFL);
}

#endif

}  // namespace

void ignore_write_signals() noexcept {
#ifdef SIGPIPE
  std::signal(SIGPIPE, SIG_IGN);
#endif
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);
#endif
}

#ifdef _WIN32

void catch_stop_signals(int max_signals) noexcept {
  max_stops.store(max_signals, std::memory_order_relaxed);
  // A handler that is added twice is called twice.
  ::SetConsoleCtrlHandler(on_event, FALSE);
  ::SetConsoleCtrlHandler(on_event, TRUE);
}

void let_stop_signals_end() noexcept {
  ::SetConsoleCtrlHandler(on_event, FALSE);
}

#else

void catch_stop_signals(int max_signals) noexcept {
  max_stops.store(max_signals, std::memory_order_relaxed);
  std::signal(SIGINT, on_stop);
  std::signal(SIGTERM, on_stop);
#ifdef SIGHUP
  if (std::signal(SIGHUP, on_stop) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
#endif
}

void let_stop_signals_end() noexcept {
  std::signal(SIGINT, on_end);
  std::signal(SIGTERM, on_end);
#ifdef SIGHUP
  if (std::signal(SIGHUP, on_end) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
#endif
  // Work that a signal may end does not ask stop_requested().
  if (stop_requested()) (void)std::raise(last_signal.load(std::memory_order_relaxed));
}

#endif

bool stop_requested() noexcept {
  return stop_requests() > 0;
}

int stop_requests() noexcept {
  return stops.load(std::memory_order_relaxed);
}

}  // namespace tickreel::cli
