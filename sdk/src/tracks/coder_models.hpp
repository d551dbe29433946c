// The adaptive models of the range coder: of a bit, and of sixteen symbols.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__) && !defined(TICKREEL_WITHOUT_SIMD)
#include <emmintrin.h>
#define TICKREEL_TRACKS_SSE2
#endif

#include "as_vector.hpp"

// In the loop over a column's values; a call would move the coder's state out of its registers. Not where size matters
// more, as in the viewer's page: there the copies take 2 kB, and save a sixth of a seek.
#if defined(__GNUC__) && !defined(__OPTIMIZE_SIZE__)
#define TICKREEL_IN_LOOP [[gnu::always_inline]] inline
#else
#define TICKREEL_IN_LOOP inline
#endif

// Rare cases, outside of the loop so that they use no registers there.
#if defined(__GNUC__)
#define TICKREEL_SELDOM [[gnu::noinline]]
#else
#define TICKREEL_SELDOM
#endif

namespace tickreel::tracks {

// Hides from the compiler what is known of the value, so that it does not turn arithmetic into a branch.
[[nodiscard]] TICKREEL_IN_LOOP std::uint64_t opaque(std::uint64_t value) noexcept {
#if defined(__GNUC__)
  asm("" : "+r"(value));
#endif
  return value;
}

// The probability that a bit is 1, of 65536, and the number of coded bits: the rate of adaptation falls with
// it.
struct bit_model {
  std::uint16_t probability = 1u << 15;
  std::uint16_t seen = 0;

  static constexpr unsigned slowest = 30;
  // 32768 / (n + 1.6): the rate after n bits.
  static constexpr auto rates = [] {
    std::array<std::uint16_t, slowest + 1> out{};
    for (unsigned n = 0; n <= slowest; ++n) out[n] = static_cast<std::uint16_t>(327680u / (10 * n + 16));
    return out;
  }();

  TICKREEL_IN_LOOP constexpr void learn(bool bit) noexcept {
    const std::int32_t off = static_cast<std::int32_t>(bit) * 65535 - std::int32_t{probability};
    probability = static_cast<std::uint16_t>(probability + (off * std::int32_t{rates[seen]} >> 15));
    seen = static_cast<std::uint16_t>(seen + static_cast<unsigned>(seen < slowest));
  }
  // Never zero; never everything, because no number of ones raises a probability that far.
  [[nodiscard]] TICKREEL_IN_LOOP std::uint64_t part_of(std::uint64_t range) const noexcept {
    return (range >> 16) * std::max<std::uint64_t>(probability, 16);
  }
};

// The highest probability after one that `seen` bits made.
constexpr unsigned highest_probability(std::uint16_t probability, std::uint16_t seen) noexcept {
  bit_model model{probability, seen};
  for (std::uint16_t before = 0; before != model.probability;) {
    before = model.probability;
    model.learn(true);
  }
  return model.probability;
}
static_assert(highest_probability(bit_model{}.probability, 0) == 65504);

// The probabilities of sixteen symbols.
struct symbol_model {
  static constexpr unsigned symbols = 16;
  static constexpr unsigned bits = 15;
  // The part that adapts; each symbol has 1 in addition.
  static constexpr std::int16_t whole = (1 << bits) - symbols;
  // A decoder expects symbols with a larger share.
  static constexpr std::uint32_t frequent = 3u << (bits - 2);

  using shares = std::array<std::int16_t, symbols>;

  // up_to[s]: the sum of the symbols 0 to s.
  alignas(16) shares up_to;
  std::uint16_t seen = 0;
  std::uint16_t last = 0;  // the symbol before, of code_repeated()

