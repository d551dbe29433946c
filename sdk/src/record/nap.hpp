// How a writer thread sleeps between two polls of its ring.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace tickreel::detail {

// One thread sleeps; any thread ends the sleep permanently.
class nap {
 public:
  nap() noexcept;
  ~nap();
  nap(const nap&) = delete;
  nap& operator=(const nap&) = delete;

  // Returns false immediately if it was ended.
  [[nodiscard]] bool rest(std::chrono::microseconds at_most) noexcept;
  [[nodiscard]] bool is_ended() noexcept;
  void end() noexcept;

 private:
  std::mutex lock_;
  std::condition_variable wake_;
  bool ended_ = false;
#ifdef _WIN32
  // The usual timer of Windows ticks 64 times a second, and a faster one would affect the whole process,
  // which is a game. This timer is exact without such a setting. Null before Windows 10 1803: then the usual
  // timer.
  void* timer_ = nullptr;
  void* over_ = nullptr;  // an event
#endif
};

}  // namespace tickreel::detail
