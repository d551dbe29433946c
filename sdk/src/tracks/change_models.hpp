// The coding of a tick's changes, shared by both directions; see residuals.hpp.
//
//   tick    = number: changes, then each of them
//   change  = distance to the record before (0: the same record), kind,
//             1 bit: the same columns as in the last change of this kind, else a bit per column,
//             each of those columns: texts and values over 8 bytes byte by byte in two symbols,
//             others the difference to the value before, which is never 0; in float_coding::decimals, a float has
//             a symbol before it: decimal places of both values, or 10: the difference is that of their bits
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <vector>

#include "mapping.hpp"
#include "residuals.hpp"
#include "tickreel/tracks/changes.hpp"

namespace tickreel::tracks {

class change_models {
 public:
  // Further columns share models, so that memory is bounded.
  static constexpr std::size_t max_models = 4096;
  // The memory of the models of these kinds, at most.
  [[nodiscard]] static std::uint64_t memory_of(const std::vector<shape>& kinds) noexcept {
    std::uint64_t columns = 0;
    for (const shape& each : kinds) columns += each.columns.size();
    return columns * (sizeof(column) + sizeof(mask_models) + 1) + kinds.size() * sizeof(kind_models) +
           std::min<std::uint64_t>(columns, max_models) * (sizeof(magnitude_models) + sizeof(void*));
  }

  change_models(std::vector<shape> kinds, float_coding floats)
      : shapes_(std::move(kinds)), kinds_(shapes_.size()), floats_(floats) {
    std::size_t columns = 0;
    for (std::size_t k = 0; k < shapes_.size(); ++k) {
      kinds_[k].first_column = columns;
      columns += shapes_[k].columns.size();
      kinds_[k].changed.resize((shapes_[k].columns.size() + 63) / 64);
      kinds_[k].masks.resize(shapes_[k].columns.size());
      kinds_[k].next.resize(kinds_[k].changed.size());
    }
    columns_.resize(std::min(columns, max_models));
    restart();
  }

  // Allocates the models of all columns now, instead of when they first occur.
  void prepare() {
    for (std::size_t number = 0; number < columns_.size(); ++number) (void)models_of(number);
  }

  void restart() noexcept {
    count_ = start_number_model;
    far_ = start_number_model;
    distance_.restart(16);
    kind_high_ = kind_low_ = even_symbols();
    bytes_high_ = even_symbols();
    bytes_low_ = even_symbols();
    for (kind_models& one : kinds_) {
      std::fill(one.changed.begin(), one.changed.end(), ~std::uint64_t{0});
      if (one.masks.size() % 64 != 0) one.changed.back() = (std::uint64_t{1} << one.masks.size() % 64) - 1;
      std::fill(one.masks.begin(), one.masks.end(), mask_models{});
      one.same_mask = {};
      one.was_same = 0;
    }
    for (auto& one : columns_) {
      if (one) one->restart(4);
    }
    last_kind_ = 0;
  }

  [[nodiscard]] const std::vector<shape>& shapes() const noexcept { return shapes_; }

  template <class Coder>
  void code_count(Coder& coder, std::uint64_t& count) noexcept {
    count_.code(coder, count);
  }

  // `distance`: 0 for the same record as before.
  template <class Coder>
  TICKREEL_IN_LOOP void code_place(Coder& coder, std::uint64_t& distance, std::uint32_t& kind) noexcept {
    code_magnitude<true>(coder, distance_, distance);
    if (shapes_.size() == 1) {
      kind = 0;
      return;
    }
    if (shapes_.size() > 16) {
      symbol_model& upper = kind_high_[last_kind_ >> 4];
      symbol_model& lower = kind_low_[last_kind_ & 15];
      const unsigned high = code_repeated(coder, upper, kind >> 4);
      const unsigned low = code_repeated(coder, lower, kind & 15);
      kind = high << 4 | low;
    } else {
      symbol_model& model = kind_low_[last_kind_];
      kind = code_repeated(coder, model, kind);
    }
    last_kind_ = kind & 63;
  }

