#include "tickreel/quantize/half.hpp"

#include <algorithm>
#include <cstddef>

#if defined(__x86_64__) || defined(_M_X64)
#define TICKREEL_X86_64 1
#include <immintrin.h>
#ifdef _MSC_VER
#include <intrin.h>
#else
#include <cpuid.h>
#endif
// Clang also needs it in its Microsoft-compatible mode, where Microsoft's compiler accepts such instructions
// anywhere.
#if defined(__GNUC__) || defined(__clang__)
#define TICKREEL_TARGET_F16C __attribute__((target("avx,f16c")))
#define TICKREEL_TARGET_XSAVE __attribute__((target("xsave")))
#else
#define TICKREEL_TARGET_F16C
#define TICKREEL_TARGET_XSAVE
#endif
#endif

namespace tickreel {

namespace {

void to_float_portable(const std::uint16_t* from, float* to, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) to[i] = half_to_float(from[i]);
}

void to_half_portable(const float* from, std::uint16_t* to, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) to[i] = half_nearest(from[i]);
}

#ifdef TICKREEL_X86_64

TICKREEL_TARGET_F16C void to_float_f16c(const std::uint16_t* from, float* to, std::size_t count) noexcept {
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i halves = _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(from + i)));
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(halves));
  }
  _mm256_zeroupper();
  to_float_portable(from + i, to + i, count - i);
}

TICKREEL_TARGET_F16C void to_half_f16c(const float* from, std::uint16_t* to, std::size_t count) noexcept {
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i halves =
        _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(to + i)), halves);
  }
  _mm256_zeroupper();
  to_half_portable(from + i, to + i, count - i);
}

// CPUID leaf 1, ECX: bit 27 the system saves extended registers, 28 AVX, 29 F16C. XGETBV: it saves the AVX
// ones.
TICKREEL_TARGET_XSAVE bool has_f16c() noexcept {
  constexpr unsigned needed = (1u << 27) | (1u << 28) | (1u << 29);
#ifdef _MSC_VER
  int registers[4] = {};
  __cpuid(registers, 1);
  if ((static_cast<unsigned>(registers[2]) & needed) != needed) return false;
  return (_xgetbv(0) & 6) == 6;
#else
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & needed) != needed) return false;
  unsigned low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (low & 6) == 6;
#endif
}

const bool f16c_available = has_f16c();

#endif

}  // namespace

void half_to_float(std::span<const std::uint16_t> from, std::span<float> to) noexcept {
  const std::size_t count = std::min(from.size(), to.size());
#ifdef TICKREEL_X86_64
  if (f16c_available) return to_float_f16c(from.data(), to.data(), count);
#endif
  to_float_portable(from.data(), to.data(), count);
}

void half_nearest(std::span<const float> from, std::span<std::uint16_t> to) noexcept {
  const std::size_t count = std::min(from.size(), to.size());
#ifdef TICKREEL_X86_64
  if (f16c_available) return to_half_f16c(from.data(), to.data(), count);
#endif
  to_half_portable(from.data(), to.data(), count);
}

}  // namespace tickreel
