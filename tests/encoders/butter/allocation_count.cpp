#include "allocation_count.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> count = 0;

}  // namespace

namespace tickreel::test {

std::size_t allocation_count() noexcept {
  return count.load();
}

}  // namespace tickreel::test

#if TICKREEL_TEST_COUNTS_ALLOCATIONS

void* operator new(std::size_t size) {
  ++count;
  if (void* room = std::malloc(size == 0 ? 1 : size)) return room;
  throw std::bad_alloc();
}
void operator delete(void* room) noexcept {
  std::free(room);
}
void operator delete(void* room, std::size_t) noexcept {
  std::free(room);
}

#endif
