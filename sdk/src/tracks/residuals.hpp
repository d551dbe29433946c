// Prediction errors as bits. Written once for both directions: Coder is range_encoder or range_decoder, and a
// value that is passed in by reference is read by the first and filled in by the second.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "range_coder.hpp"

namespace tickreel::tracks {

// Columns whose errors are alike learn together.
enum class residual_class : std::uint8_t { state, motion, relation };
inline constexpr std::size_t residual_classes = 3;

// Any number, small ones in few bits: its length in binary, then the number.
struct number_model {
  std::array<bit_model, 128> length;

  template <class Coder>
  void code(Coder& coder, std::uint64_t& value) noexcept {
    auto bits = static_cast<unsigned>(std::bit_width(value));
    unsigned node = 1;
    for (int i = 6; i >= 0; --i) node = 2 * node + (coder.bit(length[node], (bits >> i & 1) != 0) ? 1u : 0u);
    bits = node & 127;
    if (bits > 64) bits = 64;
    if (bits <= 1) {
      value = bits;
      return;
    }
    std::uint64_t got = 1;
    for (unsigned left = bits - 1; left > 0;) {
      const unsigned count = left < 16 ? left : 16;
      left -= count;
      const auto piece = static_cast<std::uint32_t>(value >> left & ((1u << count) - 1));
      got = (got << count) | coder.even_bits(piece, count);
    }
    value = got;
  }
};

// A value of that many bits as it is.
template <class Coder>
void code_even(Coder& coder, std::uint64_t& value, unsigned bits) noexcept {
  std::uint64_t got = 0;
  for (unsigned left = bits; left > 0;) {
    const unsigned count = left < 16 ? left : 16;
    left -= count;
    got = (got << count) | coder.even_bits(static_cast<std::uint32_t>(value >> left & ((1u << count) - 1)), count);
  }
  value = got;
}

// The running mean of errors in 1/1024, over about eight of them. Never below 7.
inline constexpr std::uint64_t mean_one = 1024;

struct residual_models {
  // Of means: two an octave up to 4, then two.
  static constexpr unsigned means = 24;
  static constexpr unsigned steps = 12;
  struct set {
    bit_model zero;
    std::array<bit_model, steps> more;
    std::array<bit_model, 2> top;
  };
  std::array<std::array<std::array<set, 3>, means>, residual_classes> sets;
  std::array<std::array<bit_model, 3>, residual_classes> sign;
  std::array<number_model, residual_classes> first;
  std::array<bit_model, residual_classes> first_sign;
  number_model far;
  // Where a column of the class begins: what the one before it ended with.
  std::array<std::uint64_t, residual_classes> mean_carried{64, 4 * mean_one, mean_one};
};

namespace detail {
inline constexpr unsigned far_steps = 20;

inline std::uint64_t magnitude_of(std::int64_t value) noexcept {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}
inline std::int64_t with_sign(std::uint64_t magnitude, bool negative) noexcept {
  return static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
}
}  // namespace detail

template <class Coder>
void code_residuals(Coder& coder, residual_models& models, residual_class of, std::int64_t* residuals,
                    std::size_t count) noexcept {
  const auto which = static_cast<std::size_t>(of);
  {
    std::uint64_t magnitude = detail::magnitude_of(residuals[0]);
    models.first[which].code(coder, magnitude);
    bool negative = residuals[0] < 0;
    if (magnitude != 0) negative = coder.bit(models.first_sign[which], negative);
    residuals[0] = detail::with_sign(magnitude, negative);
  }
  std::uint64_t mean = models.mean_carried[which];
  std::uint64_t last = mean / mean_one;
  unsigned last_sign = 0;
  for (std::size_t i = 1; i < count; ++i) {
    const auto octave = static_cast<unsigned>(std::bit_width(mean));
    const unsigned half = static_cast<unsigned>(mean >> (octave - 2)) & 1;
    const unsigned low_bits = octave > 12 ? octave - 12 : 0;
    const unsigned level = octave > 12 ? 22 + half : 2 * (octave - 3) + half;
    const std::uint64_t scaled = last * mean_one;
    const unsigned trend = scaled > mean + mean / 2 ? 2 : scaled > mean / 2 ? 1 : 0;
    auto& set = models.sets[which][level < residual_models::means ? level : residual_models::means - 1][trend];

    std::uint64_t magnitude = detail::magnitude_of(residuals[i]);
    bool negative = residuals[i] < 0;
    const std::uint64_t least = low_bits == 0 ? 1 : 0;
    if (least == 1 && coder.bit(set.zero, magnitude == 0)) {
      magnitude = 0;
    } else {
      const std::uint64_t quotient = (magnitude - least) >> low_bits;
      unsigned q = 0;
      while (q < detail::far_steps && coder.bit(set.more[q < residual_models::steps ? q : residual_models::steps - 1], quotient > q)) ++q;
      std::uint64_t whole = q;
      if (q == detail::far_steps) {
        std::uint64_t beyond = quotient - q;
        models.far.code(coder, beyond);
        whole = beyond + q;
      }
      std::uint64_t rest = 0;
      if (low_bits > 0) {
        const unsigned below = low_bits - 1;
        const std::uint64_t top = coder.bit(set.top[q == 0 ? 0 : 1], (magnitude >> below & 1) != 0) ? 1 : 0;
        std::uint64_t bits = magnitude & ((std::uint64_t{1} << below) - 1);
        code_even(coder, bits, below);
        rest = (top << below) | bits;
      }
      magnitude = (whole << low_bits) + rest + least;
      if (magnitude != 0) negative = coder.bit(models.sign[which][last_sign], negative);
    }
    residuals[i] = detail::with_sign(magnitude, negative);
    last_sign = magnitude == 0 ? 0 : negative ? 1 : 2;
    constexpr std::uint64_t most = std::uint64_t{1} << 40;
    last = magnitude < most ? magnitude : most;
    const unsigned shift = i < 3 ? 2 : 3;
    mean = mean - (mean >> shift) + (last << (10 - shift));
    if (mean < 7) mean = 7;
  }
  models.mean_carried[which] = mean;
}

}  // namespace tickreel::tracks
