#include "mapping.hpp"

#include <array>
#include <cfloat>
#include <cmath>

#include "as_vector.hpp"
#include "tickreel/bytes/endian.hpp"

namespace tickreel::tracks {

namespace {

// Of binary32 and binary64.
struct float_layout {
  int mantissa_bits;  // with the leading 1
  int exponent_bias;  // of the value of the last mantissa bit
  unsigned bits;
};
constexpr float_layout layout_of_float(std::uint32_t size_bytes) noexcept {
  return size_bytes == 4 ? float_layout{24, 127 + 23, 32} : float_layout{53, 1023 + 52, 64};
}

// The float nearest to magnitude / 10^places, ties to even. A division by a constant is several times faster.
template <std::uint64_t Divisor, std::uint32_t SizeBytes>
std::uint64_t nearest_float(std::uint64_t magnitude) noexcept {
  constexpr float_layout to = layout_of_float(SizeBytes);
  if (magnitude == 0) return 0;
  int exponent = -std::countl_zero(magnitude);
  const std::uint64_t dividend = magnitude << -exponent;
  std::uint64_t quotient = dividend / Divisor;  // at least 2^33, since divisors are below 2^30
  std::uint64_t rest = dividend % Divisor;
  if (to.mantissa_bits == 53 && quotient >> 54 == 0) {
    const int more = std::countl_zero(quotient);
    quotient = (quotient << more) | ((rest << more) / Divisor);
    rest = (rest << more) % Divisor;
    exponent -= more;
  }
  const int dropped = static_cast<int>(std::bit_width(quotient)) - to.mantissa_bits;
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  const std::uint64_t tail = quotient & (2 * half - 1);
  std::uint64_t mantissa = quotient >> dropped;
  exponent += dropped;
  if (tail > half || (tail == half && (rest != 0 || (mantissa & 1) != 0))) ++mantissa;
  // A carry out of the mantissa increments the exponent, which is correct rounding.
  const auto biased = static_cast<std::uint64_t>(exponent + to.exponent_bias - 1);
  return (biased << (to.mantissa_bits - 1)) + mantissa;
}

template <class Use>
void with_divisor(int places, Use&& use) noexcept {
  switch (places) {
    case 0:
      return use.template operator()<1>();
    case 1:
      return use.template operator()<10>();
    case 2:
      return use.template operator()<100>();
    case 3:
      return use.template operator()<1'000>();
    case 4:
      return use.template operator()<10'000>();
    case 5:
      return use.template operator()<100'000>();
    case 6:
      return use.template operator()<1'000'000>();
    case 7:
      return use.template operator()<10'000'000>();
    case 8:
      return use.template operator()<100'000'000>();
    default:
      return use.template operator()<1'000'000'000>();
  }
}

double as_double(std::uint64_t bits, std::uint32_t size_bytes) noexcept {
  return size_bytes == 4 ? double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))}
                         : std::bit_cast<double>(bits);
}

bool is_finite(std::uint64_t bits, std::uint32_t size_bytes) noexcept {
  return size_bytes == 4 ? (bits >> 23 & 0xFF) != 0xFF : (bits >> 52 & 0x7FF) != 0x7FF;
}

// `scale` is 10^places.
inline bool decimal_of_float(std::uint32_t bits, double scale, std::int64_t& n) noexcept {
  n = 0;
  const std::uint32_t exponent = bits >> 23 & 0xFF;
  if (bits == 0) return true;
  if (exponent == 0xFF || exponent <= 25) return false;
  // Both products are exact: 24 bits times 10^9, which has 21 significant bits.
  const double value = double{std::bit_cast<float>(bits)} * scale;
  if (!(value > -9e15 && value < 9e15)) return false;
  n = static_cast<std::int64_t>(value + (value < 0 ? -0.5 : 0.5));
  const double off = value - static_cast<double>(n);
  // Half the distance to the nearest neighbour, which is smaller below a power of 2.
  const std::uint32_t half = (exponent - ((bits & 0x7FFFFF) == 0 ? 25 : 24)) << 23;
  const double reach = double{std::bit_cast<float>(half)} * scale;
  return off < reach && -off < reach;
}

