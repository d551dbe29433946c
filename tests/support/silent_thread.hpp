// Proves that code neither calls the operating system nor takes a lock: in a child process, a filter traps
// every system call of the calling thread, and the C library's locks are counted by functions of the same
// name. Other threads, such as a recorder's writer, go on as they like.
//
// Linux on x86-64 and AArch64, without sanitizers, whose own calls would be found; elsewhere nothing runs and
// nothing is watched. A program links tickreel_silent_thread once.
#pragma once

#include <cstdint>
#include <functional>

#include "allocation_counter.hpp"

#if defined(__linux__) && defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__)) && \
    TICKREEL_TEST_COUNTS_ALLOCATIONS
#define TICKREEL_TEST_WATCHES_CALLS 1
#else
#define TICKREEL_TEST_WATCHES_CALLS 0
#endif

namespace tickreel::test {

struct silence_report {
  bool watched = false;           // false: the system allows no such filter
  bool finished = false;          // the work ran to its end
  std::int64_t system_call = -1;  // the number of the first one, if there was any; it ended the work
  std::uint64_t locks = 0;
  std::uint64_t allocations = 0;  // of the watched thread, like locks
  std::uint64_t counted = 0;      // what the work returned
};

// Both run in the child, which needs no other thread before. `prepare` may do anything, start threads too;
// `work` is watched.
[[nodiscard]] silence_report run_in_silence(const std::function<void()>& prepare,
                                            const std::function<std::uint64_t()>& work);

}  // namespace tickreel::test
