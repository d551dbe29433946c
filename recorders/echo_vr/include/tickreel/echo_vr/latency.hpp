// Latency of responses, in constant memory.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tickreel::echo_vr {

// Counts durations in buckets, eight per power of two: a quantile is at most 12.5 % too high and never too
// low. Does not allocate; one thread at a time.
class latency_histogram {
 public:
  void add(std::uint64_t microseconds) noexcept {
    ++counts_[bucket_of(microseconds)];
    ++count_;
  }

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

  // The duration in microseconds that a share (0 to 1) of all responses did not exceed; 0 if there are none.
  [[nodiscard]] std::uint64_t quantile(double share) const noexcept;

 private:
  static constexpr std::size_t bucket_count = 8 * 40;

  static constexpr std::size_t bucket_of(std::uint64_t value) noexcept {
    if (value < 8) return static_cast<std::size_t>(value);
    const auto octave = static_cast<std::size_t>(std::bit_width(value)) - 4;
    const std::size_t bucket = 8 * octave + static_cast<std::size_t>(value >> octave);
    return bucket < bucket_count ? bucket : bucket_count - 1;
  }
  static constexpr std::uint64_t last_of(std::size_t bucket) noexcept {
    if (bucket < 16) return bucket;
    const std::size_t octave = bucket / 8 - 1;
    return ((std::uint64_t{bucket % 8} + 8 + 1) << octave) - 1;
  }

  std::array<std::uint64_t, bucket_count> counts_{};
  std::uint64_t count_ = 0;
};

}  // namespace tickreel::echo_vr
