// An adaptive range coder with a 64-bit range; carries propagate into bytes already written. Bits without a
// model are stored unchanged from the end of the same bytes backwards. Encoder and decoder have the same
// members, so that a template over them defines the coding once: the encoder returns its argument, the
// decoder the value that it reads.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__) && !defined(TICKREEL_WITHOUT_SIMD)
#include <emmintrin.h>
#define TICKREEL_TRACKS_SSE2
#endif

#include "as_vector.hpp"
#include "tickreel/bytes/endian.hpp"
#include "tickreel/bytes/span.hpp"

// In the loop over a column's values; a call would move the coder's state out of its registers.
#if defined(__GNUC__)
#define TICKREEL_IN_LOOP [[gnu::always_inline]] inline
#else
#define TICKREEL_IN_LOOP inline
#endif

namespace tickreel::tracks {

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

  void learn(bool bit) noexcept {
    const std::int32_t off = (bit ? 65535 : 0) - std::int32_t{probability};
    probability = static_cast<std::uint16_t>(probability + (off * std::int32_t{rates[seen]} >> 15));
    if (seen < slowest) ++seen;
  }
  // Never zero, never everything.
  [[nodiscard]] std::uint64_t part_of(std::uint64_t range) const noexcept {
    return (range >> 16) * std::clamp<std::uint64_t>(probability, 16, 65520);
  }
};

// The probabilities of sixteen symbols.
struct symbol_model {
  static constexpr unsigned symbols = 16;
  static constexpr unsigned bits = 15;
  // The part that adapts; each symbol has 1 in addition.
  static constexpr std::int16_t whole = (1 << bits) - symbols;

  using shares = std::array<std::int16_t, symbols>;

  // up_to[s]: the sum of the symbols 0 to s.
  alignas(16) shares up_to;
  std::uint16_t seen = 0;

