#include "allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace tickreel::bench {
namespace {

thread_local std::uint64_t this_thread = 0;
std::atomic<std::uint64_t> all_threads{0};

void count_allocation() noexcept {
  ++this_thread;
  all_threads.fetch_add(1, std::memory_order_relaxed);
}

std::atomic<bool> watched{false};
std::atomic<std::int64_t> held_bytes{0};
std::atomic<std::int64_t> max_bytes{0};

#ifdef __GLIBC__
void hold(void* memory) noexcept {
  if (!watched.load(std::memory_order_relaxed) || memory == nullptr) return;
  const auto bytes = static_cast<std::int64_t>(malloc_usable_size(memory));
  const std::int64_t now = held_bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  std::int64_t most = max_bytes.load(std::memory_order_relaxed);
  while (now > most && !max_bytes.compare_exchange_weak(most, now, std::memory_order_relaxed)) {}
}
void give_back(void* memory) noexcept {
  if (!watched.load(std::memory_order_relaxed) || memory == nullptr) return;
  const auto bytes = static_cast<std::int64_t>(malloc_usable_size(memory));
  held_bytes.fetch_sub(bytes, std::memory_order_relaxed);
}
#endif

}  // namespace

heap_watch::heap_watch() noexcept {
  held_bytes = 0;
  max_bytes = 0;
  watched = true;
}
heap_watch::~heap_watch() {
  watched = false;
}
std::uint64_t heap_watch::peak_bytes() const noexcept {
  return static_cast<std::uint64_t>(max_bytes.load());
}

std::uint64_t allocations_of_this_thread() noexcept {
  return this_thread;
}
std::uint64_t allocations_of_all_threads() noexcept {
  return all_threads.load(std::memory_order_relaxed);
}

}  // namespace tickreel::bench

#ifdef __GLIBC__

// glibc lets a program replace these and keeps its own under other names; operator new calls them too.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* memory);

void* malloc(std::size_t size) {
  tickreel::bench::count_allocation();
  void* const memory = __libc_malloc(size);
  tickreel::bench::hold(memory);
  return memory;
}
void* calloc(std::size_t count, std::size_t size) {
  tickreel::bench::count_allocation();
  void* const memory = __libc_calloc(count, size);
  tickreel::bench::hold(memory);
  return memory;
}
void* realloc(void* old, std::size_t size) {
  tickreel::bench::count_allocation();
  tickreel::bench::give_back(old);
  void* const memory = __libc_realloc(old, size);
  tickreel::bench::hold(memory != nullptr || size == 0 ? memory : old);
  return memory;
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  tickreel::bench::count_allocation();
  void* const memory = __libc_memalign(alignment, size);
  tickreel::bench::hold(memory);
  return memory;
}
void free(void* memory) {
  tickreel::bench::give_back(memory);
  __libc_free(memory);
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
