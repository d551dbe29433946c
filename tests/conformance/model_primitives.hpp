// The format's numbers as the reference program reads them, in its float arithmetic.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "butter_model.hpp"

namespace tickreel::butter_model {

// Reads little-endian values and throws end_of_data after the last byte.
class byte_source {
 public:
  explicit byte_source(byte_span bytes) : bytes_(bytes) {}

  [[nodiscard]] std::size_t offset() const { return offset_; }
  [[nodiscard]] bool at_end() const { return offset_ == bytes_.size(); }

  std::uint8_t u8() {
    if (at_end()) throw decoder_exception(failure::end_of_data, "the bytes end here");
    return std::to_integer<std::uint8_t>(bytes_[offset_++]);
  }
  std::uint64_t little_endian(int size) {
    std::uint64_t value = 0;
    for (int i = 0; i < size; ++i) value |= std::uint64_t{u8()} << (8 * i);
    return value;
  }
  std::uint16_t u16() { return static_cast<std::uint16_t>(little_endian(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(little_endian(4)); }
  std::int16_t i16() { return static_cast<std::int16_t>(u16()); }
  std::int64_t i64() { return static_cast<std::int64_t>(little_endian(8)); }
  float f32() { return std::bit_cast<float>(u32()); }

  // Up to a zero byte, which is excluded. The reference program reads at most 1024 bytes.
  std::string text() {
    std::string value;
    while (const std::uint8_t byte = u8()) {
      value.push_back(static_cast<char>(byte));
      if (value.size() == 1024) throw decoder_exception(failure::long_name, "a text without an end");
    }
    return value;
  }

  float half();
  vec3 half3();
  quat s3();
  std::uint64_t varint();
  vec3 fixed_point3();

 private:
  byte_span bytes_;
  std::size_t offset_ = 0;
};

inline float half_to_float(std::uint16_t bits) {
  const std::uint32_t sign = std::uint32_t{bits} >> 15 << 31;
  const std::uint32_t exponent = (bits >> 10) & 31u;
  const std::uint32_t mantissa = bits & 1023u;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f80'0000u | mantissa << 13);
  const float magnitude =
      exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -24)
                    : std::ldexp(static_cast<float>(mantissa + 1024), static_cast<int>(exponent) - 25);
  return sign != 0 ? -magnitude : magnitude;
}

inline float byte_source::half() {
  return half_to_float(u16());
}

inline vec3 byte_source::half3() {
  const float x = half();
  const float y = half();
  const float z = half();
  return {x, y, z};
}

inline quat unpack_s3(std::uint32_t packed) {
  const std::uint32_t missing = packed & 3u;
  std::array<float, 4> component{};
  float sum = 1;
  int shift = 2;
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (i == missing) continue;
    const float share = static_cast<float>((packed >> shift) & 1023u) / 1023.0f;
    component[i] = static_cast<float>(static_cast<double>(share) * 1.41421356 - 0.70710678);
    sum -= component[i] * component[i];
    shift += 10;
  }
  component[missing] = static_cast<float>(std::sqrt(static_cast<double>(sum)));
  return {component[0], component[1], component[2], component[3]};
}

inline quat byte_source::s3() {
  return unpack_s3(u32());
}

inline std::uint64_t byte_source::varint() {
  const std::uint64_t first = u8();
  if (first <= 240) return first;
  if (first <= 248) return 240 + ((first - 241) << 8) + u8();
  if (first == 249) {
    const std::uint64_t high = u8();
    return 2288 + (high << 8) + u8();
  }
  return little_endian(static_cast<int>(first) - 247);
}

inline std::int64_t undo_zigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1u);
}

inline float fixed_point_to_float(std::int64_t n) {
  return static_cast<float>((static_cast<double>(n) + 8192.0) / 16384.0 * 4.0 - 2.0);
}

inline vec3 byte_source::fixed_point3() {
  const float x = fixed_point_to_float(undo_zigzag(varint()));
  const float y = fixed_point_to_float(undo_zigzag(varint()));
  const float z = fixed_point_to_float(undo_zigzag(varint()));
  return {x, y, z};
}

inline vec3 add(const vec3& a, const vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

inline vec3 cross(const vec3& a, const vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline float dot(const vec3& a, const vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

inline quat multiply(const quat& a, const quat& b) {
  const vec3 c = cross({a.x, a.y, a.z}, {b.x, b.y, b.z});
  return {a.x * b.w + b.x * a.w + c.x, a.y * b.w + b.y * a.w + c.y, a.z * b.w + b.z * a.w + c.z,
          a.w * b.w - dot({a.x, a.y, a.z}, {b.x, b.y, b.z})};
}

struct axes {
  vec3 forward, left, up;
};

inline axes axes_of(const quat& q) {
  const vec3 forward{2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x),
                     1 - 2 * (q.x * q.x + q.y * q.y)};
  const vec3 up{2 * (q.x * q.y - q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z + q.w * q.x)};
  return {forward, cross(up, forward), up};
}

}  // namespace tickreel::butter_model