template <std::uint64_t Divisor, std::uint32_t SizeBytes>
std::uint64_t nearest_value(std::int64_t n, std::uint64_t multiple) noexcept {
  const std::uint64_t sign = static_cast<std::uint64_t>(n) >> 63;
  // Two's complement: the magnitude.
  const std::uint64_t magnitude = (static_cast<std::uint64_t>(n) ^ (0 - sign)) + sign;
  return nearest_float<Divisor, SizeBytes>(magnitude * multiple) | sign << (8 * SizeBytes - 1);
}

// Whether this thread's doubles round to nearest, which is the default.
bool rounds_to_nearest() noexcept {
#if defined(__FAST_MATH__) || !defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD != 0
  return false;
#else
  const volatile double one = 1.0;
  const double tenth = one / 10.0;  // above the exact value
  const double third = one / 3.0;   // below the exact value
  return std::bit_cast<std::uint64_t>(tenth) == 0x3FB999999999999A &&
         std::bit_cast<std::uint64_t>(third) == 0x3FD5555555555555;
#endif
}

// Rounding twice is correct here. A number below 2^31, divided as a double, has a relative error of at most
// 2^-53. A quotient by 10^8 or less is never that near to the middle between two floats unless it is exactly
// the middle: their distance is at least 2^-25 / 10^8 of it.
constexpr int max_places_twice_rounded = 8;
template <std::uint64_t Divisor>
bool divide_to_floats(const std::int64_t* n, std::size_t count, std::uint64_t multiple,
                      std::byte* to) noexcept {
  if constexpr (Divisor > powers_of_ten[max_places_twice_rounded]) {
    return false;
  } else {
    if (multiple > 1'000'000) return false;
    std::uint64_t used = 0;
    for (std::size_t i = 0; i < count; ++i) used |= static_cast<std::uint64_t>(n[i] ^ (n[i] >> 63));
    // For a negative number that is one less than its magnitude.
    if (used >= 0x7FFFFFFF / multiple) return false;
    if (!rounds_to_nearest()) return false;
    const auto each = static_cast<std::int32_t>(multiple);
    for (std::size_t i = 0; i < count; ++i) {
      const double value =
          static_cast<double>(static_cast<std::int32_t>(n[i]) * each) / static_cast<double>(Divisor);
      detail::store<std::endian::little>(to + i * 4, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
    }
    return true;
  }
}

}  // namespace

std::uint64_t bits_of_scaled(std::int64_t n, decimal_step step, std::uint32_t size_bytes) noexcept {
  std::uint64_t bits = 0;
  with_divisor(step.places, [&]<std::uint64_t Divisor>() {
    bits = size_bytes == 4 ? nearest_value<Divisor, 4>(n, step.multiple)
                           : nearest_value<Divisor, 8>(n, step.multiple);
  });
  return bits;
}

void store_scaled(const std::int64_t* n, std::size_t count, decimal_step step, std::uint32_t size_bytes,
                  std::byte* to) noexcept {
  with_divisor(step.places, [&]<std::uint64_t Divisor>() {
    if (size_bytes == 4) {
      if (divide_to_floats<Divisor>(n, count, step.multiple, to)) return;
      for (std::size_t i = 0; i < count; ++i)
        detail::store<std::endian::little>(
            to + i * 4, static_cast<std::uint32_t>(nearest_value<Divisor, 4>(n[i], step.multiple)));
    } else {
      for (std::size_t i = 0; i < count; ++i)
        detail::store<std::endian::little>(to + i * 8, nearest_value<Divisor, 8>(n[i], step.multiple));
    }
  });
}

