// Counts all allocations: malloc and similar functions with glibc, elsewhere operator new.
#pragma once

#include <cstdint>

namespace tickreel::bench {

// Since the start of the calling thread, and of all threads together.
[[nodiscard]] std::uint64_t allocations_of_this_thread() noexcept;
[[nodiscard]] std::uint64_t allocations_of_all_threads() noexcept;

// The peak of the heap of all threads, relative to the construction of this object; 0 without glibc. One at a
// time.
class heap_watch {
 public:
  heap_watch() noexcept;
  heap_watch(const heap_watch&) = delete;
  heap_watch& operator=(const heap_watch&) = delete;
  ~heap_watch();
  [[nodiscard]] std::uint64_t peak_bytes() const noexcept;
};

}  // namespace tickreel::bench
