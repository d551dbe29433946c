#include "analysis.hpp"

#include <algorithm>
#include <bit>

namespace tickreel::tracks {

namespace {

// With more digits, a float is near some decimal by chance.
constexpr std::int64_t max_exact_float = std::int64_t{1} << 24;
constexpr std::int64_t max_exact_double = std::int64_t{1} << 50;

// With more exceptions, a column does not count as decimal.
std::size_t max_exceptions(std::size_t rows) noexcept {
  return rows / 8;
}

bool map_decimals(const column& of, int least_places, std::size_t rows, column_work& work,
                  std::int64_t* numbers, mapping& by) noexcept {
  const std::int64_t most = of.size_bytes == 4 ? max_exact_float : max_exact_double;
  int places = std::max(least_places, int{of.declared.decimals});
  places = std::clamp(places, 0, max_places);
  work.exceptions.clear();
  for (std::size_t i = 0; i < rows;) {
    const std::size_t found =
        leading_decimals(std::span(work.bits).subspan(i, rows - i), of.size_bytes, places, most, numbers + i);
    i += found;
    if (i == rows) break;
    // With more places, if the values before permit them.
    int more = 1;
    while (places + more <= max_places && leading_decimals(std::span(work.bits).subspan(i, 1), of.size_bytes,
                                                           places + more, most, numbers + i) == 0)
      ++more;
    if (places + more <= max_places) {
      const auto times = static_cast<std::int64_t>(powers_of_ten[more]);
      const bool fit = std::all_of(numbers, numbers + i, [&](std::int64_t n) {
        return (n < 0 ? -n : n) <= (std::int64_t{1} << 40) / times;
      });
      if (fit) {
        for (std::size_t k = 0; k < i; ++k) numbers[k] *= times;
        places += more;
        continue;
      }
    }
    if (work.exceptions.size() == max_exceptions(rows)) return false;
    work.exceptions.push_back({static_cast<std::uint32_t>(i), work.bits[i]});
    numbers[i] = i == 0 ? 0 : numbers[i - 1];
    ++i;
  }
  by = {mapping_kind::decimal, 0, {1, static_cast<std::uint8_t>(places)}};
  return true;
}

bool map_steps(const column& of, decimal_step step, std::size_t rows, column_work& work,
               std::int64_t* numbers, mapping& by) noexcept {
  work.exceptions.clear();
  for (std::size_t i = 0; i < rows; ++i) {
    i += leading_steps(std::span(work.bits).subspan(i, rows - i), of.size_bytes, step, of.declared.tolerance,
                       numbers + i);
    if (i == rows) break;
    if (work.exceptions.size() == max_exceptions(rows)) return false;
    work.exceptions.push_back({static_cast<std::uint32_t>(i), work.bits[i]});
    numbers[i] = i == 0 ? 0 : numbers[i - 1];
  }
  by = {mapping_kind::stepped, 0, step};
  return true;
}

// About 128 units per bit: the exponent and 7 bits of the mantissa of |error| + 1 as a float.
std::uint64_t cost_of(std::int64_t error) noexcept {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  const std::int64_t kept = error > most ? most : error < -most ? -most : error;
  const float size = static_cast<float>((kept < 0 ? -kept : kept) + 1);
  return (std::bit_cast<std::uint32_t>(size) >> 16) - (127u << 7);
}

// The same for magnitudes below 2^30: at most 2^12, so sums of 2^16 of them fit.
inline std::uint32_t small_cost(std::int32_t error) noexcept {
  const std::int32_t magnitude = error < 0 ? -error : error;
  return (std::bit_cast<std::uint32_t>(static_cast<float>(magnitude + 1)) >> 16) - (127u << 7);
}

std::uint64_t cost_of_all(const std::int64_t* errors, std::size_t rows) noexcept {
  std::uint64_t used = 0;
  for (std::size_t i = 0; i < rows; ++i) used |= static_cast<std::uint64_t>(errors[i] ^ (errors[i] >> 63));
  std::uint64_t cost = 0;
  if (used >> 30 == 0) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < rows; ++i) sum += small_cost(static_cast<std::int32_t>(errors[i]));
    cost = sum;
  } else {
    for (std::size_t i = 0; i < rows; ++i) cost += cost_of(errors[i]);
  }
  return cost;
}

struct best_choice {
  predictor by = predictor::previous;
  std::uint64_t least = ~std::uint64_t{0};