bool decimal_of(std::uint64_t bits, std::uint32_t size_bytes, int places, std::int64_t& n) noexcept {
  if (size_bytes == 4)
    return decimal_of_float(static_cast<std::uint32_t>(bits), static_cast<double>(powers_of_ten[places]), n);
  n = 0;
  if (!is_finite(bits, size_bytes)) return false;
  const double value = std::bit_cast<double>(bits) * static_cast<double>(powers_of_ten[places]);
  if (!(value > -9e15 && value < 9e15)) return false;
  n = static_cast<std::int64_t>(value + (value < 0 ? -0.5 : 0.5));
  return bits_of_scaled(n, {1, static_cast<std::uint8_t>(places)}, size_bytes) == bits;
}

namespace {

constexpr std::size_t some = 16;

// decimal_of_float() for several values without branches. False if one of them is not a decimal, or too large
// to decide. Several short loops, which compilers turn into vector instructions.
bool are_decimals(const std::uint64_t* bits, double scale, double most, std::int64_t* n) noexcept {
  std::array<std::uint32_t, some> value;
  std::array<std::uint32_t, some> half;
  std::array<std::uint32_t, some> odd;
  TICKREEL_AS_VECTOR
  for (std::size_t i = 0; i < some; ++i) value[i] = static_cast<std::uint32_t>(bits[i]);
  TICKREEL_AS_VECTOR
  for (std::size_t i = 0; i < some; ++i) {
    // Exponents of 26 to 254, or all bits 0, which is treated as half of 1.
    const std::uint32_t exponent = value[i] & 0x7F800000;
    const std::uint32_t is_zero = value[i] == 0 ? ~0u : 0u;
    odd[i] = ((exponent < (26u << 23) ? ~0u : 0u) | (exponent > (254u << 23) ? ~0u : 0u)) & ~is_zero;
    half[i] = exponent - ((value[i] & 0x7FFFFF) == 0 ? 25u << 23 : 24u << 23);
    half[i] = (half[i] & ~is_zero) | (0x3F000000 & is_zero);
  }
  std::uint32_t any_odd = 0;
  TICKREEL_AS_VECTOR
  for (std::size_t i = 0; i < some; ++i) any_odd |= odd[i];
  if (any_odd != 0) return false;
  std::array<double, some> scaled;
  std::array<double, some> reach;
  std::array<std::int32_t, some> whole;
  TICKREEL_AS_VECTOR
  for (std::size_t i = 0; i < some; ++i) {
    scaled[i] = double{std::bit_cast<float>(value[i])} * scale;
    reach[i] = double{std::bit_cast<float>(half[i])} * scale;
  }
  TICKREEL_AS_VECTOR
  for (std::size_t i = 0; i < some; ++i) {
    const double rounded = scaled[i] + std::copysign(0.5, scaled[i]);
    const double below = rounded < most ? rounded : most;
    whole[i] = static_cast<std::int32_t>(below > -most ? below : -most);
  }
  bool sound = true;
  TICKREEL_AS_VECTOR
  for (std::size_t i = 0; i < some; ++i) reach[i] -= std::fabs(scaled[i] - whole[i]);
  TICKREEL_AS_VECTOR
  for (std::size_t i = 0; i < some; ++i) sound &= reach[i] > 0;
  if (!sound) return false;
  TICKREEL_AS_VECTOR
  for (std::size_t i = 0; i < some; ++i) n[i] = whole[i];
  return true;
}

// stepped_of() for several values without branches. False if one of them is not near enough, or has `most` steps or
// more: below, rounding twice is correct, as in divide_to_floats().
bool are_steps(const std::uint64_t* bits, double scale, double multiple, double most, double tolerance,
               std::int64_t* n) noexcept {
  std::array<double, some> value;
  std::array<double, some> steps;
  std::array<std::int32_t, some> whole;
  std::array<double, some> off;
  TICKREEL_AS_VECTOR
  for (std::size_t i = 0; i < some; ++i) {
    value[i] = double{std::bit_cast<float>(static_cast<std::uint32_t>(bits[i]))};
    steps[i] = value[i] * scale / multiple;
  }
  bool sound = true;
  TICKREEL_AS_VECTOR
  for (std::size_t i = 0; i < some; ++i) sound &= std::fabs(steps[i]) < most;
  if (!sound) return false;
  TICKREEL_AS_VECTOR
  for (std::size_t i = 0; i < some; ++i)
    whole[i] = static_cast<std::int32_t>(steps[i] + std::copysign(0.5, steps[i]));
  TICKREEL_AS_VECTOR
  for (std::size_t i = 0; i < some; ++i)
    off[i] = double{static_cast<float>(whole[i] * multiple / scale)} - value[i];
  TICKREEL_AS_VECTOR
  for (std::size_t i = 0; i < some; ++i) sound &= std::fabs(off[i]) <= tolerance;
  if (!sound) return false;
  TICKREEL_AS_VECTOR
  for (std::size_t i = 0; i < some; ++i) n[i] = whole[i];
  return true;
}

}  // namespace

