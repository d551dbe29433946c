// An adaptive range coder with a 64-bit range; carries propagate into bytes already written. Bits without a
// model are stored unchanged from the end of the same bytes backwards. Encoder and decoder have the same
// members, so that a template over them defines the coding once: the encoder returns its argument, the
// decoder the value that it reads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "coder_models.hpp"
#include "tickreel/bytes/endian.hpp"
#include "tickreel/bytes/span.hpp"

namespace tickreel::tracks {

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
    // Calls use(coder), for what happens rarely.
    template <class Use>
    TICKREEL_IN_LOOP void pause(Use&& use) noexcept {
      done();
      use(*home_);
      *this = at_work(*home_);
    }

    TICKREEL_IN_LOOP bool bit(bit_model& model, bool value) noexcept {
      const std::uint64_t part = model.part_of(range_);
      raise(value ? 0 : part);
      range_ = value ? part : range_ - part;
      settle();
      model.learn(value);
      return value;
    }
    TICKREEL_IN_LOOP unsigned random_bit(bit_model& model, bool value) noexcept {
      return bit(model, value) ? 1 : 0;
    }
    TICKREEL_IN_LOOP unsigned symbol(const shares& up_to, unsigned value, unsigned /*likely*/) noexcept {
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
  unsigned symbol(const shares& up_to, unsigned value, unsigned likely) noexcept {
    at_work now(*this);
    now.symbol(up_to, value, likely);
    now.done();
    return value;
  }
  // The low `count` bits unchanged; at most 32 of them.
  std::uint64_t even_bits(std::uint64_t value, unsigned count) noexcept {
    even_ |= (value & ((std::uint64_t{1} << count) - 1)) << even_count_;
    even_count_ += count;
    if (even_count_ < 32) return value;
    if (end_ - next_ < 4) {
      failed_ = true;
    } else {
      end_ -= 4;
      detail::store<std::endian::big>(end_, static_cast<std::uint32_t>(even_));
    }
    even_ >>= 32;
    even_count_ -= 32;
    return value;
  }

  // The number of used bytes, from the start of the memory.
  [[nodiscard]] std::size_t finish() noexcept {
    for (; even_count_ > 0; even_count_ -= std::min(even_count_, 8u)) {
      put_at_end(static_cast<std::byte>(even_ & 0xFF));
      even_ >>= 8;
    }
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
    code_ = std::uint64_t{take()} << 32;
    code_ |= take();
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
    template <class Use>
    TICKREEL_IN_LOOP void pause(Use&& use) noexcept {
      done();
      use(*home_);
      *this = at_work(*home_);
    }

    // One that the processor cannot predict, such as a sign: without a branch. 1 or 0.
    TICKREEL_IN_LOOP unsigned random_bit(bit_model& model, bool /*unknown*/) noexcept {
      const std::uint64_t part = model.part_of(range_);
      const std::uint64_t unless = opaque(0 - static_cast<std::uint64_t>(code_ >= part));
      code_ -= part & unless;
      range_ = part + ((range_ - 2 * part) & unless);
      settle();
      const auto value = static_cast<unsigned>(unless + 1);
      model.learn(value != 0);
      return value;
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
    TICKREEL_IN_LOOP unsigned symbol(const shares& up_to, unsigned /*unknown*/, unsigned likely) noexcept {
      const std::uint64_t part = range_ >> symbol_model::bits;
      // The processor predicts that a frequent symbol occurs, and does not wait for the division.
      const std::uint32_t before_likely = share_before(up_to, likely);
      const std::uint32_t share = share_through(up_to, likely) - before_likely;
      if (share > symbol_model::frequent) {
        const std::uint64_t off = code_ - part * before_likely;
        if (off < part * share) {
          code_ = off;
          range_ = part * share;
          settle();
          return likely;
        }
      }
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
      code_ <<= 32;
      range_ <<= 32;
      // No reference to a member, so that all stay in registers.
      if (home_->end_ - next_ >= 4) {
        code_ |= detail::load<std::endian::big, std::uint32_t>(next_);
        next_ += 4;
      } else {
        code_ |= home_->take_last(next_);
        next_ = home_->end_;
      }
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
  unsigned symbol(const shares& up_to, unsigned /*unknown*/, unsigned likely) noexcept {
    at_work now(*this);
    const unsigned value = now.symbol(up_to, 0, likely);
    now.done();
    return value;
  }
  std::uint64_t even_bits(std::uint64_t /*unknown*/, unsigned count) noexcept {
    if (even_count_ < count) take_even();
    const std::uint64_t value = even_ & ((std::uint64_t{1} << count) - 1);
    even_ >>= count;
    even_count_ -= count;
    return value;
  }

 private:
  std::uint32_t take() noexcept {
    if (end_ - next_ < 4) return take_last(std::exchange(next_, end_));
    next_ += 4;
    return detail::load<std::endian::big, std::uint32_t>(next_ - 4);
  }
  // The last bytes, at most three of them, and zeros.
  [[nodiscard]] TICKREEL_SELDOM std::uint32_t take_last(const std::byte* next) const noexcept {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i)
      value = (value << 8) | (next == end_ ? 0 : std::to_integer<std::uint32_t>(*next++));
    return value;
  }

  // 32 more bits for even_bits().
  void take_even() noexcept {
    std::uint32_t value = 0;
    if (last_ - begin_ >= 4) {
      last_ -= 4;
      value = detail::load<std::endian::big, std::uint32_t>(last_);
    } else {
      for (unsigned at = 0; last_ != begin_; at += 8) value |= std::to_integer<std::uint32_t>(*--last_) << at;
    }
    even_ |= std::uint64_t{value} << even_count_;
    even_count_ += 32;
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
