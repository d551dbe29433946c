// Codes prediction errors as symbols and bits. Shared by both directions: Coder is range_encoder or
// range_decoder. The first reads a value that is passed by reference, the second writes it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "range_coder.hpp"
#include "start_tables.hpp"
#include "tickreel/bytes/varint.hpp"

namespace tickreel::tracks {

// Columns with similar errors share models.
enum class residual_class : std::uint8_t { state, motion, relation };
inline constexpr std::size_t residual_classes = 3;

// A decoder is faster if the symbol is frequent and is `likely`.
template <class Coder>
TICKREEL_IN_LOOP unsigned code_symbol(Coder& coder, symbol_model& model, unsigned value,
                                      unsigned likely = 0) noexcept {
  value = coder.symbol(model.up_to, value, likely);
  model.learn(value);
  return value;
}
// The same for a symbol that is often the one before of that model.
template <class Coder>
TICKREEL_IN_LOOP unsigned code_repeated(Coder& coder, symbol_model& model, unsigned value) noexcept {
  value = code_symbol(coder, model, value, model.last);
  model.last = static_cast<std::uint16_t>(value);
  return value;
}

// -magnitude for 1, magnitude for 0.
[[nodiscard]] TICKREEL_IN_LOOP std::uint64_t negate_if(unsigned negative, std::uint64_t magnitude) noexcept {
  const std::uint64_t all = 0 - std::uint64_t{negative};
  return (magnitude ^ all) - all;
}

// A value of that many bits without a model.
template <class Coder>
TICKREEL_IN_LOOP void code_even(Coder& coder, std::uint64_t& value, unsigned bits) noexcept {
  const unsigned low = bits < 32 ? bits : 32;
  std::uint64_t got = coder.even_bits(value & 0xFFFFFFFF, low);
  if (bits > 32) got |= coder.even_bits(value >> 32, bits - 32) << 32;
  value = got;
}

// Any number, small ones in few bits: its length in bits, 64 coded as 63, then the bits below its highest.
struct number_model {
  symbol_model high;
  std::array<symbol_model, 16> low;

  constexpr number_model() noexcept : number_model(start_number) {}
  constexpr explicit number_model(const shares& start) noexcept : high{start}, low{} {
    for (symbol_model& one : low) one.up_to = start_length_rest;
  }

  template <class Coder>
  void code(Coder& coder, std::uint64_t& value) noexcept {
    auto bits = static_cast<unsigned>(std::bit_width(value));
    const unsigned length = bits < 63 ? bits : 63;
    const unsigned fours = code_symbol(coder, high, length >> 2);
    const unsigned ones = code_symbol(coder, low[fours], length & 3) & 3;
    const unsigned got = 4 * fours + ones;
    if (got == 63) {
      code_even(coder, value, 64);
    } else if (got <= 1) {
      value = got;
    } else {
      code_even(coder, value, got - 1);
      value = (value & ((std::uint64_t{1} << (got - 1)) - 1)) | std::uint64_t{1} << (got - 1);
    }
  }
};

inline constexpr number_model start_number_model{};
inline constexpr std::array<number_model, residual_classes> start_first_models{
    number_model(start_first[0]), number_model(start_first[1]), number_model(start_first[2])};

// Models that are copied from `start` on first use. Most groups of columns use few of them; copying all for
// each group took longer than coding the constant columns.
template <class Models>
class on_demand {
 public:
  void restart() noexcept { begun_ = false; }
  [[nodiscard]] Models& get(const Models& start) noexcept {
    if (!begun_) {
      models_ = start;
      begun_ = true;
    }
    return models_;
  }

 private:
  bool begun_ = false;
  Models models_{};
};

// The running mean of errors in 1/1024, over about eight of them. At least 7.
inline constexpr std::uint64_t mean_one = 1024;

struct error_models {
  // Classes of means: two per octave below 4, then four per octave.
  static constexpr unsigned means = 24;
  std::array<std::array<symbol_model, 3>, means> by_level{};

  [[nodiscard]] static constexpr error_models started() noexcept {
    error_models out;
    for (std::size_t level = 0; level < means; ++level)
      for (std::size_t trend = 0; trend < 3; ++trend)
        out.by_level[level][trend].up_to = start_errors[level][trend];
    return out;
  }
};
inline constexpr error_models start_error_models = error_models::started();

struct residual_models {
  std::array<on_demand<error_models>, residual_classes> errors;
  std::array<on_demand<number_model>, residual_classes> first;
  on_demand<number_model> far;
  std::array<std::array<bit_model, 3>, residual_classes> sign;
  // The start value of a column of the class: the final value of the one before it.
  std::array<std::uint64_t, residual_classes> mean_carried;

