// Random shapes and rows.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

#include "tickreel/bytes/endian.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/tracks/shape.hpp"

namespace tickreel::test {

using generator = std::mt19937_64;

inline std::uint64_t below(generator& random, std::uint64_t end) {
  return std::uniform_int_distribution<std::uint64_t>(0, end - 1)(random);
}

inline tracks::column random_column(generator& random) {
  tracks::column out;
  out.kind = static_cast<value_kind>(below(random, 6));
  if (below(random, 2) == 0) out.kind = value_kind::floating;
  switch (out.kind) {
    case value_kind::unsigned_integer:
    case value_kind::signed_integer:
      out.size_bytes = 1u << below(random, 4);
      break;
    case value_kind::floating:
      out.size_bytes = below(random, 3) == 0 ? 8 : 4;
      break;
    case value_kind::boolean:
      out.size_bytes = 1;
      break;
    case value_kind::text:
      out.size_bytes = static_cast<std::uint32_t>(1 + below(random, 20));
      break;
    case value_kind::interned:
      out.size_bytes = 4;
      break;
  }
  if (out.kind == value_kind::floating && below(random, 4) == 0)
    out.declared.decimals = static_cast<std::int8_t>(below(random, 10));
  return out;
}

// A relation to columns that precede in `order`, if suitable ones exist.
inline void relate_at_random(generator& random, tracks::shape& of, const std::vector<std::uint32_t>& order,
                             std::size_t at) {
  auto& one = of.columns[order[at]];
  const auto kind = static_cast<tracks::relation>(below(random, 8));
  std::vector<std::uint32_t> fitting;
  for (std::size_t i = 0; i < at; ++i) {
    const auto& other = of.columns[order[i]];
    const bool alike = other.kind == one.kind && other.size_bytes == one.size_bytes;
    const bool pair = kind == tracks::relation::same_as || kind == tracks::relation::relative_to;
    if (pair ? alike && one.kind != value_kind::text
             : one.kind == value_kind::floating && other.kind == value_kind::floating)
      fitting.push_back(order[i]);
  }
  if (fitting.empty()) return;
  one.declared.kind = kind;
  one.declared.ticks_per_second = static_cast<std::uint32_t>(1 + below(random, 200));
  for (auto& refers : one.declared.of) refers = fitting[below(random, fitting.size())];
}

inline tracks::shape random_shape(generator& random, std::size_t columns, bool with_gaps) {
  tracks::shape out;
  std::vector<std::uint32_t> place(columns);
  std::iota(place.begin(), place.end(), 0u);
  std::shuffle(place.begin(), place.end(), random);
  for (std::size_t i = 0; i < columns; ++i) out.columns.push_back(random_column(random));
  for (const std::uint32_t i : place) {
    if (with_gaps) out.row_bytes += static_cast<std::uint32_t>(below(random, 3));
    out.columns[i].offset = out.row_bytes;
    out.row_bytes += out.columns[i].size_bytes;
  }
  std::shuffle(place.begin(), place.end(), random);
  for (std::size_t i = 1; i < columns; ++i)
    if (below(random, 2) == 0) relate_at_random(random, out, place, i);
  return out;
}

inline void put_float(std::byte* to, std::uint32_t size, double value) {
  if (size == 4) {
    detail::store<std::endian::little>(to, static_cast<float>(value));
  } else {
    detail::store<std::endian::little>(to, value);
  }
}

inline std::uint64_t special_float(generator& random, std::uint32_t size) {
  constexpr std::uint32_t singles[] = {0x00000000, 0x80000000, 0x7F800000, 0xFF800000,
                                       0x7FC00000, 0x7F800001, 0xFFC12345, 0x00000001,
                                       0x80000001, 0x007FFFFF, 0x7F7FFFFF, 0xFF7FFFFF};
  constexpr std::uint64_t doubles[] = {0,
                                       std::uint64_t{1} << 63,
                                       0x7FF0000000000000,
                                       0xFFF0000000000000,
                                       0x7FF8000000000000,
                                       0x7FF0000000000001,
                                       0xFFF8000012345678,
                                       1,
                                       0x8000000000000001,
                                       0x000FFFFFFFFFFFFF,
                                       0x7FEFFFFFFFFFFFFF,
                                       0xFFEFFFFFFFFFFFFF};
  return size == 4 ? singles[below(random, 12)] : doubles[below(random, 12)];
}

// How one column changes from row to row.
class random_track {
 public:
  random_track(generator& random, const tracks::column& of)
      : of_(of),
        style_(below(random, 9)),
        places_(static_cast<int>(below(random, 10))),
        at_(static_cast<double>(below(random, 2000))) {
    speed_ = std::uniform_real_distribution<>(-30, 30)(random);
    for (auto& one : few_) one = random();
  }

  void next(generator& random, std::byte* to) {
    const std::uint32_t size = of_.size_bytes;
    if (style_ == 0) {  // noise
      for (std::uint32_t i = 0; i < size; ++i) to[i] = static_cast<std::byte>(below(random, 256));
    } else if (style_ == 1) {
      std::memset(to, 0, size);
    } else if (style_ == 2 || of_.kind == value_kind::text) {  // one of a few values
      if (below(random, 4) == 0) chosen_ = below(random, 4);
      std::memset(to, 0, size);
      std::memcpy(to, &few_[chosen_], std::min<std::size_t>(size, 8));
    } else if (of_.kind == value_kind::floating) {
      next_float(random, to);
    } else {  // a random walk with occasional jumps
      step_ += static_cast<std::int64_t>(below(random, 5)) - 2;
      walk_ += static_cast<std::uint64_t>(step_);
      if (below(random, 40) == 0) walk_ = random();
      std::memcpy(to, &walk_, size);
    }
  }

 private:
  void next_float(generator& random, std::byte* to) {
    speed_ += std::uniform_real_distribution<>(-1, 1)(random);
    at_ += speed_ / 30;
    const double decimals = std::pow(10.0, places_);
    double value = style_ == 3 ? 42.5 : style_ == 4 ? at_ : std::round(at_ * decimals) / decimals;
    if (style_ == 5) value = std::round(std::sin(at_ / 40) * 1000) / 1000;
    put_float(to, of_.size_bytes, value);
    if (style_ == 6 && below(random, 10) == 0) {
      const std::uint64_t bits = special_float(random, of_.size_bytes);
      std::memcpy(to, &bits, of_.size_bytes);
    }
  }

  tracks::column of_;
  std::uint64_t style_;
  int places_;
  double at_ = 0;
  double speed_ = 0;
  std::uint64_t walk_ = 0;
  std::int64_t step_ = 0;
  std::uint64_t chosen_ = 0;
  std::uint64_t few_[4];
};

// Bytes that belong to no column are 0.
inline std::vector<byte_vector> random_rows(generator& random, const tracks::shape& of, std::size_t count) {
  std::vector<random_track> columns;
  for (const auto& one : of.columns) columns.emplace_back(random, one);
  std::vector<byte_vector> out;
  for (std::size_t i = 0; i < count; ++i) {
    byte_vector row(of.row_bytes);
    for (std::size_t c = 0; c < columns.size(); ++c)
      columns[c].next(random, row.data() + of.columns[c].offset);
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace tickreel::test
