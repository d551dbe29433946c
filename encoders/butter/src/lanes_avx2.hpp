// Eight numbers side by side: like sse2_lanes with four. Only for code that is compiled for AVX2.
#pragma once

#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "tickreel/quantize/smallest_three.hpp"

namespace tickreel::butter {

struct avx2_lanes {
  static constexpr std::size_t width = 8;

  struct ints {
    __m256i lane;

    ints operator+(ints b) const noexcept { return {_mm256_add_epi32(lane, b.lane)}; }
    ints operator-(ints b) const noexcept { return {_mm256_sub_epi32(lane, b.lane)}; }
    ints operator&(ints b) const noexcept { return {_mm256_and_si256(lane, b.lane)}; }
    ints operator|(ints b) const noexcept { return {_mm256_or_si256(lane, b.lane)}; }
    ints operator^(ints b) const noexcept { return {_mm256_xor_si256(lane, b.lane)}; }
  };
  struct floats {
    __m256 lane;

    floats operator+(floats b) const noexcept { return {_mm256_add_ps(lane, b.lane)}; }
    floats operator-(floats b) const noexcept { return {_mm256_sub_ps(lane, b.lane)}; }
    floats operator*(floats b) const noexcept { return {_mm256_mul_ps(lane, b.lane)}; }
    floats operator/(floats b) const noexcept { return {_mm256_div_ps(lane, b.lane)}; }
  };

  static floats all(float value) noexcept { return {_mm256_set1_ps(value)}; }
  static ints all(std::uint32_t value) noexcept { return {_mm256_set1_epi32(static_cast<int>(value))}; }
  static floats load(const float* from) noexcept { return {_mm256_loadu_ps(from)}; }
  static ints load(const std::uint32_t* from) noexcept {
    return {_mm256_loadu_si256(static_cast<const __m256i*>(static_cast<const void*>(from)))};
  }
  static void store(float* to, floats value) noexcept { _mm256_storeu_ps(to, value.lane); }
  static void store(std::uint32_t* to, ints value) noexcept {
    _mm256_storeu_si256(static_cast<__m256i*>(static_cast<void*>(to)), value.lane);
  }
  static floats load_parts(const std::array<const float*, 2>& from) noexcept {
    return {halves(from[0], from[1])};
  }
  static ints load_parts(const std::array<const std::uint32_t*, 2>& from) noexcept {
    return bits({halves(from[0], from[1])});
  }
  static void store_parts(const std::array<float*, 2>& to, floats value) noexcept {
    _mm_storeu_ps(to[0], _mm256_castps256_ps128(value.lane));
    _mm_storeu_ps(to[1], _mm256_extractf128_ps(value.lane, 1));
  }
  static void store_parts(const std::array<std::uint32_t*, 2>& to, ints value) noexcept {
    _mm_storeu_si128(pointer(to[0]), _mm256_castsi256_si128(value.lane));
    _mm_storeu_si128(pointer(to[1]), _mm256_extracti128_si256(value.lane, 1));
  }

