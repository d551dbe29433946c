#include "save_request.hpp"

#include <atomic>
#include <csignal>

#ifndef _WIN32
#include <poll.h>
#include <unistd.h>
#endif

namespace tickreel::cli {

namespace {

std::atomic<bool> save_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free, "set in a signal handler");

#ifdef SIGUSR1
extern "C" void on_save(int number) {
  save_requested.store(true, std::memory_order_relaxed);
  std::signal(number, on_save);  // some systems reset a handler after its call
}
#endif

#ifndef _WIN32
// Lines, not single keys: the terminal mode stays unchanged however the program ends.
bool was_typed() noexcept {
  static bool ended = !can_be_typed();
  static bool is_first = true;  // the current line
  static bool is_wish = false;
  // The system stops a background process that reads from the terminal.
  if (ended || ::tcgetpgrp(STDIN_FILENO) != ::getpgrp()) return false;
  bool typed = false;
  for (;;) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (::poll(&input, 1, 0) <= 0) return typed;
    char text[256];
    const ssize_t size = ::read(STDIN_FILENO, text, sizeof text);
    if (size <= 0) {
      ended = true;
      return typed;
    }
    for (ssize_t i = 0; i < size; ++i) {
      if (text[i] == '\n') {
        typed = typed || is_wish;
        is_first = true;
        is_wish = false;
      } else {
        is_wish = is_first && (text[i] == 'c' || text[i] == 'C');
        is_first = false;
      }
    }
  }
}
#endif

}  // namespace

void catch_save_requests() noexcept {
#ifdef SIGUSR1
  std::signal(SIGUSR1, on_save);
#endif
}

bool can_be_typed() noexcept {
#ifdef _WIN32
  return false;
#else
  return ::isatty(STDIN_FILENO) == 1;
#endif
}

bool take_save_request() noexcept {
  bool wanted = save_requested.exchange(false, std::memory_order_relaxed);
#ifndef _WIN32
  wanted = was_typed() || wanted;
#endif
  return wanted;
}

}  // namespace tickreel::cli
