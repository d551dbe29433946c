#include "predict.hpp"

#include <algorithm>
#include <cmath>

namespace tickreel::tracks {

namespace {

constexpr std::int64_t unit = 1'000'000'000;
constexpr int fraction_bits = 16;

std::int64_t add(std::int64_t a, std::int64_t b) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t subtract(std::int64_t a, std::int64_t b) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
std::uint64_t distance(std::int64_t a, std::int64_t b) noexcept {
  const std::int64_t d = subtract(a, b);
  return d < 0 ? 0 - static_cast<std::uint64_t>(d) : static_cast<std::uint64_t>(d);
}
std::int64_t clamped(std::int64_t value, std::int64_t limit) noexcept {
  return value > limit ? limit : value < -limit ? -limit : value;
}

// Rounded down. The machine's square root is only the start value, so its rounding does not matter.
std::int64_t root(std::int64_t of) noexcept {
  if (of <= 0) return 0;
  auto guess = static_cast<std::int64_t>(std::sqrt(static_cast<double>(of)));
  while (guess * guess > of) --guess;
  while ((guess + 1) * (guess + 1) <= of) ++guess;
  return guess;
}

struct ratio {
  std::int64_t numerator = 0;
  std::int64_t denominator = 0;
};

// Own steps per tick for each step of a velocity; 0 / 0 if the numbers would become too large.
ratio steps_a_tick(const declaration& declared, const mapping& own, const mapping& velocity) noexcept {
  if (!own.scaled() || !velocity.scaled()) return {};
  const int more = own.step.places - velocity.step.places;
  std::uint64_t numerator = velocity.step.multiple;
  std::uint64_t denominator = std::uint64_t{own.step.multiple} * declared.ticks_per_second;
  if (own.step.multiple > 1000 || velocity.step.multiple > 1000) return {};
  if (more > 4 || more < -4) return {};
  if (more > 0) numerator *= powers_of_ten[more];
  if (more < 0) denominator *= powers_of_ten[-more];
  if (numerator > 1u << 15) return {};
  return {static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator)};
}

// Own steps per step of the other; 0 if that is not a whole number.
std::int64_t steps_a_step(const mapping& own, const mapping& other) noexcept {
  if (own.kind == mapping_kind::plain && other.kind == mapping_kind::plain)
    return own.shift == other.shift ? 1 : 0;
  if (!own.scaled() || !other.scaled()) return 0;
  if (own.step.multiple == other.step.multiple && own.step.places == other.step.places) return 1;
  if (own.step.multiple != 1 || own.step.places < other.step.places) return 0;
  return static_cast<std::int64_t>(other.step.multiple * powers_of_ten[own.step.places - other.step.places]);
}

bool measurable(value_type type, const mapping& by) noexcept {
  return by.scaled() || (type.is_float() && by.kind == mapping_kind::plain);
}

struct candidates {
  std::int64_t first;
  std::int64_t second;
};

candidates second_of_orthogonal(std::int64_t fa, std::int64_t fb, std::int64_t fc, std::int64_t ua) noexcept {
  // u.b * f.b + u.c * f.c = c and u.b^2 + u.c^2 = length are a line and a circle; in millionths.
  constexpr std::int64_t million = 1'000'000;
  fa /= 1000;
  fb /= 1000;
  fc /= 1000;
  ua /= 1000;
  const std::int64_t across = (fb * fb + fc * fc) / million;
  if (across == 0) return {0, 0};
  const std::int64_t c = -ua * fa / million;
  const std::int64_t length = (million * million - ua * ua) / million;
  const std::int64_t off = fc * root(across * length - c * c);
  return {clamped((fb * c - off) / across, 2 * million) * 1000,
          clamped((fb * c + off) / across, 2 * million) * 1000};
}

std::int64_t third_of_orthogonal(std::int64_t fa, std::int64_t fb, std::int64_t fc, std::int64_t ua,
                                 std::int64_t ub) noexcept {
  const std::int64_t sum = -(fa * ua + fb * ub);
  const std::int64_t length = root(unit * unit - ua * ua - ub * ub);
  // From the right angle if that is well-conditioned, otherwise from the length.
  if (fc > length || fc < -length) return clamped(sum / fc, 2 * unit);
  return (sum < 0) == (fc < 0) ? length : -length;
}

// One short loop over `rows` per relation.
void relate_directions(relation kind, std::size_t rows, const std::int64_t* in, related_rows& out) noexcept {
  const auto each = [&](auto&& row) {
    for (std::size_t i = 0; i < rows; ++i) {
      const candidates got = row(in + i);
      out.first[i] = got.first;
      out.second[i] = got.second;
    }
  };
  const std::size_t n = rows;
  if (kind == relation::cross) {
    each([n](const std::int64_t* at) {
      const std::int64_t got = clamped(divide_rounded(at[0] * at[3 * n] - at[n] * at[2 * n], unit), 2 * unit);
      return candidates{got, got};
    });
  } else if (kind == relation::unit_vector) {
    each([n](const std::int64_t* at) {
      const std::int64_t got = root(unit * unit - at[0] * at[0] - at[n] * at[n]);
      return candidates{got, -got};
    });
  } else if (kind == relation::unit_quaternion) {
    each([n](const std::int64_t* at) {
      const std::int64_t x = clamped(at[0], unit), y = clamped(at[n], unit), z = clamped(at[2 * n], unit);
      const std::int64_t got = root(unit * unit - x * x - y * y - z * z);
      return candidates{got, -got};
    });
  } else if (kind == relation::orthogonal_second) {
    each([n](const std::int64_t* at) { return second_of_orthogonal(at[0], at[n], at[2 * n], at[3 * n]); });
  } else {
    each([n](const std::int64_t* at) {
      const std::int64_t got = third_of_orthogonal(at[0], at[n], at[2 * n], at[3 * n], at[4 * n]);
      return candidates{got, got};
    });
  }
}

int order_of(predictor by) noexcept {
  return by == predictor::previous || by == predictor::related        ? 1
         : by == predictor::linear || by == predictor::related_linear ? 2
                                                                      : 3;
}

std::int64_t extrapolate(std::int64_t a, std::int64_t b, std::int64_t c, int order) noexcept {
  const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b),
             uc = static_cast<std::uint64_t>(c);
  return static_cast<std::int64_t>(order == 1 ? ua : order == 2 ? 2 * ua - ub : 3 * ua - 3 * ub + uc);
}

