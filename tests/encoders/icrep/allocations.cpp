#include "allocations.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

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

static void* counted(std::size_t size) {
  totals.bytes += size;
  totals.largest = std::max(totals.largest, size);
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace tickreel::test

void* operator new(std::size_t size) {
  return tickreel::test::counted(size);
}
void* operator new[](std::size_t size) {
  return tickreel::test::counted(size);
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
