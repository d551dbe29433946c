// Progress and cancellation of long work.
#pragma once

#include <cstdint>
#include <functional>

namespace tickreel::files {

// Lets the caller of long work show it and stop it. Both may be empty.
struct monitor {
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};  // in bytes
  std::function<bool()> cancelled = {};  // true: give up, error interrupted

  void report(std::uint64_t done, std::uint64_t total) const {
    if (progress) progress(done, total);
  }
  [[nodiscard]] bool stop() const { return cancelled && cancelled(); }
};

}  // namespace tickreel::files
