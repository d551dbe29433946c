#include "allocation_counter.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

#ifdef _WIN32
#include <malloc.h>
#endif

namespace {

std::atomic<std::uint64_t> count{0};
thread_local std::uint64_t count_of_this_thread = 0;
std::atomic<std::size_t> bytes{0};
std::atomic<std::size_t> largest{0};

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
}

allocation_totals allocations() noexcept {
  return {bytes.load(std::memory_order_relaxed), largest.load(std::memory_order_relaxed)};
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

void* counted(std::size_t size) noexcept {
  note(size);
  return std::malloc(size == 0 ? 1 : size);
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
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
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
  if (void* const memory = std::aligned_alloc(step, whole_steps == 0 ? step : whole_steps)) return memory;
#endif
  throw std::bad_alloc();
}

// Windows allocates aligned memory from another heap.
void free_aligned(void* memory) noexcept {
#ifdef _WIN32
  ::_aligned_free(memory);
#else
  std::free(memory);
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
