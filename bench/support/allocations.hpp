// Counts allocations, wherever they come from: where the C library can be told (glibc) malloc and its
// relatives, elsewhere operator new.
#pragma once

#include <cstdint>

namespace tickreel::bench {

// Since the start of the calling thread, and of all threads together.
[[nodiscard]] std::uint64_t allocations_of_this_thread() noexcept;
[[nodiscard]] std::uint64_t allocations_of_all_threads() noexcept;

// How much of the heap all threads together hold at most, over what they held when this was made; only where
// the C library can be told, else 0. One at a time.
class heap_watch {
 public:
  heap_watch() noexcept;
  heap_watch(const heap_watch&) = delete;
  heap_watch& operator=(const heap_watch&) = delete;
  ~heap_watch();
  [[nodiscard]] std::uint64_t peak_bytes() const noexcept;
};

}  // namespace tickreel::bench
