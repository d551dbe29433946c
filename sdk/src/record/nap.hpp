// How a writer thread rests between two looks into its ring.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace tickreel::detail {

// One thread rests; any thread ends that, once and for ever.
class nap {
 public:
  nap() noexcept;
  ~nap();
  nap(const nap&) = delete;
  nap& operator=(const nap&) = delete;

  // Returns false, at once, when it was ended.
  [[nodiscard]] bool rest(std::chrono::microseconds at_most) noexcept;
  [[nodiscard]] bool is_ended() noexcept;
  void end() noexcept;

 private:
  std::mutex lock_;
  std::condition_variable wake_;
  bool ended_ = false;
#ifdef _WIN32
  // Windows' usual clock ticks 64 times a second, and asking for a faster one is the whole process's
  // business, which is a game's. This timer is exact by itself. Null before Windows 10 1803: then the usual
  // clock.
  void* timer_ = nullptr;
  void* over_ = nullptr;  // an event
#endif
};

}  // namespace tickreel::detail