  // The encoder reads `now`; in the decoder it equals `before` until it is written.
  template <class Coder>
  TICKREEL_IN_LOOP void code_values(Coder& coder, std::uint32_t kind, const std::byte* before,
                                    std::byte* now) {
    kind_models& models = kinds_[kind];
    const column* const columns = shapes_[kind].columns.data();
    const std::size_t count = shapes_[kind].columns.size();
    bool same = true;
    if constexpr (!Coder::decodes) {
      std::fill(models.next.begin(), models.next.end(), std::uint64_t{0});
      for (std::size_t c = 0; c < count; ++c)
        models.next[c / 64] |= std::uint64_t{differs(before, now, columns[c])} << c % 64;
      same = models.next == models.changed;
    }
    same = coder.bit(models.same_mask[models.was_same], same);
    models.was_same = same ? 1 : 0;
    if (!same) {
      unsigned context = 0;
      for (std::size_t c = 0; c < count; ++c) {
        std::uint64_t& word = models.changed[c / 64];
        const auto was = static_cast<unsigned>(word >> c % 64 & 1);
        bool changed = false;
        if constexpr (!Coder::decodes) changed = (models.next[c / 64] >> c % 64 & 1) != 0;
        context = coder.random_bit(models.masks[c][was * 2 + context], changed);
        word ^= std::uint64_t{was ^ context} << c % 64;
      }
    }
    for (std::size_t first = 0; first < count; first += 64) {
      // No branch for each column, because which ones change is hard to predict.
      for (std::uint64_t left = models.changed[first / 64]; left != 0; left &= left - 1) {
        const std::size_t c = first + static_cast<std::size_t>(std::countr_zero(left));
        code_value(coder, columns[c], models.first_column + c, before + columns[c].offset,
                   now + columns[c].offset);
      }
    }
  }

 private:
  // Indexed by whether the column changed the last time that this kind occurred, and whether the column
  // before changed now.
  using mask_models = std::array<bit_model, 4>;
  struct kind_models {
    std::size_t first_column = 0;
    std::vector<std::uint64_t> changed;  // the last time, a bit for each column
    std::vector<std::uint64_t> next;     // of the writer
    std::vector<mask_models> masks;
    std::array<bit_model, 2> same_mask{};
    unsigned was_same = 0;
  };
  struct magnitude_models {
    std::array<std::array<symbol_model, 3>, error_models::means> by_level{};
    std::array<bit_model, 3> sign{};
    expectation next{mean_one};
    unsigned last_sign = 0;
    unsigned seen = 0;
    symbol_model places{};
    unsigned last_places = 0;  // the writer tries no fewer
    unsigned failed = 0;       // values since the last decimal, for the writer

    void restart(std::uint64_t mean) noexcept {
      by_level = start_error_models.by_level;
      sign = {};
      next = expectation(mean * mean_one);
      last_sign = 0;
      seen = 0;
      places = even_symbols()[0];
      last_places = 0;
      failed = 0;
    }
  };
  using symbol_models = std::array<symbol_model, 16>;

  static symbol_models even_symbols() noexcept {
    symbol_models out;
    for (symbol_model& one : out) {
      one.seen = 0;
      for (unsigned s = 0; s < symbol_model::symbols; ++s)
        one.up_to[s] = static_cast<std::int16_t>((s + 1) * (symbol_model::whole / symbol_model::symbols));
    }
    return out;
  }

  // `Repeats`: its symbol is often the one before of that model, as the distances in a whole row.
  template <bool Repeats = false, class Coder>
  TICKREEL_IN_LOOP void code_magnitude(Coder& coder, magnitude_models& models,
                                       std::uint64_t& magnitude) noexcept {
    symbol_model& model = models.by_level[models.next.level()][models.next.trend()];
    const unsigned even = models.next.even_bits();
    const std::uint64_t steps = magnitude >> even;
    const auto step = static_cast<unsigned>(steps < 15 ? steps : 15);
    std::uint64_t got = Repeats ? code_repeated(coder, model, step) : code_symbol(coder, model, step);
    if (got == 15) {
      std::uint64_t beyond = steps - 15;
      coder.pause([&](auto& all) { code_far(all, far_, beyond); });
      got += beyond;
    }
    if (even > 0) {
      std::uint64_t rest = magnitude & ((std::uint64_t{1} << even) - 1);
      code_even(coder, rest, even);
      got = (got << even) | rest;
    }
    if constexpr (Coder::decodes) magnitude = got;
    models.next.add(magnitude, models.seen < 3);
    if (models.seen < 3) ++models.seen;
  }

