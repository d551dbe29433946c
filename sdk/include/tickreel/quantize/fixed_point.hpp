// Fixed point: a range of floats in equal steps, as signed integers around the middle of the range.
#pragma once

#include <cstdint>

namespace tickreel {

// Codes of `Bits` bits over [Minimum, Maximum): code c is the value
// (c + 2^(Bits-1)) / 2^Bits * (Maximum - Minimum) + Minimum, c = -2^(Bits-1) ... 2^(Bits-1) - 1.
// Values outside are clamped to the first or last code; NaN becomes code 0.
//
// The bone positions of a .butter file are fixed_point<-2, 2, 14>.
template <int Minimum, int Maximum, unsigned Bits>
struct fixed_point {
  static_assert(Minimum < Maximum && Bits >= 1 && Bits <= 24);

  static constexpr std::int32_t code_count = std::int32_t{1} << Bits;
  static constexpr std::int32_t first_code = -code_count / 2;
  static constexpr std::int32_t last_code = code_count / 2 - 1;
  static constexpr double range = double{Maximum} - double{Minimum};
  // The distance between neighbouring codes.
  static constexpr double step = range / code_count;

  // The smallest and the largest representable value.
  static constexpr float lowest = float{Minimum};
  static constexpr float highest = static_cast<float>(Maximum - step);

  // The code nearest to `value`, with an error of at most step / 2 within [lowest, highest].
  [[nodiscard]] static constexpr std::int32_t nearest(float value) noexcept {
    constexpr double steps_per_unit = code_count / range;
    // Counted from the lower end, so that adding a half and truncating rounds.
    double place = (double{value} - Minimum) * steps_per_unit + 0.5;
    if (!(place >= 0.0)) place = value < 0 || value >= 0 ? 0.0 : -double{first_code};
    if (place > code_count - 1) place = code_count - 1;
    return static_cast<std::int32_t>(place) + first_code;
  }

  // Rounds the code toward 0, that is, the value toward the middle of the range, with an error below step.
  // Uses the arithmetic of the program that defined the .butter format: the offset is added in single
  // precision, the rest is double.
  [[nodiscard]] static constexpr std::int32_t truncate(float value) noexcept {
    const float offset = value - float{Minimum};
    const double code = double{offset} / range * code_count + first_code;
    if (!(code >= first_code)) return value < 0 || value >= 0 ? first_code : 0;
    if (code > last_code) return last_code;
    return static_cast<std::int32_t>(code);
  }

  // Accepts codes outside the range: the formula extends in both directions.
  [[nodiscard]] static constexpr float decode(std::int32_t code) noexcept {
    return static_cast<float>((static_cast<double>(code) - first_code) / code_count * range + Minimum);
  }
};

}  // namespace tickreel