  static constexpr std::uint16_t enough_seen = 64;
  // By the number of symbols seen.
  static constexpr auto rates = [] {
    std::array<std::uint8_t, enough_seen + 1> out{};
    for (unsigned n = 0; n <= enough_seen; ++n) out[n] = n < 16 ? 4 : n < enough_seen ? 5 : 6;
    return out;
  }();
  // By symbol: what the sums approach.
  alignas(16) static constexpr auto targets = [] {
    std::array<shares, symbols> out{};
    for (unsigned symbol = 0; symbol < symbols; ++symbol)
      for (unsigned s = symbol; s < symbols; ++s) out[symbol][s] = whole;
    return out;
  }();

  // In 16 bits throughout. Without a branch, because with many models the adaptation state is hard to predict for the
  // processor.
  TICKREEL_IN_LOOP void learn(unsigned symbol) noexcept {
    const int rate = rates[seen];
    seen = static_cast<std::uint16_t>(seen + static_cast<unsigned>(seen < enough_seen));
    const std::int16_t* const target = targets[symbol].data();
    std::int16_t* const share = up_to.data();
#if defined(TICKREEL_TRACKS_SSE2)
    // A compiler does not know that a target is no share.
    const __m128i shift = _mm_cvtsi32_si128(rate);
    for (std::size_t s = 0; s < symbols; s += 8) {
      auto* const eight = reinterpret_cast<__m128i*>(share + s);
      const __m128i was = _mm_load_si128(eight);
      const __m128i off = _mm_sub_epi16(_mm_load_si128(reinterpret_cast<const __m128i*>(target + s)), was);
      _mm_store_si128(eight, _mm_add_epi16(was, _mm_sra_epi16(off, shift)));
    }
#else
    TICKREEL_AS_VECTOR
    for (std::size_t s = 0; s < symbols; ++s) {
      const auto off = static_cast<std::int16_t>(target[s] - share[s]);
      share[s] = static_cast<std::int16_t>(share[s] + static_cast<std::int16_t>(off >> rate));
    }
#endif
  }
};

using shares = symbol_model::shares;

[[nodiscard]] inline std::uint32_t share_before(const shares& up_to, unsigned symbol) noexcept {
  // The symbol is hard to predict for the processor, so there is no branch.
  const std::uint32_t all_unless_first = 0u - static_cast<std::uint32_t>(symbol != 0);
  return (static_cast<std::uint32_t>(up_to[(symbol - 1) & 15]) + symbol) & all_unless_first;
}
[[nodiscard]] inline std::uint32_t share_through(const shares& up_to, unsigned symbol) noexcept {
  return static_cast<std::uint32_t>(up_to[symbol]) + symbol + 1;
}

// The first symbol whose sum exceeds `at`, which is below 2^15. Sums rise with the symbols, so the number of
// true comparisons is its index.
[[nodiscard]] TICKREEL_IN_LOOP unsigned symbol_at(const shares& up_to, unsigned at) noexcept {
#if defined(TICKREEL_TRACKS_SSE2)
  const __m128i sought = _mm_set1_epi16(static_cast<std::int16_t>(at));
  const __m128i low = _mm_add_epi16(_mm_load_si128(reinterpret_cast<const __m128i*>(up_to.data())),
                                    _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7));
  const __m128i high = _mm_add_epi16(_mm_load_si128(reinterpret_cast<const __m128i*>(up_to.data() + 8)),
                                     _mm_setr_epi16(8, 9, 10, 11, 12, 13, 14, 15));
  const __m128i beyond = _mm_packs_epi16(_mm_cmpgt_epi16(sought, low), _mm_cmpgt_epi16(sought, high));
  return static_cast<unsigned>(std::countr_one(static_cast<unsigned>(_mm_movemask_epi8(beyond))));
#else
  const auto sought = static_cast<std::int16_t>(at);
  std::int16_t below = 0;
  TICKREEL_AS_VECTOR
  for (std::int16_t s = 0; s < 16; ++s)
    below = static_cast<std::int16_t>(
        below + (sought > static_cast<std::int16_t>(up_to[static_cast<std::size_t>(s)] + s) ? 1 : 0));
  return static_cast<unsigned>(below);
#endif
}

}  // namespace tickreel::tracks
