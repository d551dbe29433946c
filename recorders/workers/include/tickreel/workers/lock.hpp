// A lock for data that worker threads share. Without threads it does nothing.
#pragma once

#ifndef TICKREEL_WITHOUT_THREADS
#include <mutex>
#endif

namespace tickreel::workers {

#ifndef TICKREEL_WITHOUT_THREADS
using lock = std::mutex;
using guard = std::lock_guard<std::mutex>;
#else
struct lock {};
struct [[maybe_unused]] guard {
  explicit guard(lock&) noexcept {}
};
#endif

}  // namespace tickreel::workers
