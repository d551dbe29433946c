// Four numbers side by side (eight: lanes_avx2.hpp): with SIMD instructions where all processors of the family
// have them, otherwise one after the other. All variants produce the same bits, because every operation is defined
// by IEEE 754.
//
// Comparisons give masks: all bits set where true, none where false or where one side is NaN.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>

#include "tickreel/quantize/smallest_three.hpp"

#if defined(__SSE2__) || defined(_M_X64)
#define TICKREEL_BUTTER_SSE2 1
#include <emmintrin.h>
#endif

namespace tickreel::butter {

// One after the other. Compilers turn these loops into SIMD instructions where available.
struct portable_lanes {
  static constexpr std::size_t width = 4;

  template <class T>
  struct four {
    std::array<T, 4> lane;

    template <class Operation>
    [[nodiscard]] four with(const four& other, Operation operation) const noexcept {
      four out;
      for (std::size_t i = 0; i < 4; ++i) out.lane[i] = operation(lane[i], other.lane[i]);
      return out;
    }
    friend four operator+(const four& a, const four& b) noexcept { return a.with(b, std::plus<>()); }
    friend four operator-(const four& a, const four& b) noexcept { return a.with(b, std::minus<>()); }
    friend four operator*(const four& a, const four& b) noexcept { return a.with(b, std::multiplies<>()); }
    friend four operator/(const four& a, const four& b) noexcept { return a.with(b, std::divides<>()); }
    friend four operator&(const four& a, const four& b) noexcept { return a.with(b, std::bit_and<>()); }
    friend four operator|(const four& a, const four& b) noexcept { return a.with(b, std::bit_or<>()); }
    friend four operator^(const four& a, const four& b) noexcept { return a.with(b, std::bit_xor<>()); }
  };
  using ints = four<std::uint32_t>;
  using floats = four<float>;

  static floats make(float a, float b, float c, float d) noexcept { return {{a, b, c, d}}; }
  static floats all(float value) noexcept { return {{value, value, value, value}}; }
  static ints all(std::uint32_t value) noexcept { return {{value, value, value, value}}; }
  static floats load(const float* from) noexcept { return {{from[0], from[1], from[2], from[3]}}; }
  static ints load(const std::uint32_t* from) noexcept { return {{from[0], from[1], from[2], from[3]}}; }
  static void store(float* to, const floats& value) noexcept {
    for (std::size_t i = 0; i < 4; ++i) to[i] = value.lane[i];
  }
  static void store(std::uint32_t* to, const ints& value) noexcept {
    for (std::size_t i = 0; i < 4; ++i) to[i] = value.lane[i];
  }

  // The same for numbers in separate groups of four.
  static floats load_parts(const std::array<const float*, 1>& from) noexcept { return load(from[0]); }
  static ints load_parts(const std::array<const std::uint32_t*, 1>& from) noexcept { return load(from[0]); }
  static void store_parts(const std::array<float*, 1>& to, const floats& value) noexcept {
    store(to[0], value);
  }
  static void store_parts(const std::array<std::uint32_t*, 1>& to, const ints& value) noexcept {
    store(to[0], value);
  }

