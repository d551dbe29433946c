// Measurements of this process by the operating system and the C library; 0 if unavailable.
#pragma once

#include <cstddef>
#include <ctime>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace tickreel::bench {

// Processor time in nanoseconds, of all threads and of the calling one.
[[nodiscard]] inline double process_cpu_ns() noexcept {
#ifdef CLOCK_PROCESS_CPUTIME_ID
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
#else
  return 0;
#endif
}
[[nodiscard]] inline double thread_cpu_ns() noexcept {
#ifdef CLOCK_THREAD_CPUTIME_ID
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
#else
  return 0;
#endif
}

// Bytes allocated on the heap and not freed.
[[nodiscard]] inline std::size_t heap_bytes() noexcept {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 33))
  const struct mallinfo2 all = mallinfo2();
  return all.uordblks + all.hblkhd;
#else
  return 0;
#endif
}

}  // namespace tickreel::bench
