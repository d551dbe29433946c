// Half-precision floats (IEEE 754 binary16) as their 16 bits: 11 significant bits, largest 65504.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

namespace tickreel {

inline constexpr float half_max = 65504.0f;

// Rounds to nearest, ties to even; infinity from 65520 on. NaNs stay NaNs and become quiet.
[[nodiscard]] inline std::uint16_t half_nearest(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  std::uint32_t half;
  if (magnitude > 0x7F800000u) {
    half = 0x7E00u | ((magnitude >> 13) & 0x03FFu);
  } else if (magnitude >= 0x477FF000u) {  // 65520
    half = 0x7C00u;
  } else if (magnitude >= 0x38800000u) {  // 2^-14
    // A carry out of the mantissa increments the exponent, which is correct rounding.
    const std::uint32_t odd = (magnitude >> 13) & 1u;
    half = (magnitude - (112u << 23) + 0x0FFFu + odd) >> 13;
  } else {
    // After adding 1/2 the last of 24 bits is worth 2^-24, so the addition rounds correctly.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    half = std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(0.5f);
  }
  return static_cast<std::uint16_t>(sign | half);
}

// Exact. NaNs keep their upper bits and become quiet.
[[nodiscard]] inline float half_to_float(std::uint16_t half) noexcept {
  const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16;
  const std::uint32_t magnitude = half & 0x7FFFu;
  if (magnitude < 0x0400u) {
    const float value = static_cast<float>(magnitude) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(value));
  }
  std::uint32_t bits = (magnitude << 13) + (112u << 23);
  if (magnitude >= 0x7C00u) bits += 112u << 23;
  if (magnitude > 0x7C00u) bits |= 0x00400000u;
  return std::bit_cast<float>(sign | bits);
}

// Converts min(from.size(), to.size()) values, with the processor's own conversion if available. The results
// equal those of the functions above bit for bit. Thread-safe.
void half_to_float(std::span<const std::uint16_t> from, std::span<float> to) noexcept;
void half_nearest(std::span<const float> from, std::span<std::uint16_t> to) noexcept;

}  // namespace tickreel
