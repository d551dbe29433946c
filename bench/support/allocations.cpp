#include "allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace tickreel::bench {
namespace {

thread_local std::uint64_t this_thread = 0;
std::atomic<std::uint64_t> all_threads{0};

void count_allocation() noexcept {
  ++this_thread;
  all_threads.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

std::uint64_t allocations_of_this_thread() noexcept {
  return this_thread;
}
std::uint64_t allocations_of_all_threads() noexcept {
  return all_threads.load(std::memory_order_relaxed);
}

}  // namespace tickreel::bench

#ifdef __GLIBC__

// glibc lets a program replace these and keeps its own under other names; operator new comes here too.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  tickreel::bench::count_allocation();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  tickreel::bench::count_allocation();
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  tickreel::bench::count_allocation();
  return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  tickreel::bench::count_allocation();
  return __libc_memalign(alignment, size);
}
}

#else

void* operator new(std::size_t size) {
  tickreel::bench::count_allocation();
  if (void* const memory = std::malloc(size != 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

#endif
