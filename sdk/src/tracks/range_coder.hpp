// An adaptive binary range coder: 32 bits of range, carries written back into what is out already, probabilities
// of 16 bits of which 12 count. Encoder and decoder have the same members, so that what is coded is written down
// once, as a template over them: bit() returns the bit, which the decoder does not look at before.
#pragma once

#include <array>
#include <cstdint>

#include "tickreel/bytes/span.hpp"

namespace tickreel::tracks {

// How likely a bit is 1, and how often it was asked: the more often, the slower it learns.
struct bit_model {
  std::uint16_t probability = 1u << 15;
  std::uint16_t seen = 0;
};

inline constexpr unsigned slowest_learning = 30;

// 32768 / (n + 1.6): learning from the n-th bit on.
inline constexpr auto learning_rates = [] {
  std::array<std::uint16_t, slowest_learning + 1> rates{};
  for (unsigned n = 0; n <= slowest_learning; ++n) rates[n] = static_cast<std::uint16_t>(327680u / (10 * n + 16));
  return rates;
}();

inline void learn(bit_model& model, bool bit) noexcept {
  const std::int32_t target = bit ? 65535 : 0;
  const std::int32_t off = target - std::int32_t{model.probability};
  model.probability = static_cast<std::uint16_t>(model.probability + (off * std::int32_t{learning_rates[model.seen]} >> 15));
  if (model.seen < slowest_learning) ++model.seen;
}

// The part of a range that stands for a 1: never nothing, never all.
inline std::uint32_t part_of(std::uint32_t range, std::uint32_t probability12) noexcept {
  const std::uint32_t kept = probability12 < 1 ? 1 : probability12 > 4095 ? 4095 : probability12;
  return (range >> 12) * kept;
}

inline constexpr std::uint32_t least_range = 1u << 24;

// Writes into room it does not own; what does not fit sets failed().
class range_encoder {
 public:
  static constexpr bool decodes = false;

  explicit range_encoder(mutable_byte_span room) noexcept : out_(room.data()), room_(room.size()) {}

  bool bit(bit_model& model, bool value) noexcept {
    value = weighted(std::uint32_t{model.probability} >> 4, value);
    learn(model, value);
    return value;
  }
  bool weighted(std::uint32_t probability12, bool value) noexcept {
    const std::uint32_t part = part_of(range_, probability12);
    if (value) {
      range_ = part;
    } else {
      raise(part);
      range_ -= part;
    }
    settle();
    return value;
  }
  // The low `count` bits as they are; at most 16 of them.
  std::uint32_t even_bits(std::uint32_t value, unsigned count) noexcept {
    range_ >>= count;
    raise(range_ * value);
    settle();
    return value;
  }

  // The bytes that were needed. A decoder reads zeros behind them.
  [[nodiscard]] std::size_t finish() noexcept {
    for (unsigned kept = 0; kept <= 32; kept += 8) {
      const std::uint64_t below = (std::uint64_t{1} << (32 - kept)) - 1;
      const std::uint64_t value = (low_ + below) & ~below;
      if (value >= std::uint64_t{low_} + range_) continue;
      if (value >> 32 != 0) carry();
      for (unsigned i = 0; i < kept; i += 8) put(static_cast<std::uint8_t>(value >> (24 - i)));
      break;
    }
    if (failed_) return 0;
    while (size_ > 0 && out_[size_ - 1] == std::byte{0}) --size_;
    return size_;
  }
  [[nodiscard]] bool failed() const noexcept { return failed_; }

 private:
  void raise(std::uint32_t by) noexcept {
    low_ += by;
    if (low_ < by) carry();
  }
  void carry() noexcept {
    for (std::size_t i = size_; i > 0;) {
      --i;
      out_[i] = static_cast<std::byte>(std::to_integer<unsigned>(out_[i]) + 1);
      if (out_[i] != std::byte{0}) break;
    }
  }
  void settle() noexcept {
    while (range_ < least_range) {
      put(static_cast<std::uint8_t>(low_ >> 24));
      low_ <<= 8;
      range_ <<= 8;
    }
  }
  void put(std::uint8_t value) noexcept {
    if (size_ == room_) {
      failed_ = true;
      return;
    }
    out_[size_++] = static_cast<std::byte>(value);
  }

  std::byte* out_;
  std::size_t room_;
  std::size_t size_ = 0;
  std::uint32_t low_ = 0;
  std::uint32_t range_ = ~std::uint32_t{0};
  bool failed_ = false;
};

// Any bytes decode to something, and never to an error.
class range_decoder {
 public:
  static constexpr bool decodes = true;

  explicit range_decoder(byte_span input) noexcept : next_(input.data()), end_(input.data() + input.size()) {
    for (int i = 0; i < 4; ++i) code_ = (code_ << 8) | take();
  }

  bool bit(bit_model& model, bool /*unknown*/ = false) noexcept {
    const bool value = weighted(std::uint32_t{model.probability} >> 4);
    learn(model, value);
    return value;
  }
  bool weighted(std::uint32_t probability12, bool /*unknown*/ = false) noexcept {
    const std::uint32_t part = part_of(range_, probability12);
    const bool value = code_ < part;
    if (value) {
      range_ = part;
    } else {
      code_ -= part;
      range_ -= part;
    }
    settle();
    return value;
  }
  std::uint32_t even_bits(std::uint32_t /*unknown*/, unsigned count) noexcept {
    range_ >>= count;
    std::uint32_t value = code_ / range_;
    // Only bytes that no encoder wrote get there.
    if (value >> count != 0) value = (1u << count) - 1;
    code_ -= value * range_;
    settle();
    return value;
  }

 private:
  void settle() noexcept {
    while (range_ < least_range) {
      code_ = (code_ << 8) | take();
      range_ <<= 8;
    }
  }
  std::uint32_t take() noexcept { return next_ == end_ ? 0 : std::to_integer<std::uint32_t>(*next_++); }

  const std::byte* next_;
  const std::byte* end_;
  std::uint32_t code_ = 0;
  std::uint32_t range_ = ~std::uint32_t{0};
};

}  // namespace tickreel::tracks
