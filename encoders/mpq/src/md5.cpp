#include "md5.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "tickreel/bytes/endian.hpp"

namespace tickreel::mpq {

namespace {

constexpr std::size_t block_bytes = 64;
constexpr std::size_t length_bytes = 8;

// 2^32 times the sine of 1, 2, 3 ...
constexpr std::array<std::uint32_t, 64> sines = {
    0xD76AA478, 0xE8C7B756, 0x242070DB, 0xC1BDCEEE, 0xF57C0FAF, 0x4787C62A, 0xA8304613, 0xFD469501,
    0x698098D8, 0x8B44F7AF, 0xFFFF5BB1, 0x895CD7BE, 0x6B901122, 0xFD987193, 0xA679438E, 0x49B40821,
    0xF61E2562, 0xC040B340, 0x265E5A51, 0xE9B6C7AA, 0xD62F105D, 0x02441453, 0xD8A1E681, 0xE7D3FBC8,
    0x21E1CDE6, 0xC33707D6, 0xF4D50D87, 0x455A14ED, 0xA9E3E905, 0xFCEFA3F8, 0x676F02D9, 0x8D2A4C8A,
    0xFFFA3942, 0x8771F681, 0x6D9D6122, 0xFDE5380C, 0xA4BEEA44, 0x4BDECFA9, 0xF6BB4B60, 0xBEBFBC70,
    0x289B7EC6, 0xEAA127FA, 0xD4EF3085, 0x04881D05, 0xD9D4D039, 0xE6DB99E5, 0x1FA27CF8, 0xC4AC5665,
    0xF4292244, 0x432AFF97, 0xAB9423A7, 0xFC93A039, 0x655B59C3, 0x8F0CCC92, 0xFFEFF47D, 0x85845DD1,
    0x6FA87E4F, 0xFE2CE6E0, 0xA3014314, 0x4E0811A1, 0xF7537E82, 0xBD3AF235, 0x2AD7D2BB, 0xEB86D391};
constexpr int turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

struct mixer {
  std::array<std::uint32_t, 4> sum = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476};

  void mix(byte_span block) noexcept {
    std::array<std::uint32_t, 16> words;
    for (std::size_t i = 0; i < words.size(); ++i) {
      words[i] = detail::load<std::endian::little, std::uint32_t>(&block[i * 4]);
    }
    auto [a, b, c, d] = sum;
    for (std::uint32_t step = 0; step < 64; ++step) {
      std::uint32_t bits = 0;
      std::uint32_t word = 0;
      switch (step / 16) {
        case 0:
          bits = (b & c) | (~b & d);
          word = step;
          break;
        case 1:
          bits = (d & b) | (~d & c);
          word = 5 * step + 1;
          break;
        case 2:
          bits = b ^ c ^ d;
          word = 3 * step + 5;
          break;
        default:
          bits = c ^ (b | ~d);
          word = 7 * step;
      }
      const std::uint32_t turned =
          std::rotl(a + bits + sines[step] + words[word % 16], turns[step / 16][step % 4]);
      a = d;
      d = c;
      c = b;
      b += turned;
    }
    sum[0] += a;
    sum[1] += b;
    sum[2] += c;
    sum[3] += d;
  }
};

}  // namespace

md5_digest md5(byte_span input) noexcept {
  mixer state;
  byte_span rest = input;
  for (; rest.size() >= block_bytes; rest = rest.subspan(block_bytes)) state.mix(rest.first(block_bytes));
  // The remainder, a set bit, zeros, and the length in bits.
  std::array<std::byte, 2 * block_bytes> tail{};
  std::ranges::copy(rest, tail.begin());
  tail[rest.size()] = std::byte{0x80};
  const std::size_t tail_bytes =
      rest.size() + 1 + length_bytes <= block_bytes ? block_bytes : 2 * block_bytes;
  detail::store<std::endian::little>(&tail[tail_bytes - length_bytes], std::uint64_t{input.size()} * 8);
  for (std::size_t at = 0; at < tail_bytes; at += block_bytes) {
    state.mix(byte_span(tail).subspan(at, block_bytes));
  }
  md5_digest out;
  for (std::size_t i = 0; i < state.sum.size(); ++i) {
    detail::store<std::endian::little>(&out[i * 4], state.sum[i]);
  }
  return out;
}

}  // namespace tickreel::mpq
