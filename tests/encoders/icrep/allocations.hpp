// How much memory this program asks for.
#pragma once

#include <cstddef>

namespace tickreel::test {

// Bytes asked for since the last call of reset_allocations(), never minus what was given back; and the
// largest single request.
struct allocation_totals {
  std::size_t bytes = 0;
  std::size_t largest = 0;
};
void reset_allocations() noexcept;
allocation_totals allocations() noexcept;

}  // namespace tickreel::test
