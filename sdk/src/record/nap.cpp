#include "nap.hpp"

#ifdef _WIN32
#include "../io/windows_system.hpp"
#endif

namespace tickreel::detail {

#ifdef _WIN32

nap::nap() noexcept {
  constexpr DWORD high_resolution = 0x2;  // CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, newer than some headers
  timer_ = ::CreateWaitableTimerExW(nullptr, nullptr, high_resolution, TIMER_MODIFY_STATE | SYNCHRONIZE);
  if (timer_ == nullptr) return;
  over_ = ::CreateEventW(nullptr, TRUE, FALSE, nullptr);
  if (over_ != nullptr) return;
  ::CloseHandle(timer_);
  timer_ = nullptr;
}

nap::~nap() {
  if (timer_ != nullptr) ::CloseHandle(timer_);
  if (over_ != nullptr) ::CloseHandle(over_);
}

#else

nap::nap() noexcept = default;
nap::~nap() = default;

#endif

bool nap::rest(std::chrono::microseconds at_most) noexcept {
#ifdef _WIN32
  if (timer_ != nullptr) {
    LARGE_INTEGER when;
    when.QuadPart = -10 * static_cast<LONGLONG>(at_most.count());  // from now, in tenths of a microsecond
    if (::SetWaitableTimer(timer_, &when, 0, nullptr, nullptr, FALSE)) {
      const HANDLE either[] = {over_, timer_};
      (void)::WaitForMultipleObjects(2, either, FALSE, INFINITE);
      return !is_ended();
    }
  }
#endif
  std::unique_lock guard(lock_);
  return !wake_.wait_for(guard, at_most, [this] { return ended_; });
}

bool nap::is_ended() noexcept {
  const std::lock_guard guard(lock_);
  return ended_;
}

void nap::end() noexcept {
  {
    const std::lock_guard guard(lock_);
    ended_ = true;
  }
  wake_.notify_one();
#ifdef _WIN32
  if (over_ != nullptr) ::SetEvent(over_);
#endif
}

}  // namespace tickreel::detail