// Iterates over the rows in order. step(row, prediction) returns the row's number.
template <class Step>
void walk(std::size_t rows, predictor by, const related_rows& related, Step&& step) noexcept {
  if (by >= predictor::related && related.kind == relation::integral_of) {
    std::int64_t fraction = 0;
    std::int64_t last = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      const std::int64_t moved = i == 0 ? 0 : fraction + related.first[i];
      const std::int64_t whole = (moved + (1 << (fraction_bits - 1))) >> fraction_bits;
      const std::int64_t predicted = add(last, whole);
      last = step(i, predicted);
      const std::int64_t off = subtract(last, predicted);
      constexpr std::int64_t half = 1 << (fraction_bits - 1);
      fraction = off > 0 ? half - 1 : off < 0 ? -half : moved - whole * 2 * half;
    }
  } else if (by >= predictor::related && related.kind > relation::integral_of) {
    std::int64_t a = 0;
    std::int64_t b = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      const std::int64_t near = i < 2 ? a : extrapolate(a, b, 0, 2);
      const bool other = distance(related.second[i], near) < distance(related.first[i], near);
      b = a;
      a = step(i, other ? related.second[i] : related.first[i]);
    }
  } else {
    const bool apart = by >= predictor::related;
    const auto most = static_cast<std::size_t>(order_of(by));
    std::int64_t a = 0, b = 0, c = 0;
    const auto each = [&](std::size_t i, int order) {
      const std::int64_t base = apart ? related.first[i] : 0;
      const std::int64_t ahead = order == 0 ? 0 : extrapolate(a, b, c, order);
      const std::int64_t number = step(i, add(ahead, base));
      c = b;
      b = a;
      a = subtract(number, base);
    };
    for (std::size_t i = 0; i < rows && i < most; ++i) each(i, static_cast<int>(i));
    // One short loop per order.
    if (most == 1) {
      for (std::size_t i = 1; i < rows; ++i) each(i, 1);
    } else if (most == 2) {
      for (std::size_t i = 2; i < rows; ++i) each(i, 2);
    } else {
      for (std::size_t i = 3; i < rows; ++i) each(i, 3);
    }
  }
}

}  // namespace

bool can_relate(const declaration& declared, value_type own_type, const mapping& own,
                std::span<const series> others) noexcept {
  switch (declared.kind) {
    case relation::none:
      return false;
    case relation::same_as:
    case relation::relative_to:
      return steps_a_step(own, others[0].by) != 0;
    case relation::integral_of:
      return steps_a_tick(declared, own, others[0].by).denominator != 0;
    default:
      break;
  }
  if (!measurable(own_type, own)) return false;
  for (const series& other : others) {
    if (!measurable(other.type, other.by)) return false;
  }
  return true;
}

void relate(const declaration& declared, value_type own_type, const mapping& own,
            std::span<const series> others, std::size_t rows, related_rows& out) noexcept {
  out.kind = declared.kind;
  if (declared.kind == relation::same_as || declared.kind == relation::relative_to) {
    const auto each = static_cast<std::uint64_t>(steps_a_step(own, others[0].by));
    for (std::size_t i = 0; i < rows; ++i)
      out.first[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(others[0].numbers[i]) * each);
    return;
  }
  if (declared.kind == relation::integral_of) {
    const ratio each = steps_a_tick(declared, own, others[0].by);
    for (std::size_t i = 0; i < rows; ++i) {
      const std::int64_t velocity = clamped(others[0].numbers[i], std::int64_t{1} << 31);
      out.first[i] = velocity * each.numerator * (1 << fraction_bits) / each.denominator;
    }
    return;
  }
  for (std::size_t r = 0; r < others.size(); ++r)
    to_billionths(others[r].numbers, rows, others[r].type, others[r].by, out.room + r * rows);
  relate_directions(declared.kind, rows, out.room, out);
  from_billionths(out.first, rows, own_type, own);
  // The others have one value.
  if (declared.kind == relation::unit_vector || declared.kind == relation::unit_quaternion ||
      declared.kind == relation::orthogonal_second)
    from_billionths(out.second, rows, own_type, own);
  else
    std::copy_n(out.first, rows, out.second);
}

bool fits(predictor by, relation kind) noexcept {
  if (by < predictor::related) return true;
  if (by == predictor::related) return kind != relation::none;
  return kind == relation::same_as || kind == relation::relative_to;
}

void take_residuals(const std::int64_t* numbers, std::size_t rows, predictor by, const related_rows& related,
                    std::int64_t* residuals) noexcept {
  walk(rows, by, related, [&](std::size_t i, std::int64_t predicted) {
    residuals[i] = subtract(numbers[i], predicted);
    return numbers[i];
  });
}

void restore(std::int64_t* numbers, std::size_t rows, predictor by, const related_rows& related) noexcept {
  walk(rows, by, related, [&](std::size_t i, std::int64_t predicted) {
    numbers[i] = add(numbers[i], predicted);
    return numbers[i];
  });
}

}  // namespace tickreel::tracks
