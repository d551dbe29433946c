// The lower bound for handing a state to another thread: a copy into the next slot of a ring that the other thread has read
// since, and one store that makes it visible.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>

#include "../support/process.hpp"
#include "counted.hpp"

namespace tickreel::bench {

// The other thread reads every byte, a millisecond late like a writer that is never woken, so that slots are in its cache and not
// in the game's.
template <class State>
class ring_copy {
 public:
  explicit ring_copy(std::size_t bytes) : bytes_(bytes), reader_([this] { read(); }) {}
  ~ring_copy() {
    stop_.store(true, std::memory_order_release);
    reader_.join();
  }
  ring_copy(const ring_copy&) = delete;
  ring_copy& operator=(const ring_copy&) = delete;

  [[nodiscard]] bool has_room() const noexcept {
    return written_.load(std::memory_order_relaxed) - read_.load(std::memory_order_acquire) < ring_ticks;
  }
  // The measured call. The ring must have space.
  void copy(const State& from) noexcept {
    const std::uint64_t at = written_.load(std::memory_order_relaxed);
    std::memcpy(static_cast<void*>(&places_[at % ring_ticks]), &from, bytes_);
    written_.store(at + 1, std::memory_order_release);
  }
  // Waits until everything was read.
  void drain() const { bench::drain(read_, written_.load(std::memory_order_relaxed)); }
  // The processor time of the other thread, as a share of a core.
  [[nodiscard]] double reader_cpu_ns() const noexcept { return cpu_ns_.load(std::memory_order_relaxed); }

 private:
  void read() {
    std::uint64_t sum = 0;
    while (!stop_.load(std::memory_order_acquire)) {
      std::uint64_t at = read_.load(std::memory_order_relaxed);
      for (; at != written_.load(std::memory_order_acquire); ++at) {
        const auto* const from = reinterpret_cast<const unsigned char*>(&places_[at % ring_ticks]);
        for (std::size_t i = 0; i < bytes_; i += 8) sum += from[i];
        read_.store(at + 1, std::memory_order_release);
      }
      cpu_ns_.store(thread_cpu_ns(), std::memory_order_relaxed);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    sum_ = sum;  // prevents its removal by the optimiser
  }

  std::size_t bytes_;
  std::unique_ptr<State[]> places_ = std::make_unique<State[]>(ring_ticks);
  alignas(64) std::atomic<std::uint64_t> written_{0};
  alignas(64) std::atomic<std::uint64_t> read_{0};
  std::atomic<bool> stop_{false};
  std::atomic<double> cpu_ns_{0};
  volatile std::uint64_t sum_ = 0;
  std::thread reader_;  // last: it uses everything above
};

}  // namespace tickreel::bench