  static ints bits(floats a) noexcept { return {_mm256_castps_si256(a.lane)}; }
  static floats from_bits(ints a) noexcept { return {_mm256_castsi256_ps(a.lane)}; }
  static floats square_root(floats a) noexcept { return {_mm256_sqrt_ps(a.lane)}; }
  // Ordered comparisons are false where one side is NaN, as with four numbers.
  static ints less(floats a, floats b) noexcept { return bits({_mm256_cmp_ps(a.lane, b.lane, _CMP_LT_OS)}); }
  static ints less_equal(floats a, floats b) noexcept {
    return bits({_mm256_cmp_ps(a.lane, b.lane, _CMP_LE_OS)});
  }
  static ints equal(ints a, ints b) noexcept { return {_mm256_cmpeq_epi32(a.lane, b.lane)}; }
  static ints less(ints a, ints b) noexcept { return {_mm256_cmpgt_epi32(b.lane, a.lane)}; }
  template <unsigned Count>
  static ints left(ints a) noexcept {
    return {_mm256_slli_epi32(a.lane, Count)};
  }
  template <unsigned Count>
  static ints right(ints a) noexcept {
    return {_mm256_srli_epi32(a.lane, Count)};
  }
  static ints to_ints(floats a) noexcept { return {_mm256_cvttps_epi32(a.lane)}; }
  static floats to_floats(ints a) noexcept { return {_mm256_cvtepi32_ps(a.lane)}; }
  static unsigned mask_of(ints a) noexcept {
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(a.lane)));
  }
  static ints where(unsigned mask) noexcept {
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return {_mm256_cmpeq_epi32(_mm256_and_si256(all(mask).lane, bits), bits)};
  }
  static floats rotation_components(ints codes) noexcept {
    const __m256 fraction = _mm256_div_ps(_mm256_cvtepi32_ps(codes.lane), _mm256_set1_ps(1023.0f));
    return {_mm256_set_m128(component(_mm256_extractf128_ps(fraction, 1)),
                            component(_mm256_castps256_ps128(fraction)))};
  }
  static void load_columns(const std::array<const void*, width>& rows, floats& a, floats& b, floats& c,
                           floats& d) noexcept {
    // Each half is transposed like four separate rows.
    const __m256 row[4] = {halves(rows[0], rows[4]), halves(rows[1], rows[5]), halves(rows[2], rows[6]),
                           halves(rows[3], rows[7])};
    const __m256 low_01 = _mm256_unpacklo_ps(row[0], row[1]);
    const __m256 low_23 = _mm256_unpacklo_ps(row[2], row[3]);
    const __m256 high_01 = _mm256_unpackhi_ps(row[0], row[1]);
    const __m256 high_23 = _mm256_unpackhi_ps(row[2], row[3]);
    a.lane = _mm256_shuffle_ps(low_01, low_23, _MM_SHUFFLE(1, 0, 1, 0));
    b.lane = _mm256_shuffle_ps(low_01, low_23, _MM_SHUFFLE(3, 2, 3, 2));
    c.lane = _mm256_shuffle_ps(high_01, high_23, _MM_SHUFFLE(1, 0, 1, 0));
    d.lane = _mm256_shuffle_ps(high_01, high_23, _MM_SHUFFLE(3, 2, 3, 2));
  }
  static void load_vectors(const void* from, floats& x, floats& y, floats& z) noexcept {
    // Vectors 0 to 3 in one half and 4 to 7 in the other.
    const auto* const low = static_cast<const float*>(from);
    const float* const high = low + 12;
    const __m256 first = halves(low, high);           // x0 y0 z0 x1
    const __m256 second = halves(low + 4, high + 4);  // y1 z1 x2 y2
    const __m256 third = halves(low + 8, high + 8);   // z2 x3 y3 z3
    const __m256 yz_01 = _mm256_shuffle_ps(first, second, _MM_SHUFFLE(1, 0, 2, 1));
    const __m256 xy_23 = _mm256_shuffle_ps(second, third, _MM_SHUFFLE(2, 1, 3, 2));
    x.lane = _mm256_shuffle_ps(first, xy_23, _MM_SHUFFLE(2, 0, 3, 0));
    y.lane = _mm256_shuffle_ps(yz_01, xy_23, _MM_SHUFFLE(3, 1, 2, 0));
    z.lane = _mm256_shuffle_ps(yz_01, third, _MM_SHUFFLE(3, 0, 3, 1));
  }

 private:
  static __m128i* pointer(std::uint32_t* to) noexcept {
    return static_cast<__m128i*>(static_cast<void*>(to));
  }
  static __m256 halves(const void* low, const void* high) noexcept {
    return _mm256_set_m128(_mm_loadu_ps(static_cast<const float*>(high)),
                           _mm_loadu_ps(static_cast<const float*>(low)));
  }
  static __m128 component(__m128 fraction) noexcept {
    const __m256d span = _mm256_set1_pd(detail::smallest_three_span);
    const __m256d range = _mm256_set1_pd(detail::smallest_three_range);
    return _mm256_cvtpd_ps(_mm256_sub_pd(_mm256_mul_pd(_mm256_cvtps_pd(fraction), span), range));
  }
};

}  // namespace tickreel::butter