  static ints bits(const floats& a) noexcept { return {std::bit_cast<std::array<std::uint32_t, 4>>(a.lane)}; }
  static floats from_bits(const ints& a) noexcept { return {std::bit_cast<std::array<float, 4>>(a.lane)}; }
  static floats square_root(const floats& a) noexcept {
    floats root;
    for (std::size_t i = 0; i < 4; ++i) root.lane[i] = std::sqrt(a.lane[i]);
    return root;
  }
  static ints less(const floats& a, const floats& b) noexcept {
    return mask(a, b, [](float x, float y) { return x < y; });
  }
  static ints less_equal(const floats& a, const floats& b) noexcept {
    return mask(a, b, [](float x, float y) { return x <= y; });
  }
  static ints equal(const ints& a, const ints& b) noexcept {
    return mask(a, b, [](std::uint32_t x, std::uint32_t y) { return x == y; });
  }
  // As signed numbers.
  static ints less(const ints& a, const ints& b) noexcept {
    return mask(a, b, [](std::uint32_t x, std::uint32_t y) {
      return static_cast<std::int32_t>(x) < static_cast<std::int32_t>(y);
    });
  }
  template <unsigned Count>
  static ints left(const ints& a) noexcept {
    return {{a.lane[0] << Count, a.lane[1] << Count, a.lane[2] << Count, a.lane[3] << Count}};
  }
  template <unsigned Count>
  static ints right(const ints& a) noexcept {
    return {{a.lane[0] >> Count, a.lane[1] >> Count, a.lane[2] >> Count, a.lane[3] >> Count}};
  }
  // Toward zero; for values in range.
  static ints to_ints(const floats& a) noexcept {
    ints whole;
    for (std::size_t i = 0; i < 4; ++i) {
      whole.lane[i] = static_cast<std::uint32_t>(static_cast<std::int32_t>(a.lane[i]));
    }
    return whole;
  }
  static floats to_floats(const ints& a) noexcept {
    floats value;
    for (std::size_t i = 0; i < 4; ++i) {
      value.lane[i] = static_cast<float>(static_cast<std::int32_t>(a.lane[i]));
    }
    return value;
  }
  // A bit for each lane whose highest bit is set.
  static unsigned mask_of(const ints& a) noexcept {
    return a.lane[0] >> 31 | (a.lane[1] >> 31) << 1 | (a.lane[2] >> 31) << 2 | (a.lane[3] >> 31) << 3;
  }
  // The other way: all bits of the lanes whose bit is set.
  static ints where(unsigned mask) noexcept {
    ints out;
    for (std::size_t i = 0; i < 4; ++i) out.lane[i] = 0u - (mask >> i & 1u);
    return out;
  }
  // Converts the codes of a packed rotation to components.
  static floats rotation_components(const ints& codes) noexcept {
    floats value;
    for (std::size_t i = 0; i < 4; ++i) {
      const float fraction = static_cast<float>(codes.lane[i]) / 1023.0f;
      value.lane[i] =
          static_cast<float>(double{fraction} * detail::smallest_three_span - detail::smallest_three_range);
    }
    return value;
  }
  // The first numbers of the rows, the second ones and so on; a row is four floats.
  static void load_columns(const std::array<const void*, width>& rows, floats& a, floats& b, floats& c,
                           floats& d) noexcept {
    for (std::size_t i = 0; i < width; ++i) {
      std::array<float, 4> row;
      std::memcpy(row.data(), rows[i], sizeof(row));
      a.lane[i] = row[0];
      b.lane[i] = row[1];
      c.lane[i] = row[2];
      d.lane[i] = row[3];
    }
  }
  // The components of contiguous vectors of three floats.
  static void load_vectors(const void* from, floats& x, floats& y, floats& z) noexcept {
    std::array<float, 3 * width> numbers;
    std::memcpy(numbers.data(), from, sizeof(numbers));
    for (std::size_t i = 0; i < width; ++i) {
      x.lane[i] = numbers[3 * i];
      y.lane[i] = numbers[3 * i + 1];
      z.lane[i] = numbers[3 * i + 2];
    }
  }

 private:
  template <class Lanes, class Compare>
  static ints mask(const Lanes& a, const Lanes& b, Compare compare) noexcept {
    ints out;
    for (std::size_t i = 0; i < 4; ++i) out.lane[i] = compare(a.lane[i], b.lane[i]) ? 0xFFFFFFFFu : 0u;
    return out;
  }
};

#ifdef TICKREEL_BUTTER_SSE2
// SSE2, which every x86-64 processor has.
struct sse2_lanes {
  static constexpr std::size_t width = 4;

  struct ints {
    __m128i lane;

    friend ints operator+(ints a, ints b) noexcept { return {_mm_add_epi32(a.lane, b.lane)}; }
    friend ints operator-(ints a, ints b) noexcept { return {_mm_sub_epi32(a.lane, b.lane)}; }
    friend ints operator&(ints a, ints b) noexcept { return {_mm_and_si128(a.lane, b.lane)}; }
    friend ints operator|(ints a, ints b) noexcept { return {_mm_or_si128(a.lane, b.lane)}; }
    friend ints operator^(ints a, ints b) noexcept { return {_mm_xor_si128(a.lane, b.lane)}; }
  };
  struct floats {
    __m128 lane;

    friend floats operator+(floats a, floats b) noexcept { return {_mm_add_ps(a.lane, b.lane)}; }
    friend floats operator-(floats a, floats b) noexcept { return {_mm_sub_ps(a.lane, b.lane)}; }
    friend floats operator*(floats a, floats b) noexcept { return {_mm_mul_ps(a.lane, b.lane)}; }
    friend floats operator/(floats a, floats b) noexcept { return {_mm_div_ps(a.lane, b.lane)}; }
  };

