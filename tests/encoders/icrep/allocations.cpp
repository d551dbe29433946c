#include "allocations.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

// AddressSanitizer brings its own operator new; nothing is counted then.
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

namespace {

allocation_totals totals;

}  // namespace

void reset_allocations() noexcept {
  totals = {};
}

allocation_totals allocations() noexcept {
  return totals;
}

}  // namespace tickreel::test

#if TICKREEL_TEST_COUNTS_ALLOCATIONS

static void* counted(std::size_t size) {
  tickreel::test::totals.bytes += size;
  tickreel::test::totals.largest = std::max(tickreel::test::totals.largest, size);
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* operator new(std::size_t size) {
  return counted(size);
}
void* operator new[](std::size_t size) {
  return counted(size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

#endif
