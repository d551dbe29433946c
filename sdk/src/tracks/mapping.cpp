#include "mapping.hpp"

#include <algorithm>

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

// Nearest to magnitude / 10^places, ties to even. A division by a constant is several times faster.
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
  // A carry out of the mantissa goes into the exponent, which is what rounding up means there.
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
  // Both products are exact: 24 bits times 10^9, which has 21 bits apart from its powers of 2.
  const double value = double{std::bit_cast<float>(bits)} * scale;
  if (!(value > -9e15 && value < 9e15)) return false;
  n = static_cast<std::int64_t>(value + (value < 0 ? -0.5 : 0.5));
  const double off = value - static_cast<double>(n);
  // Half the distance to the nearest neighbour, which is nearer below a power of 2.
  const std::uint32_t half = (exponent - ((bits & 0x7FFFFF) == 0 ? 25 : 24)) << 23;
  const double reach = double{std::bit_cast<float>(half)} * scale;
  return off < reach && -off < reach;
}

}  // namespace

std::uint64_t load_bits(const std::byte* from, std::uint32_t size_bytes) noexcept {
  switch (size_bytes) {
    case 1:
      return std::to_integer<std::uint64_t>(*from);
    case 2:
      return detail::load<std::endian::little, std::uint16_t>(from);
    case 4:
      return detail::load<std::endian::little, std::uint32_t>(from);
    default:
      return detail::load<std::endian::little, std::uint64_t>(from);
  }
}

void store_bits(std::byte* to, std::uint32_t size_bytes, std::uint64_t bits) noexcept {
  switch (size_bytes) {
    case 1:
      *to = static_cast<std::byte>(bits);
      break;
    case 2:
      detail::store<std::endian::little>(to, static_cast<std::uint16_t>(bits));
      break;
    case 4:
      detail::store<std::endian::little>(to, static_cast<std::uint32_t>(bits));
      break;
    default:
      detail::store<std::endian::little>(to, bits);
  }
}

namespace {

// Use is called with the integer type of that size, outside of loops over values.
template <class Use>
void with_size(std::uint32_t size_bytes, Use&& use) noexcept {
  switch (size_bytes) {
    case 1:
      return use(std::uint8_t{});
    case 2:
      return use(std::uint16_t{});
    case 4:
      return use(std::uint32_t{});
    default:
      return use(std::uint64_t{});
  }
}

}  // namespace

void load_bits(const std::byte* from, std::size_t apart, std::uint32_t size_bytes, std::size_t count,
               std::uint64_t* bits) noexcept {
  with_size(size_bytes, [&]<class T>(T) {
    for (std::size_t i = 0; i < count; ++i) bits[i] = detail::load<std::endian::little, T>(from + i * apart);
  });
}

void store_bits(std::byte* to, std::uint32_t size_bytes, std::size_t count,
                const std::uint64_t* bits) noexcept {
  with_size(size_bytes, [&]<class T>(T) {
    for (std::size_t i = 0; i < count; ++i)
      detail::store<std::endian::little>(to + i * sizeof(T), static_cast<T>(bits[i]));
  });
}

std::uint64_t bits_of_scaled(std::int64_t n, decimal_step step, std::uint32_t size_bytes) noexcept {
  std::uint64_t bits = 0;
  bits_of_scaled(&n, 1, step, size_bytes, &bits);
  return bits;
}

namespace {

template <std::uint64_t Divisor, std::uint32_t SizeBytes>
void nearest_floats(const std::int64_t* n, std::size_t count, std::uint64_t multiple,
                    std::uint64_t* bits) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t sign = static_cast<std::uint64_t>(n[i]) >> 63;
    // Two's complement: the magnitude.
    const std::uint64_t magnitude = (static_cast<std::uint64_t>(n[i]) ^ (0 - sign)) + sign;
    bits[i] = nearest_float<Divisor, SizeBytes>(magnitude * multiple) | sign << (8 * SizeBytes - 1);
  }
}

}  // namespace

void bits_of_scaled(const std::int64_t* n, std::size_t count, decimal_step step, std::uint32_t size_bytes,
                    std::uint64_t* bits) noexcept {
  with_divisor(step.places, [&]<std::uint64_t Divisor>() {
    if (size_bytes == 4) {
      nearest_floats<Divisor, 4>(n, count, step.multiple, bits);
    } else {
      nearest_floats<Divisor, 8>(n, count, step.multiple, bits);
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

std::size_t leading_decimals(std::span<const std::uint64_t> bits, std::uint32_t size_bytes, int places,
                             std::int64_t most, std::int64_t* n) noexcept {
  std::size_t i = 0;
  if (size_bytes == 4) {
    const auto scale = static_cast<double>(powers_of_ten[places]);
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
  // Else the value is 2 or more.
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
      for (std::size_t i = 0; i < count; ++i) numbers[i] = divide_rounded(numbers[i], Divisor);
    });
  } else {
    for (std::size_t i = 0; i < count; ++i)
      numbers[i] = divide_rounded(numbers[i], billionths_a_step(by.step));
  }
}

}  // namespace tickreel::tracks
