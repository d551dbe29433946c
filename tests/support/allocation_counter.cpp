#include "allocation_counter.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

#if defined(_WIN32) || defined(__GLIBC__)
#include <malloc.h>
#endif

namespace {

std::atomic<std::uint64_t> count{0};
thread_local std::uint64_t count_of_this_thread = 0;
std::atomic<std::size_t> bytes{0};
std::atomic<std::size_t> largest{0};
std::atomic<std::int64_t> in_use{0};
std::atomic<std::int64_t> peak{0};

}  // namespace

namespace tickreel::test {

std::uint64_t allocation_count() noexcept {
  return count.load(std::memory_order_relaxed);
}

std::uint64_t allocation_count_of_this_thread() noexcept {
  return count_of_this_thread;
}

void reset_allocations() noexcept {
  bytes.store(0, std::memory_order_relaxed);
  largest.store(0, std::memory_order_relaxed);
  peak.store(in_use.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

allocation_totals allocations() noexcept {
  return {bytes.load(std::memory_order_relaxed), largest.load(std::memory_order_relaxed)};
}

std::int64_t bytes_in_use() noexcept {
  return in_use.load(std::memory_order_relaxed);
}

std::int64_t max_bytes_in_use() noexcept {
  return peak.load(std::memory_order_relaxed);
}

}  // namespace tickreel::test

#if TICKREEL_TEST_COUNTS_ALLOCATIONS

namespace {

void note(std::size_t size) noexcept {
  count.fetch_add(1, std::memory_order_relaxed);
  ++count_of_this_thread;
  bytes.fetch_add(size, std::memory_order_relaxed);
  std::size_t most = largest.load(std::memory_order_relaxed);
  while (size > most && !largest.compare_exchange_weak(most, size, std::memory_order_relaxed)) {}
}

// Adds or subtracts the memory of an allocation. Returns `memory`.
void* note_in_use([[maybe_unused]] void* memory, [[maybe_unused]] std::int64_t sign) noexcept {
#ifdef __GLIBC__
  if (memory == nullptr) return memory;
  const std::int64_t size = sign * static_cast<std::int64_t>(malloc_usable_size(memory));
  const std::int64_t now = in_use.fetch_add(size, std::memory_order_relaxed) + size;
  std::int64_t most = peak.load(std::memory_order_relaxed);
  while (now > most && !peak.compare_exchange_weak(most, now, std::memory_order_relaxed)) {}
#endif
  return memory;
}

void* counted(std::size_t size) noexcept {
  note(size);
  return note_in_use(std::malloc(size == 0 ? 1 : size), 1);
}

void counted_free(void* memory) noexcept {
  std::free(note_in_use(memory, -1));
}

void* counted_or_throw(std::size_t size) {
  if (void* const memory = counted(size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// Every form of operator new and delete is replaced: std::free must not receive memory from another library's form.
void* operator new(std::size_t size) {
  return counted_or_throw(size);
}
void* operator new[](std::size_t size) {
  return counted_or_throw(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return counted(size);
}
void operator delete(void* memory) noexcept {
  counted_free(memory);
}
void operator delete[](void* memory) noexcept {
  counted_free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  counted_free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  counted_free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  counted_free(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  counted_free(memory);
}

#ifndef _MSC_VER  // memory that std::free must not receive

namespace {

void* counted_aligned(std::size_t size, std::align_val_t alignment) {
  note(size);
  const auto step = static_cast<std::size_t>(alignment);
  const std::size_t whole_steps = (size + step - 1) / step * step;
#ifdef _WIN32
  if (void* const memory = ::_aligned_malloc(whole_steps == 0 ? step : whole_steps, step)) return memory;
#else
  if (void* const memory = std::aligned_alloc(step, whole_steps == 0 ? step : whole_steps)) {
    return note_in_use(memory, 1);
  }
#endif
  throw std::bad_alloc();
}

// Windows allocates aligned memory from another heap.
void free_aligned(void* memory) noexcept {
#ifdef _WIN32
  ::_aligned_free(memory);
#else
  counted_free(memory);
#endif
}

}  // namespace

void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted_aligned(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return counted_aligned(size, alignment);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  free_aligned(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  free_aligned(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  free_aligned(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  free_aligned(memory);
}

#endif
#endif