  static floats make(float a, float b, float c, float d) noexcept { return {_mm_setr_ps(a, b, c, d)}; }
  static floats all(float value) noexcept { return {_mm_set1_ps(value)}; }
  static ints all(std::uint32_t value) noexcept { return {_mm_set1_epi32(static_cast<int>(value))}; }
  static floats load(const float* from) noexcept { return {_mm_loadu_ps(from)}; }
  static ints load(const std::uint32_t* from) noexcept { return {_mm_loadu_si128(pointer(from))}; }
  static void store(float* to, floats value) noexcept { _mm_storeu_ps(to, value.lane); }
  static void store(std::uint32_t* to, ints value) noexcept {
    _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(to)), value.lane);
  }

  static floats load_parts(const std::array<const float*, 1>& from) noexcept { return load(from[0]); }
  static ints load_parts(const std::array<const std::uint32_t*, 1>& from) noexcept { return load(from[0]); }
  static void store_parts(const std::array<float*, 1>& to, floats value) noexcept { store(to[0], value); }
  static void store_parts(const std::array<std::uint32_t*, 1>& to, ints value) noexcept {
    store(to[0], value);
  }

  static ints bits(floats a) noexcept { return {_mm_castps_si128(a.lane)}; }
  static floats from_bits(ints a) noexcept { return {_mm_castsi128_ps(a.lane)}; }
  static floats square_root(floats a) noexcept { return {_mm_sqrt_ps(a.lane)}; }
  static ints less(floats a, floats b) noexcept { return bits({_mm_cmplt_ps(a.lane, b.lane)}); }
  static ints less_equal(floats a, floats b) noexcept { return bits({_mm_cmple_ps(a.lane, b.lane)}); }
  static ints equal(ints a, ints b) noexcept { return {_mm_cmpeq_epi32(a.lane, b.lane)}; }
  static ints less(ints a, ints b) noexcept { return {_mm_cmplt_epi32(a.lane, b.lane)}; }
  template <unsigned Count>
  static ints left(ints a) noexcept {
    return {_mm_slli_epi32(a.lane, Count)};
  }
  template <unsigned Count>
  static ints right(ints a) noexcept {
    return {_mm_srli_epi32(a.lane, Count)};
  }
  static ints to_ints(floats a) noexcept { return {_mm_cvttps_epi32(a.lane)}; }
  static floats to_floats(ints a) noexcept { return {_mm_cvtepi32_ps(a.lane)}; }
  static unsigned mask_of(ints a) noexcept {
    return static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(a.lane)));
  }
  static ints where(unsigned mask) noexcept {
    const __m128i bits = _mm_setr_epi32(1, 2, 4, 8);
    return {_mm_cmpeq_epi32(_mm_and_si128(all(mask).lane, bits), bits)};
  }
  static floats rotation_components(ints codes) noexcept {
    const __m128 fraction = _mm_div_ps(_mm_cvtepi32_ps(codes.lane), _mm_set1_ps(1023.0f));
    const auto component = [](__m128d wide) {
      const __m128d span = _mm_set1_pd(detail::smallest_three_span);
      return _mm_cvtpd_ps(_mm_sub_pd(_mm_mul_pd(wide, span), _mm_set1_pd(detail::smallest_three_range)));
    };
    return {_mm_movelh_ps(component(_mm_cvtps_pd(fraction)),
                          component(_mm_cvtps_pd(_mm_movehl_ps(fraction, fraction))))};
  }
  static void load_columns(const std::array<const void*, width>& rows, floats& a, floats& b, floats& c,
                           floats& d) noexcept {
    const __m128 row[4] = {four(rows[0]), four(rows[1]), four(rows[2]), four(rows[3])};
    const __m128 low_01 = _mm_unpacklo_ps(row[0], row[1]);
    const __m128 low_23 = _mm_unpacklo_ps(row[2], row[3]);
    const __m128 high_01 = _mm_unpackhi_ps(row[0], row[1]);
    const __m128 high_23 = _mm_unpackhi_ps(row[2], row[3]);
    a.lane = _mm_movelh_ps(low_01, low_23);
    b.lane = _mm_movehl_ps(low_23, low_01);
    c.lane = _mm_movelh_ps(high_01, high_23);
    d.lane = _mm_movehl_ps(high_23, high_01);
  }
  static void load_vectors(const void* from, floats& x, floats& y, floats& z) noexcept {
    const auto* const numbers = static_cast<const float*>(from);
    const __m128 first = four(numbers);       // x0 y0 z0 x1
    const __m128 second = four(numbers + 4);  // y1 z1 x2 y2
    const __m128 third = four(numbers + 8);   // z2 x3 y3 z3
    const __m128 yz_01 = _mm_shuffle_ps(first, second, _MM_SHUFFLE(1, 0, 2, 1));
    const __m128 xy_23 = _mm_shuffle_ps(second, third, _MM_SHUFFLE(2, 1, 3, 2));
    x.lane = _mm_shuffle_ps(first, xy_23, _MM_SHUFFLE(2, 0, 3, 0));
    y.lane = _mm_shuffle_ps(yz_01, xy_23, _MM_SHUFFLE(3, 1, 2, 0));
    z.lane = _mm_shuffle_ps(yz_01, third, _MM_SHUFFLE(3, 0, 3, 1));
  }

 private:
  static __m128 four(const void* from) noexcept { return _mm_loadu_ps(static_cast<const float*>(from)); }
  static const __m128i* pointer(const std::uint32_t* from) noexcept {
    return static_cast<const __m128i*>(static_cast<const void*>(from));
  }
};

using native_lanes = sse2_lanes;
#else
using native_lanes = portable_lanes;
#endif

}  // namespace tickreel::butter
