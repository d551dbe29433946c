// Counts allocations, wherever they come from: where the C library can be told (glibc) malloc and its
// relatives, elsewhere operator new.
#pragma once

#include <cstdint>

namespace tickreel::bench {

// Since the start of the calling thread, and of all threads together.
[[nodiscard]] std::uint64_t allocations_of_this_thread() noexcept;
[[nodiscard]] std::uint64_t allocations_of_all_threads() noexcept;

}  // namespace tickreel::bench
