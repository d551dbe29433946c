// Counts allocations of the whole program through operator new. Linking tickreel_allocation_counter replaces the operators.
// Sanitizers bring their own operators: then nothing is replaced or counted.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TICKREEL_TEST_COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TICKREEL_TEST_COUNTS_ALLOCATIONS 0
#endif
#endif
#ifndef TICKREEL_TEST_COUNTS_ALLOCATIONS
#define TICKREEL_TEST_COUNTS_ALLOCATIONS 1
#endif

namespace tickreel::test {

inline constexpr bool counts_allocations = TICKREEL_TEST_COUNTS_ALLOCATIONS != 0;

// Since the program started; deallocations are not subtracted. Callable from any thread.
[[nodiscard]] std::uint64_t allocation_count() noexcept;
// Of the calling thread only.
[[nodiscard]] std::uint64_t allocation_count_of_this_thread() noexcept;

// Since the last reset: the total of requested bytes, and the largest single request.
struct allocation_totals {
  std::size_t bytes = 0;
  std::size_t largest = 0;
};
void reset_allocations() noexcept;
[[nodiscard]] allocation_totals allocations() noexcept;

// Allocated and not yet freed: now, and the most since the last reset. 0 where the size of an allocation is unknown.
[[nodiscard]] std::int64_t bytes_in_use() noexcept;
[[nodiscard]] std::int64_t max_bytes_in_use() noexcept;

}  // namespace tickreel::test
