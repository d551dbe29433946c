// Finds the chunk in which the game clock falls to a value, by the clocks of the chunks' first frames.
#pragma once

#include <cstddef>
#include <optional>

namespace tickreel::files {

class clock_search {
 public:
  explicit clock_search(double seconds) noexcept : seconds_(seconds) {}

  // Call it for each chunk in order. True: the chunk before this one is found.
  bool pass(std::size_t chunk, double clock) noexcept {
    const bool falls_or_resets = clock <= seconds_ || clock > last_clock_;
    if (last_ && last_clock_ > seconds_ && falls_or_resets) return true;
    last_ = chunk;
    last_clock_ = clock;
    return false;
  }
  // The last chunk that begins above the value and in which the clock falls to it, is reset, or the recording ends.
  [[nodiscard]] std::optional<std::size_t> found() const noexcept {
    return last_clock_ > seconds_ ? last_ : std::nullopt;
  }

 private:
  double seconds_;
  std::optional<std::size_t> last_;
  double last_clock_ = 0;
};

}  // namespace tickreel::files