std::size_t leading_steps(std::span<const std::uint64_t> bits, std::uint32_t size_bytes, decimal_step step,
                          double tolerance, std::int64_t* n) noexcept {
  std::size_t i = 0;
  if (size_bytes == 4 && step.places <= max_places_twice_rounded && bits.size() >= some &&
      rounds_to_nearest()) {
    const auto scale = static_cast<double>(powers_of_ten[step.places]);
    const auto multiple = static_cast<double>(step.multiple);
    const double most = 0x7FFFFFFF / multiple - 1;
    while (i + some <= bits.size() && are_steps(&bits[i], scale, multiple, most, tolerance, n + i)) i += some;
    // The last ones together with some known ones.
    const std::size_t last = bits.size() - some;
    if (i > last && are_steps(&bits[last], scale, multiple, most, tolerance, n + last)) return bits.size();
  }
  while (i < bits.size() && stepped_of(bits[i], size_bytes, step, tolerance, n[i])) ++i;
  return i;
}

std::size_t leading_decimals(std::span<const std::uint64_t> bits, std::uint32_t size_bytes, int places,
                             std::int64_t most, std::int64_t* n) noexcept {
  std::size_t i = 0;
  if (size_bytes == 4) {
    const auto scale = static_cast<double>(powers_of_ten[places]);
    const auto limit = static_cast<double>(most);
    while (i + some <= bits.size() && are_decimals(&bits[i], scale, limit, n + i)) i += some;
    // The last ones together with some known ones.
    if (bits.size() - i < some && i != 0) {
      const std::size_t last = bits.size() - some;
      if (are_decimals(&bits[last], scale, limit, n + last)) return bits.size();
    }
    while (i < bits.size() && decimal_of_float(static_cast<std::uint32_t>(bits[i]), scale, n[i]) &&
           n[i] <= most && n[i] >= -most)
      ++i;
  } else {
    while (i < bits.size() && decimal_of(bits[i], size_bytes, places, n[i]) && n[i] <= most && n[i] >= -most)
      ++i;
  }
  return i;
}

bool stepped_of(std::uint64_t bits, std::uint32_t size_bytes, decimal_step step, double tolerance,
                std::int64_t& n) noexcept {
  n = 0;
  if (!is_finite(bits, size_bytes)) return false;
  const double value = as_double(bits, size_bytes);
  const double steps = value * static_cast<double>(powers_of_ten[step.places]) / step.multiple;
  if (!(steps > -9e12 && steps < 9e12)) return false;
  const auto nearest = static_cast<std::int64_t>(steps + (steps < 0 ? -0.5 : 0.5));
  const auto magnitude = static_cast<std::uint64_t>(nearest < 0 ? -nearest : nearest);
  if (magnitude > static_cast<std::uint64_t>(largest_scaled) / step.multiple) return false;
  const double kept = as_double(bits_of_scaled(nearest, step, size_bytes), size_bytes);
  if (!(kept - value <= tolerance && value - kept <= tolerance)) return false;
  n = nearest;
  return true;
}

