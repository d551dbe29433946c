// A mutex for data that worker threads share. Without threads it does nothing.
#pragma once

#ifndef TICKREEL_WITHOUT_THREADS
#include <mutex>
#endif

namespace tickreel::workers {

#ifndef TICKREEL_WITHOUT_THREADS
using mutex = std::mutex;
using mutex_guard = std::lock_guard<std::mutex>;
#else
struct mutex {};
struct [[maybe_unused]] mutex_guard {
  explicit mutex_guard(mutex&) noexcept {}
};
#endif

}  // namespace tickreel::workers
