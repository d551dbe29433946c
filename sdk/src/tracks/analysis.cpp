#include "analysis.hpp"

#include <algorithm>
#include <bit>

namespace tickreel::tracks {

namespace {

// More digits than that and a float is near some decimal by chance.
constexpr std::int64_t most_of_float = std::int64_t{1} << 24;
constexpr std::int64_t most_of_double = std::int64_t{1} << 50;

// So many may be no decimals before a column counts as none.
std::size_t most_exceptions(std::size_t rows) noexcept {
  return rows / 8;
}

bool map_decimals(const column& of, int least_places, std::size_t rows, column_work& work,
                  std::int64_t* numbers, mapping& by) noexcept {
  const std::int64_t most = of.size_bytes == 4 ? most_of_float : most_of_double;
  int places = std::max(least_places, int{of.declared.decimals});
  places = std::clamp(places, 0, max_places);
  std::int64_t largest = 0;
  work.exceptions.clear();
  for (std::size_t i = 0; i < rows; ++i) {
    std::int64_t n = 0;
    int found = places;
    bool fits = false;
    while (found <= max_places) {
      fits = decimal_of(work.bits[i], of.size_bytes, found, n) && n <= most && n >= -most;
      if (fits) break;
      ++found;
    }
    if (fits && found > places) {
      const auto more = static_cast<std::int64_t>(powers_of_ten[found - places]);
      if (largest <= (std::int64_t{1} << 40) / more) {
        for (std::size_t k = 0; k < i; ++k) numbers[k] *= more;
        largest *= more;
        places = found;
      } else {
        fits = false;
      }
    }
    if (!fits) {
      if (work.exceptions.size() == most_exceptions(rows)) return false;
      work.exceptions.push_back({static_cast<std::uint32_t>(i), work.bits[i]});
      n = i == 0 ? 0 : numbers[i - 1];
    }
    numbers[i] = n;
    largest = std::max(largest, n < 0 ? -n : n);
  }
  by = {mapping_kind::decimal, 0, {1, static_cast<std::uint8_t>(places)}};
  return true;
}

bool map_steps(const column& of, decimal_step step, std::size_t rows, column_work& work,
               std::int64_t* numbers, mapping& by) noexcept {
  work.exceptions.clear();
  for (std::size_t i = 0; i < rows; ++i) {
    if (stepped_of(work.bits[i], of.size_bytes, step, of.declared.tolerance, numbers[i])) continue;
    if (work.exceptions.size() == most_exceptions(rows)) return false;
    work.exceptions.push_back({static_cast<std::uint32_t>(i), work.bits[i]});
    numbers[i] = i == 0 ? 0 : numbers[i - 1];
  }
  by = {mapping_kind::stepped, 0, step};
  return true;
}

// About 128 bits' worth a bit: the exponent and 7 bits of the mantissa of |error| + 1 as a float.
std::uint64_t cost_of(std::int64_t error) noexcept {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  const std::int64_t kept = error > most ? most : error < -most ? -most : error;
  const float size = static_cast<float>((kept < 0 ? -kept : kept) + 1);
  return (std::bit_cast<std::uint32_t>(size) >> 16) - (127u << 7);
}

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
  auto best = predictor::previous;
  std::uint64_t least = ~std::uint64_t{0};
  for (unsigned i = 0; i < predictor_count; ++i) {
    const auto by = static_cast<predictor>(i);
    if (by >= predictor::related && (related == nullptr || !fits(by, related->kind))) continue;
    take_residuals(numbers, rows, by, related == nullptr ? related_rows{} : *related, work.tried.data());
    std::uint64_t cost = 0;
    for (std::size_t k = 0; k < rows; ++k) cost += cost_of(work.tried[k]);
    if (cost >= least) continue;
    least = cost;
    best = by;
    std::swap(work.tried, work.errors);
  }
  return best;
}

}  // namespace tickreel::tracks
