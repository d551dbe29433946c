// Medians in constant memory.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "tickreel/samp_rec/check.hpp"

namespace tickreel::samp_rec::detail {

// The exact values of both kinds of histogram.
class spread_sum {
 public:
  void add(double value) noexcept {
    ++count_;
    sum_ += value;
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
  }

  // `value_of(bin)` is the middle of a bin; bins in order of value.
  template <class Bins, class ValueOf>
  [[nodiscard]] spread finish(const Bins& bins, ValueOf&& value_of) const noexcept {
    if (count_ == 0) return {};
    const auto at_rank = [&](std::uint64_t rank) {
      std::uint64_t passed = 0;
      for (std::size_t bin = 0; bin < bins.size(); ++bin) {
        passed += bins[bin];
        if (passed > rank) return std::clamp(value_of(bin), least_, most_);
      }
      return most_;
    };
    return {count_,
            least_,
            at_rank(count_ / 2),
            at_rank(count_ * 95 / 100),
            most_,
            sum_ / static_cast<double>(count_)};
  }

 private:
  std::uint64_t count_ = 0;
  double sum_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
  double most_ = -std::numeric_limits<double>::infinity();
};

// Bins of one width; values outside count in the first or last.
template <std::size_t Bins>
class linear_histogram {
 public:
  linear_histogram(double from, double width) noexcept
      : from_(from), width_(width), bins_per_unit_(1 / width) {}

  void add(double value) noexcept {
    sum_.add(value);
    const double bin = (value - from_) * bins_per_unit_ + 0.5;
    // By a signed number, which processors convert in one instruction.
    const auto number = static_cast<std::int32_t>(std::clamp(bin, 0.0, static_cast<double>(Bins - 1)));
    ++bins_[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] spread finish() const noexcept {
    return sum_.finish(bins_, [&](std::size_t bin) { return from_ + static_cast<double>(bin) * width_; });
  }

 private:
  double from_;
  double width_;
  double bins_per_unit_;
  spread_sum sum_;
  std::array<std::uint32_t, Bins> bins_{};
};

// Bins as wide as a fraction of their value, for values from 2^-20 to 2^10.
class log_histogram {
 public:
  void add(double value) noexcept {
    sum_.add(value);
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> shift;
    ++bins_[bits > first_bits ? std::min<std::size_t>(bits - first_bits, bins - 1) : 0];
  }
  [[nodiscard]] spread finish() const noexcept {
    return sum_.finish(bins_, [](std::size_t bin) {
      if (bin == 0) return 0.0;
      const auto bits = (static_cast<std::uint32_t>(bin) + first_bits) << shift;
      return static_cast<double>(std::bit_cast<float>(bits + (1u << (shift - 1))));
    });
  }

 private:
  static constexpr std::uint32_t shift = 23 - 6;  // six bits of the fraction: 1.6 %
  static constexpr std::uint32_t first_bits = (127u - 20) << 6;
  static constexpr std::size_t bins = 30u << 6;

  spread_sum sum_;
  std::array<std::uint32_t, bins> bins_{};
};

}  // namespace tickreel::samp_rec::detail
