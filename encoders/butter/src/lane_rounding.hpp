// Rounding of several numbers at a time: the equivalent of step_rounding and pack_rotation().
#pragma once

#include "lanes.hpp"
#include "rounding.hpp"

namespace tickreel::butter {

// a where the mask is set, else b.
template <class Lanes>
[[nodiscard]] typename Lanes::ints choose(const typename Lanes::ints& mask, const typename Lanes::ints& a,
                                          const typename Lanes::ints& b) noexcept {
  return b ^ ((a ^ b) & mask);
}
template <class Lanes>
[[nodiscard]] typename Lanes::floats choose(const typename Lanes::ints& mask, const typename Lanes::floats& a,
                                            const typename Lanes::floats& b) noexcept {
  return Lanes::from_bits(choose<Lanes>(mask, Lanes::bits(a), Lanes::bits(b)));
}

template <class Lanes>
struct lane_rounding {
  using floats = typename Lanes::floats;
  using ints = typename Lanes::ints;

  explicit lane_rounding(const step_rounding& rounding) noexcept
      : step_(Lanes::all(rounding.step())),
        steps_per_unit_(Lanes::all(rounding.steps_per_unit())),
        even_limit_(Lanes::all(rounding.even_limit())),
        reach_(Lanes::all(rounding.reach())) {}

  [[nodiscard]] static floats magnitude(const floats& a) noexcept {
    return Lanes::from_bits(Lanes::bits(a) & Lanes::all(0x7FFFFFFFu));
  }
  // For magnitudes below 2^22.
  [[nodiscard]] static floats nearest_whole(const floats& a) noexcept {
    const floats shift = Lanes::all(0x1.8p23f);
    return a + shift - shift;
  }

  // step_rounding::whole_steps(), times the step.
  [[nodiscard]] floats whole_steps(const floats& way) const noexcept {
    const floats steps = way * steps_per_unit_;
    const floats even = nearest_whole(steps * Lanes::all(0.5f)) * Lanes::all(2.0f);
    const ints take_even = Lanes::less_equal(magnitude(even - steps), even_limit_);
    return (choose<Lanes>(take_even, even, nearest_whole(steps)) + Lanes::all(0.0f)) * step_;
  }

  // The part of `way` that a half can express: step_rounding::half() as the number it represents. For finite
  // ways up to half_max.
  [[nodiscard]] floats writable(const floats& way) const noexcept {
    // The nearest half of a number in the normal range has 10 mantissa bits; a carry is correct.
    const ints bits = Lanes::bits(way);
    const ints odd = Lanes::template right<13>(bits) & Lanes::all(1u);
    const ints nearest = (bits + Lanes::all(0x0FFFu) + odd) & Lanes::all(0xFFFFE000u);
    return choose<Lanes>(Lanes::less(magnitude(way), reach_), whole_steps(way), Lanes::from_bits(nearest));
  }

  // The bits of numbers that are halves.
  [[nodiscard]] static ints halves(const floats& exact) noexcept {
    const ints bits = Lanes::bits(exact);
    const ints sign = Lanes::template right<16>(bits) & Lanes::all(0x8000u);
    const ints size = bits & Lanes::all(0x7FFFFFFFu);
    const ints denormal = Lanes::less(size, Lanes::all(0x38800000u));  // half_min_normal
    const ints normal = Lanes::template right<13>(size - Lanes::all(112u << 23));
    const ints tiny = Lanes::to_ints(Lanes::from_bits(size & denormal) * Lanes::all(0x1p24f));
    return sign | choose<Lanes>(denormal, tiny, normal);
  }

 private:
  floats step_;
  floats steps_per_unit_;
  floats even_limit_;
  floats reach_;
};

// Components of rotations as positions between their codes, 0 to 1023; those of NaN are 1023.
template <class Lanes>
[[nodiscard]] typename Lanes::floats rotation_places(const typename Lanes::floats& components,
                                                     const typename Lanes::floats& codes_per_unit) noexcept {
  using floats = typename Lanes::floats;
  const floats last = Lanes::all(1023.0f);
  const floats none = Lanes::all(0.0f);
  const floats place = components * codes_per_unit + Lanes::all(511.5f);
  const floats not_above = choose<Lanes>(Lanes::less(place, last), place, last);
  return choose<Lanes>(Lanes::less(none, not_above), not_above, none);
}

// A rotation with one component omitted, and the others as codes.
template <class Lanes>
[[nodiscard]] typename Lanes::ints packed_rotation(const typename Lanes::ints& left_out,
                                                   const typename Lanes::ints& a,
                                                   const typename Lanes::ints& b,
                                                   const typename Lanes::ints& c) noexcept {
  return left_out | Lanes::template left<2>(a) | Lanes::template left<12>(b) | Lanes::template left<22>(c);
}

}  // namespace tickreel::butter
