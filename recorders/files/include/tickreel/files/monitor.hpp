// Progress and cancellation of long operations.
#pragma once

#include <cstdint>
#include <functional>

namespace tickreel::files {

// Callbacks of a long operation: progress and cancellation. Both may be empty.
struct monitor {
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};  // in bytes
  std::function<bool()> cancelled = {};  // true: stop with the error interrupted

  void report(std::uint64_t done, std::uint64_t total) const {
    if (progress) progress(done, total);
  }
  [[nodiscard]] bool stop() const { return cancelled && cancelled(); }
};

}  // namespace tickreel::files
