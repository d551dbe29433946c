// Counts what the whole program allocates. Not under AddressSanitizer, which brings its own operator new.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define TICKREEL_TEST_COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TICKREEL_TEST_COUNTS_ALLOCATIONS 0
#endif
#endif
#ifndef TICKREEL_TEST_COUNTS_ALLOCATIONS
#define TICKREEL_TEST_COUNTS_ALLOCATIONS 1
#endif

namespace tickreel::test {

[[nodiscard]] std::size_t allocation_count() noexcept;

}  // namespace tickreel::test