namespace {

constexpr std::int64_t limit_billionths = 2'000'000'000;

std::int64_t billionths_a_step(decimal_step step) noexcept {
  return static_cast<std::int64_t>(step.multiple * powers_of_ten[max_places - step.places]);
}

std::int64_t float_billionths(std::uint64_t bits, float_layout from) noexcept {
  const auto biased = static_cast<int>(bits >> (from.mantissa_bits - 1) & (from.bits == 32 ? 0xFF : 0x7FF));
  if (biased == 0) return 0;
  const std::uint64_t leading = std::uint64_t{1} << (from.mantissa_bits - 1);
  std::uint64_t mantissa = leading | (bits & (leading - 1));
  int exponent = biased - from.exponent_bias;
  if (from.mantissa_bits > 30) {
    mantissa >>= from.mantissa_bits - 30;
    exponent += from.mantissa_bits - 30;
  }
  std::int64_t out = limit_billionths;
  // Otherwise the value is 2 or more.
  if (exponent + static_cast<int>(std::bit_width(mantissa)) <= 1)
    out = exponent <= -64 ? 0 : static_cast<std::int64_t>(mantissa * powers_of_ten[max_places] >> -exponent);
  return (bits >> (from.bits - 1)) != 0 ? -out : out;
}

}  // namespace

void to_billionths(const std::int64_t* n, std::size_t count, value_type type, const mapping& by,
                   std::int64_t* billionths) noexcept {
  if (by.scaled()) {
    const std::int64_t each = billionths_a_step(by.step);
    const std::int64_t most = limit_billionths / each;
    for (std::size_t i = 0; i < count; ++i)
      billionths[i] = n[i] > most ? limit_billionths : n[i] < -most ? -limit_billionths : n[i] * each;
    return;
  }
  for (std::size_t i = 0; i < count; ++i)
    billionths[i] = float_billionths(bits_of_plain(n[i], type, by.shift), layout_of_float(type.size_bytes));
}

void from_billionths(std::int64_t* numbers, std::size_t count, value_type type, const mapping& by) noexcept {
  if (!by.scaled()) {
    for (std::size_t i = 0; i < count; ++i)
      numbers[i] = plain_of(bits_of_scaled(numbers[i], {1, max_places}, type.size_bytes), type, by.shift);
  } else if (by.step.multiple == 1) {
    with_divisor(max_places - by.step.places, [&]<std::uint64_t Divisor>() {
      // Results of relations fit into 32 bits, and are divided several at a time, like divide_rounded().
      for (std::size_t i = 0; i < count; ++i) {
        const auto value = static_cast<std::int32_t>(numbers[i]);
        const auto sign = static_cast<std::uint32_t>(value >> 31);
        const std::uint32_t magnitude = (static_cast<std::uint32_t>(value) ^ sign) - sign;
        const std::uint32_t quotient =
            (magnitude + static_cast<std::uint32_t>(Divisor / 2)) / static_cast<std::uint32_t>(Divisor);
        numbers[i] = static_cast<std::int32_t>((quotient ^ sign) - sign);
      }
    });
  } else {
    const std::int64_t each = billionths_a_step(by.step);
    if (each > limit_billionths || !rounds_to_nearest()) {
      for (std::size_t i = 0; i < count; ++i) numbers[i] = divide_rounded(numbers[i], each);
      return;
    }
    // Several at a time: no quotient of integers below 2^32 is rounded to an integer that it does not reach.
    const auto divisor = static_cast<double>(each);
    const std::int64_t rounded_down = each / 2;
    const auto half = static_cast<double>(rounded_down);
    for (std::size_t i = 0; i < count; ++i) {
      const double value = static_cast<std::int32_t>(numbers[i]);
      numbers[i] = static_cast<std::int32_t>((value + std::copysign(half, value)) / divisor);
    }
  }
}

}  // namespace tickreel::tracks