  template <class Coder>
  TICKREEL_IN_LOOP void code_value(Coder& coder, const column& of, std::size_t number,
                                   const std::byte* before, std::byte* now) {
    if (of.kind == value_kind::text || of.size_bytes > 8) {
      for (std::uint32_t i = 0; i < of.size_bytes; ++i) {
        const auto value = std::to_integer<unsigned>(now[i]);
        const unsigned high = code_symbol(coder, bytes_high_[0], value >> 4);
        const unsigned low = code_symbol(coder, bytes_low_[high], value & 15);
        if constexpr (Coder::decodes) now[i] = static_cast<std::byte>(high << 4 | low);
      }
      return;
    }
    magnitude_models& models = models_of(number);
    const std::uint64_t from_bits = load_bits(before, of.size_bytes);
    unsigned places = no_places;
    if (floats_ == float_coding::decimals && of.kind == value_kind::floating) {
      if constexpr (!Coder::decodes) {
        places = places_for(from_bits, load_bits(now, of.size_bytes), of.size_bytes, models);
      }
      places = code_symbol(coder, models.places, places);
    }
    const bool decimal = places < no_places;
    const auto number_of = [&](std::uint64_t bits) noexcept {
      // Bits beyond an integer's size do not matter: store_bits() drops them.
      if (!decimal) return of.kind == value_kind::floating ? ordered(bits, of) : bits;
      std::int64_t n = 0;
      (void)decimal_of(bits, of.size_bytes, static_cast<int>(places), n);
      return static_cast<std::uint64_t>(n);
    };
    const std::uint64_t from = number_of(from_bits);
    // In the shorter direction, as a number of that many bits.
    std::int64_t difference = 0;
    if constexpr (!Coder::decodes) {
      const unsigned unused = decimal ? 0 : 64 - 8 * of.size_bytes;
      difference =
          static_cast<std::int64_t>((number_of(load_bits(now, of.size_bytes)) - from) << unused) >> unused;
    }
    const bool below = difference < 0;
    std::uint64_t magnitude =
        (below ? 0 - static_cast<std::uint64_t>(difference) : static_cast<std::uint64_t>(difference)) - 1;
    code_magnitude(coder, models, magnitude);
    const unsigned negative = coder.random_bit(models.sign[models.last_sign], below);
    models.last_sign = 2 - negative;
    if constexpr (Coder::decodes) {
      const std::uint64_t to = from + negate_if(negative, magnitude + 1);
      store_bits(now, of.size_bytes,
                 decimal ? bits_of_scaled(static_cast<std::int64_t>(to),
                                          {1, static_cast<std::uint8_t>(places)}, of.size_bytes)
                 : of.kind == value_kind::floating ? ordered(to, of)
                                                   : to);
    }
  }

  static constexpr unsigned no_places = 10;

  [[nodiscard]] magnitude_models& models_of(std::size_t number) {
    auto& models = columns_[number % max_models];
    if (!models) {
      models = std::make_unique<magnitude_models>();
      models->restart(4);
    }
    return *models;
  }

  [[nodiscard]] static bool differs(const std::byte* before, const std::byte* now,
                                    const column& of) noexcept {
    if (of.kind != value_kind::text && of.size_bytes <= 8) {
      return load_bits(before + of.offset, of.size_bytes) != load_bits(now + of.offset, of.size_bytes);
    }
    return std::memcmp(before + of.offset, now + of.offset, of.size_bytes) != 0;
  }

  // The decimal places with which both values are decimals; no_places if there are none. With more digits
  // than a value has precision, every value is one.
  [[nodiscard]] static unsigned places_for(std::uint64_t before, std::uint64_t now, std::uint32_t size_bytes,
                                           magnitude_models& models) noexcept {
    const std::int64_t most = std::int64_t{1} << (size_bytes == 4 ? 24 : 50);
    const auto fits = [&](unsigned places) noexcept {
      for (const std::uint64_t bits : {now, before}) {
        std::int64_t n = 0;
        if (!decimal_of(bits, size_bytes, static_cast<int>(places), n) || n > most || n < -most) return false;
      }
      return true;
    };
    // Values that are no decimals are rarely tried with all places.
    constexpr unsigned seldom = 16;
    const bool all = models.failed < seldom || models.failed % seldom == 0;
    const unsigned end = all ? no_places : models.last_places + 1;
    for (unsigned places = models.last_places; places < end; ++places) {
      if (!fits(places)) continue;
      models.last_places = places;
      models.failed = 0;
      return places;
    }
    ++models.failed;
    return no_places;
  }

  // Orders floats, so that near values have near numbers: negative values are inverted. Its own inverse.
  [[nodiscard]] static std::uint64_t ordered(std::uint64_t bits, const column& of) noexcept {
    const unsigned unused = 64 - 8 * of.size_bytes;
    bits = bits << unused >> unused;
    if (of.kind != value_kind::floating) return bits;
    const std::uint64_t top = std::uint64_t{1} << (8 * of.size_bytes - 1);
    return (bits & top) != 0 ? bits ^ (top - 1) : bits;
  }

  std::vector<shape> shapes_;
  std::vector<kind_models> kinds_;
  float_coding floats_;
  std::vector<std::unique_ptr<magnitude_models>> columns_;
  number_model count_;
  number_model far_;
  magnitude_models distance_;
  symbol_models kind_high_;
  symbol_models kind_low_;
  symbol_models bytes_high_;
  symbol_models bytes_low_;
  std::uint32_t last_kind_ = 0;
};

}  // namespace tickreel::tracks