  residual_models() noexcept { restart(); }
  void restart() noexcept {
    for (auto& one : errors) one.restart();
    for (auto& one : first) one.restart();
    far.restart();
    sign = {};
    mean_carried = {64, 4 * mean_one, mean_one};
  }
};

// Predicts the size of the next error from the previous ones.
class expectation {
 public:
  explicit expectation(std::uint64_t mean) noexcept : mean_(mean), last_(mean / mean_one) {}

  // Low bits of the magnitude that are nearly uniform.
  [[nodiscard]] unsigned even_bits() const noexcept { return octave() > 12 ? octave() - 12 : 0; }
  [[nodiscard]] unsigned level() const noexcept {
    const unsigned at = octave();
    return at > 12 ? 20 + (static_cast<unsigned>(mean_ >> (at - 3)) & 3)
                   : 2 * (at - 3) + (static_cast<unsigned>(mean_ >> (at - 2)) & 1);
  }
  [[nodiscard]] unsigned trend() const noexcept {
    const std::uint64_t scaled = last_ * mean_one;
    // Hard to predict, so there is no branch.
    return static_cast<unsigned>(scaled > mean_ / 2) + static_cast<unsigned>(scaled > mean_ + mean_ / 2);
  }
  void add(std::uint64_t magnitude, bool early) noexcept {
    // Limits the effect of a single jump.
    const std::uint64_t most = std::min<std::uint64_t>(4 * mean_ / mean_one + 4, std::uint64_t{1} << 40);
    last_ = magnitude < most ? magnitude : most;
    const unsigned shift = early ? 2 : 3;
    mean_ = mean_ - (mean_ >> shift) + (last_ << (10 - shift));
    if (mean_ < 7) mean_ = 7;
  }
  [[nodiscard]] std::uint64_t mean() const noexcept { return mean_; }

 private:
  [[nodiscard]] unsigned octave() const noexcept { return static_cast<unsigned>(std::bit_width(mean_)); }

  std::uint64_t mean_;
  std::uint64_t last_;
};

template <class Coder>
TICKREEL_SELDOM void code_far(Coder& coder, residual_models& models, std::uint64_t& beyond) noexcept {
  models.far.get(start_number_model).code(coder, beyond);
}
template <class Coder>
TICKREEL_SELDOM void code_far(Coder& coder, number_model& model, std::uint64_t& beyond) noexcept {
  model.code(coder, beyond);
}

template <class Coder>
void code_residuals(Coder& place, residual_models& models, residual_class of, std::int64_t* residuals,
                    std::size_t count) noexcept {
  const auto which = static_cast<std::size_t>(of);
  std::uint64_t zigzag = zigzag_encode(residuals[0]);
  models.first[which].get(start_first_models[which]).code(place, zigzag);
  residuals[0] = zigzag_decode(zigzag);
  if (count == 1) return;
  typename Coder::at_work coder(place);
  auto& errors = models.errors[which].get(start_error_models).by_level;
  expectation next(models.mean_carried[which]);
  unsigned last_sign = 0;
  for (std::size_t i = 1; i < count; ++i) {
    const bool below = residuals[i] < 0;
    std::uint64_t magnitude =
        below ? 0 - static_cast<std::uint64_t>(residuals[i]) : static_cast<std::uint64_t>(residuals[i]);
    symbol_model& model = errors[next.level()][next.trend()];
    const unsigned even = next.even_bits();
    const std::uint64_t steps = magnitude >> even;
    std::uint64_t got = code_symbol(coder, model, static_cast<unsigned>(steps < 15 ? steps : 15));
    if (got == 15) {
      std::uint64_t beyond = steps - 15;
      coder.pause([&](Coder& all) { code_far(all, models, beyond); });
      got += beyond;
    }
    if (even > 0) {
      std::uint64_t rest = magnitude & ((std::uint64_t{1} << even) - 1);
      code_even(coder, rest, even);
      got = (got << even) | rest;
    }
    if constexpr (Coder::decodes) magnitude = got;
    if (magnitude == 0) {
      residuals[i] = 0;
      last_sign = 0;
    } else {
      const unsigned negative = coder.random_bit(models.sign[which][last_sign], below);
      residuals[i] = static_cast<std::int64_t>(negate_if(negative, magnitude));
      last_sign = 2 - negative;
    }
    next.add(magnitude, i < 3);
  }
  models.mean_carried[which] = next.mean();
  coder.done();
}

}  // namespace tickreel::tracks
