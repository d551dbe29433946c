// Numbers to and from bytes of a stated order, one load or store each. No bounds check: byte_reader and
// byte_writer do that.
#pragma once

#include <bit>
#include <cstring>
#include <type_traits>

#include "tickreel/bytes/span.hpp"

namespace tickreel::detail {

// The unsigned integer as wide as T.
template <class T>
using wire_bits =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

// Compilers turn this form into one instruction.
[[nodiscard]] constexpr std::uint16_t swap_bytes(std::uint16_t bits) noexcept {
  return static_cast<std::uint16_t>((bits << 8) | (bits >> 8));
}
[[nodiscard]] constexpr std::uint32_t swap_bytes(std::uint32_t bits) noexcept {
  return (bits << 24) | ((bits << 8) & 0x00FF0000u) | ((bits >> 8) & 0x0000FF00u) | (bits >> 24);
}
[[nodiscard]] constexpr std::uint64_t swap_bytes(std::uint64_t bits) noexcept {
  return (std::uint64_t{swap_bytes(static_cast<std::uint32_t>(bits))} << 32) |
         swap_bytes(static_cast<std::uint32_t>(bits >> 32));
}

// Reads sizeof(T) bytes.
template <std::endian Order, class T>
[[nodiscard]] T load(const std::byte* from) noexcept {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && sizeof(T) == sizeof(wire_bits<T>));
  wire_bits<T> bits;
  std::memcpy(&bits, from, sizeof(bits));
  if constexpr (Order != std::endian::native && sizeof(T) > 1) bits = swap_bytes(bits);
  return std::bit_cast<T>(bits);
}

// Writes sizeof(T) bytes.
template <std::endian Order, class T>
void store(std::byte* to, T value) noexcept {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && sizeof(T) == sizeof(wire_bits<T>));
  auto bits = std::bit_cast<wire_bits<T>>(value);
  if constexpr (Order != std::endian::native && sizeof(T) > 1) bits = swap_bytes(bits);
  std::memcpy(to, &bits, sizeof(bits));
}

}  // namespace tickreel::detail
