// Proves that code neither calls the operating system nor takes a lock. In a child process, a filter traps every system call of
// the calling thread, and functions of the same name count the locks of the C library. Other threads, such as a recorder's writer
// thread, are not restricted.
//
// Linux on x86-64 and AArch64, without sanitizers, because the filter would find their calls; elsewhere `work` does not run. A
// program links tickreel_silent_thread once.
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
  bool watched = false;           // false: the system does not allow such a filter
  bool finished = false;          // `work` returned
  std::int64_t system_call = -1;  // the number of the first system call, if any; it ended `work`
  std::uint64_t locks = 0;
  std::uint64_t allocations = 0;  // of the watched thread, as for locks
  std::uint64_t counted = 0;      // the return value of `work`
};

// Both run in the child, which must have no other thread before. `prepare` is unrestricted and may start threads; `work` is
// watched.
[[nodiscard]] silence_report run_in_silence(const std::function<void()>& prepare,
                                            const std::function<std::uint64_t()>& work);

}  // namespace tickreel::test