  // In 16 bits throughout, so that compilers turn it into a few vector instructions. Without a branch,
  // because with many models the adaptation state is hard to predict for the processor.
  void learn(unsigned symbol) noexcept {
    const auto at = static_cast<std::int16_t>(symbol);
    const int rate = 4 + static_cast<int>(seen >= 16) + static_cast<int>(seen >= 64);
    seen = static_cast<std::uint16_t>(seen + static_cast<unsigned>(seen < 64));
    std::int16_t* share = up_to.data();
    TICKREEL_AS_VECTOR
    for (std::int16_t s = 0; s < 16; ++s) {
      const auto target = static_cast<std::int16_t>(s >= at ? whole : 0);
      const auto off = static_cast<std::int16_t>(target - share[s]);
      share[s] = static_cast<std::int16_t>(share[s] + static_cast<std::int16_t>(off >> rate));
    }
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

// Writes into memory that it does not own; failed() if it does not fit.
class range_encoder {
 public:
  static constexpr bool decodes = false;

  explicit range_encoder(mutable_byte_span room) noexcept
      : begin_(room.data()), next_(begin_), end_(begin_ + room.size()), room_end_(end_) {}

  // The members that change with every symbol, in registers during a loop. Nothing else may use the encoder
  // before done().
  class at_work {
   public:
    static constexpr bool decodes = false;
    explicit at_work(range_encoder& home) noexcept
        : home_(&home), low_(home.low_), range_(home.range_), next_(home.next_) {}
    void done() noexcept {
      home_->low_ = low_;
      home_->range_ = range_;
      home_->next_ = next_;
    }

    TICKREEL_IN_LOOP bool bit(bit_model& model, bool value) noexcept {
      const std::uint64_t part = model.part_of(range_);
      raise(value ? 0 : part);
      range_ = value ? part : range_ - part;
      settle();
      model.learn(value);
      return value;
    }
    TICKREEL_IN_LOOP unsigned symbol(const shares& up_to, unsigned value) noexcept {
      const std::uint64_t part = range_ >> symbol_model::bits;
      const std::uint32_t before = share_before(up_to, value);
      raise(part * before);
      range_ = part * (share_through(up_to, value) - before);
      settle();
      return value;
    }
    TICKREEL_IN_LOOP std::uint64_t even_bits(std::uint64_t value, unsigned count) noexcept {
      home_->next_ = next_;  // bytes from the other end, which may meet these
      return home_->even_bits(value, count);
    }

   private:
    TICKREEL_IN_LOOP void raise(std::uint64_t by) noexcept {
      low_ += by;
      if (low_ < by) home_->carry(next_);
    }
    TICKREEL_IN_LOOP void settle() noexcept {
      if (range_ >> 32 != 0) return;
      if (home_->end_ - next_ < 4) {
        home_->failed_ = true;
      } else {
        detail::store<std::endian::big>(next_, static_cast<std::uint32_t>(low_ >> 32));
        next_ += 4;
      }
      low_ <<= 32;
      range_ <<= 32;
    }

    range_encoder* home_;
    std::uint64_t low_;
    std::uint64_t range_;
    std::byte* next_;
  };

  bool bit(bit_model& model, bool value) noexcept {
    at_work now(*this);
    now.bit(model, value);
    now.done();
    return value;
  }
  unsigned symbol(const shares& up_to, unsigned value) noexcept {
    at_work now(*this);
    now.symbol(up_to, value);
    now.done();
    return value;
  }
  // The low `count` bits unchanged; at most 32 of them.
  std::uint64_t even_bits(std::uint64_t value, unsigned count) noexcept {
    even_ |= (value & ((std::uint64_t{1} << count) - 1)) << even_count_;
    for (even_count_ += count; even_count_ >= 8; even_count_ -= 8) {
      put_at_end(static_cast<std::byte>(even_ & 0xFF));
      even_ >>= 8;
    }
    return value;
  }

  // The number of used bytes, from the start of the memory.
  [[nodiscard]] std::size_t finish() noexcept {
    if (even_count_ > 0) put_at_end(static_cast<std::byte>(even_));
    // As few bytes as identify the range, whatever follows.
    for (unsigned kept = 8; kept <= 64; kept += 8) {
      const std::uint64_t below = kept == 64 ? 0 : ~std::uint64_t{0} >> kept;
      const std::uint64_t value = (low_ + below) & ~below;
      const std::uint64_t off = value - low_;
      if (off > range_ - 1 || below > range_ - 1 - off) continue;
      if (value < low_) carry(next_);
      for (unsigned i = 0; i < kept; i += 8) put(static_cast<std::byte>(value >> (56 - i) & 0xFF));
      break;
    }
    if (failed_) return 0;
    const auto front = static_cast<std::size_t>(next_ - begin_);
    const auto raw_bytes = static_cast<std::size_t>(room_end_ - end_);
    std::memmove(next_, end_, raw_bytes);
    return front + raw_bytes;
  }
  [[nodiscard]] bool failed() const noexcept { return failed_; }

 private:
  void carry(std::byte* from) noexcept {
    while (from != begin_) {
      --from;
      *from = static_cast<std::byte>(std::to_integer<unsigned>(*from) + 1);
      if (*from != std::byte{0}) break;
    }
  }
  void put(std::byte value) noexcept {
    if (next_ == end_) {
      failed_ = true;
    } else {
      *next_++ = value;
    }
  }
  void put_at_end(std::byte value) noexcept {
    if (next_ == end_) {
      failed_ = true;
    } else {
      *--end_ = value;
    }
  }

  std::byte* begin_;
  std::byte* next_;
  std::byte* end_;  // the start of the bytes written from the end
  std::byte* room_end_;
  std::uint64_t low_ = 0;
  std::uint64_t range_ = ~std::uint64_t{0};
  std::uint64_t even_ = 0;
  unsigned even_count_ = 0;
  bool failed_ = false;
};

// Any bytes decode to something, never to an error.
class range_decoder {
 public:
  static constexpr bool decodes = true;

  explicit range_decoder(byte_span input) noexcept
      : begin_(input.data()), next_(begin_), end_(begin_ + input.size()), last_(end_) {
    code_ = std::uint64_t{take(next_)} << 32;
    code_ |= take(next_);
  }

  // As in the encoder.
  class at_work {
   public:
    static constexpr bool decodes = true;
    explicit at_work(range_decoder& home) noexcept
        : home_(&home), code_(home.code_), range_(home.range_), next_(home.next_) {}
    void done() noexcept {
      home_->code_ = code_;
      home_->range_ = range_;
      home_->next_ = next_;
    }

    TICKREEL_IN_LOOP bool bit(bit_model& model, bool /*unknown*/ = false) noexcept {
      const std::uint64_t part = model.part_of(range_);
      const bool value = code_ < part;
      code_ -= value ? 0 : part;
      range_ = value ? part : range_ - part;
      settle();
      model.learn(value);
      return value;
    }
    TICKREEL_IN_LOOP unsigned symbol(const shares& up_to, unsigned /*unknown*/ = 0) noexcept {
      const std::uint64_t part = range_ >> symbol_model::bits;
      // A higher value comes from bytes that no encoder wrote.
      const auto at =
          static_cast<unsigned>(std::min<std::uint64_t>(code_ / part, (1u << symbol_model::bits) - 1));
      const unsigned value = symbol_at(up_to, at);
      const std::uint32_t before = share_before(up_to, value);
      code_ -= part * before;
      range_ = part * (share_through(up_to, value) - before);
      settle();
      return value;
    }
    TICKREEL_IN_LOOP std::uint64_t even_bits(std::uint64_t unknown, unsigned count) noexcept {
      return home_->even_bits(unknown, count);
    }

   private:
    TICKREEL_IN_LOOP void settle() noexcept {
      if (range_ >> 32 != 0) return;
      code_ = (code_ << 32) | home_->take(next_);
      range_ <<= 32;
    }

    range_decoder* home_;
    std::uint64_t code_;
    std::uint64_t range_;
    const std::byte* next_;
  };

  bool bit(bit_model& model, bool /*unknown*/ = false) noexcept {
    at_work now(*this);
    const bool value = now.bit(model);
    now.done();
    return value;
  }
  unsigned symbol(const shares& up_to, unsigned /*unknown*/ = 0) noexcept {
    at_work now(*this);
    const unsigned value = now.symbol(up_to);
    now.done();
    return value;
  }
  std::uint64_t even_bits(std::uint64_t /*unknown*/, unsigned count) noexcept {
    while (even_count_ < count) {
      const std::uint64_t byte = last_ == begin_ ? 0 : std::to_integer<std::uint64_t>(*--last_);
      even_ |= byte << even_count_;
      even_count_ += 8;
    }
    const std::uint64_t value = even_ & ((std::uint64_t{1} << count) - 1);
    even_ >>= count;
    even_count_ -= count;
    return value;
  }

 private:
  std::uint32_t take(const std::byte*& next) const noexcept {
    if (end_ - next >= 4) {
      const auto value = detail::load<std::endian::big, std::uint32_t>(next);
      next += 4;
      return value;
    }
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i)
      value = (value << 8) | (next == end_ ? 0 : std::to_integer<std::uint32_t>(*next++));
    return value;
  }

  const std::byte* begin_;
  const std::byte* next_;
  const std::byte* end_;
  const std::byte* last_;  // of those not yet read backwards
  std::uint64_t code_ = 0;
  std::uint64_t range_ = ~std::uint64_t{0};
  std::uint64_t even_ = 0;
  unsigned even_count_ = 0;
};

}  // namespace tickreel::tracks