  void offer(predictor other, std::uint64_t cost) noexcept {
    if (cost >= least) return;
    least = cost;
    by = other;
  }
  // Three predictors in one pass, the one with the shortest history first.
  void offer_extrapolations(const std::int64_t* numbers, std::size_t rows, predictor first,
                            std::vector<std::int32_t>& room) noexcept {
    std::uint64_t a = 0, b = 0, c = 0;
    std::uint64_t previous = 0, linear = 0, quadratic = 0;
    // If everything fits into 32 bits, several at a time; the same costs.
    std::uint64_t used = 0;
    for (std::size_t i = 0; i < rows; ++i)
      used |= static_cast<std::uint64_t>(numbers[i] ^ (numbers[i] >> 63));
    if (used >> 27 == 0 && rows >= 3) {
      for (std::size_t i = 0; i < rows; ++i) room[i] = static_cast<std::int32_t>(numbers[i]);
      const std::int32_t* now = room.data();
      previous = small_cost(now[0]) + small_cost(now[1] - now[0]);
      linear = previous;
      quadratic = previous;
      previous += small_cost(now[2] - now[1]);
      linear += small_cost(now[2] - 2 * now[1] + now[0]);
      quadratic += small_cost(now[2] - 2 * now[1] + now[0]);
      std::uint32_t sums[3] = {0, 0, 0};
      for (std::size_t i = 3; i < rows; ++i) {
        const std::int32_t step = now[i] - now[i - 1];
        const std::int32_t bend = step - (now[i - 1] - now[i - 2]);
        const std::int32_t twist = bend - (now[i - 1] - 2 * now[i - 2] + now[i - 3]);
        sums[0] += small_cost(step);
        sums[1] += small_cost(bend);
        sums[2] += small_cost(twist);
      }
      offer_three(first, previous + sums[0], linear + sums[1], quadratic + sums[2]);
      return;
    }
    for (std::size_t i = 0; i < rows; ++i) {
      const auto now = static_cast<std::uint64_t>(numbers[i]);
      const std::uint64_t step = now - a;
      const std::uint64_t bend = i < 2 ? step : step - (a - b);
      const std::uint64_t twist = i < 3 ? bend : bend - (a - 2 * b + c);
      previous += cost_of(static_cast<std::int64_t>(step));
      linear += cost_of(static_cast<std::int64_t>(bend));
      quadratic += cost_of(static_cast<std::int64_t>(twist));
      c = b;
      b = a;
      a = now;
    }
    offer_three(first, previous, linear, quadratic);
  }
  void offer_three(predictor first, std::uint64_t previous, std::uint64_t linear,
                   std::uint64_t quadratic) noexcept {
    const auto at = static_cast<unsigned>(first);
    offer(first, previous);
    offer(static_cast<predictor>(at + 1), linear);
    offer(static_cast<predictor>(at + 2), quadratic);
  }
};

}  // namespace

void map_plainly(value_type type, std::size_t rows, const std::uint64_t* bits, unsigned shift,
                 std::int64_t* numbers) noexcept {
  for (std::size_t i = 0; i < rows; ++i) numbers[i] = plain_of(bits[i], type, shift);
}

mapping map_numbers(const column& of, decimal_step step, int least_places, std::size_t rows,
                    column_work& work, std::int64_t* numbers) noexcept {
  mapping by;
  work.exceptions.clear();
  if (of.kind == value_kind::floating) {
    if (step.multiple != 0 && map_steps(of, step, rows, work, numbers, by)) return by;
    if (map_decimals(of, least_places, rows, work, numbers, by)) return by;
    by = {};
    work.exceptions.clear();
  }
  if (of.size_bytes > 1) {
    std::uint64_t used = 0;
    for (std::size_t i = 0; i < rows; ++i) used |= work.bits[i];
    by.shift = static_cast<std::uint8_t>(used == 0 ? 0 : std::countr_zero(used));
  }
  map_plainly({of.kind, of.size_bytes}, rows, work.bits.data(), by.shift, numbers);
  return by;
}

predictor choose_predictor(const std::int64_t* numbers, std::size_t rows, const related_rows* related,
                           column_work& work) noexcept {
  best_choice best;
  best.offer_extrapolations(numbers, rows, predictor::previous, work.small);
  if (related != nullptr && fits(predictor::related_linear, related->kind)) {
    for (std::size_t i = 0; i < rows; ++i)
      work.tried[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(numbers[i]) -
                                                static_cast<std::uint64_t>(related->first[i]));
    best.offer_extrapolations(work.tried.data(), rows, predictor::related, work.small);
  } else if (related != nullptr) {
    take_residuals(numbers, rows, predictor::related, *related, work.errors.data());
    const std::uint64_t cost = cost_of_all(work.errors.data(), rows);
    best.offer(predictor::related, cost);
    if (best.by == predictor::related) return best.by;
  }
  take_residuals(numbers, rows, best.by, related == nullptr ? related_rows{} : *related, work.errors.data());
  return best.by;
}

}  // namespace tickreel::tracks
