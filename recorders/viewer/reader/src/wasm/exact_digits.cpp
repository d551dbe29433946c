#include "exact_digits.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <system_error>

namespace tickreel::viewer {

namespace {

// The decimal digits of a number, without leading zeros; `point` of them are before the decimal point, which
// may be before or after all of them. Zero has no digits.
class exact_digits {
 public:
  explicit exact_digits(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    const int exponent = static_cast<int>(bits >> 52 & 0x7FF);
    std::uint64_t fraction = bits & 0xF'FFFF'FFFF'FFFF;
    if (exponent != 0) fraction |= std::uint64_t{1} << 52;
    if (fraction == 0) return;
    const int zeros = std::countr_zero(fraction);
    fraction >>= zeros;
    const int power = std::max(exponent, 1) - 1075 + zeros;
    for (; fraction != 0; fraction /= base) limbs_[count_++] = static_cast<std::uint32_t>(fraction % base);
    // m / 2^k is m * 5^k in digits, with the point k digits further left.
    constexpr std::uint32_t five_to_13 = 1'220'703'125;
    multiply(power > 0 ? 1u << 29 : five_to_13, power > 0 ? power / 29 : -power / 13);
    for (int left = power % 29; power > 0 && left > 0; --left) multiply(2, 1);
    for (int left = -power % 13; power < 0 && left > 0; --left) multiply(5, 1);
    write();
    point_ = size_ + std::min(power, 0);
  }

  [[nodiscard]] int point() const noexcept { return point_; }
  [[nodiscard]] bool is_zero() const noexcept { return size_ == 0; }
  [[nodiscard]] char at(int place) const noexcept { return place >= 0 && place < size_ ? text_[place] : '0'; }

  // Rounds to that many digits, possibly none.
  void round(int keep) {
    if (keep >= size_) return;
    bool up = false;
    if (keep >= 0) {
      const bool more = std::any_of(text_ + keep + 1, text_ + size_, [](char each) { return each != '0'; });
      const bool odd = keep > 0 && (text_[keep - 1] - '0') % 2 != 0;
      up = text_[keep] > '5' || (text_[keep] == '5' && (more || odd));
    }
    size_ = std::max(keep, 0);
    if (!up) return;
    int place = size_;
    while (place > 0 && text_[place - 1] == '9') text_[--place] = '0';
    if (place > 0) {
      ++text_[place - 1];
    } else {
      std::copy_backward(text_, text_ + size_, text_ + size_ + 1);
      text_[0] = '1';
      ++size_;
      ++point_;
    }
  }

 private:
  static constexpr std::uint32_t base = 1'000'000'000;

  void multiply(std::uint32_t by, int times) {
    while (times-- > 0) {
      std::uint64_t carry = 0;
      for (int i = 0; i < count_; ++i) {
        carry += std::uint64_t{limbs_[i]} * by;
        limbs_[i] = static_cast<std::uint32_t>(carry % base);
        carry /= base;
      }
      for (; carry != 0; carry /= base) limbs_[count_++] = static_cast<std::uint32_t>(carry % base);
    }
  }

  void write() {
    for (int i = count_ - 1; i >= 0; --i) {
      char nine[9];
      std::uint32_t left = limbs_[i];
      for (int digit = 8; digit >= 0; --digit, left /= 10) nine[digit] = static_cast<char>('0' + left % 10);
      const char* const from =
          size_ == 0 ? std::find_if(nine, nine + 9, [](char each) { return each != '0'; }) : nine;
      std::copy(from, static_cast<const char*>(nine + 9), text_ + size_);
      size_ += static_cast<int>(nine + 9 - from);
    }
  }

  // 53 bits times 5^1074 are 2547 bits, and 2^1024 is less: 767 digits, and one more by rounding.
  std::uint32_t limbs_[90] = {};
  char text_[800] = {};
  int count_ = 0;
  int size_ = 0;
  int point_ = 0;
};

std::int64_t fraction_bytes(std::uint32_t precision) noexcept {
  return precision > 0 ? std::int64_t{1} + precision : 0;
}

}  // namespace

std::to_chars_result spell_fixed(char* first, char* last, double number, std::uint32_t precision) {
  exact_digits digits(number);
  const int wanted = static_cast<int>(std::min(precision, 1u << 20));
  digits.round(digits.point() + wanted);
  const int before = digits.is_zero() ? 0 : std::max(digits.point(), 0);
  const std::int64_t size = std::max(before, 1) + fraction_bytes(precision);
  if (last - first < size) return {last, std::errc::value_too_large};
  if (before == 0) *first++ = '0';
  for (int i = 0; i < before; ++i) *first++ = digits.at(i);
  if (precision > 0) *first++ = '.';
  for (std::uint32_t i = 0; i < precision; ++i) {
    *first++ = digits.is_zero() ? '0' : digits.at(digits.point() + static_cast<int>(std::min(i, 1u << 20)));
  }
  return {first, std::errc{}};
}

std::to_chars_result spell_scientific(char* first, char* last, double number, std::uint32_t precision) {
  exact_digits digits(number);
  digits.round(static_cast<int>(std::min(precision, 1u << 20)) + 1);
  const int exponent = digits.is_zero() ? 0 : digits.point() - 1;
  const int size_of_it = exponent < 0 ? -exponent : exponent;
  const std::int64_t size = 1 + fraction_bytes(precision) + (size_of_it > 99 ? 5 : 4);
  if (last - first < size) return {last, std::errc::value_too_large};
  *first++ = digits.at(0);
  if (precision > 0) *first++ = '.';
  for (std::uint32_t i = 1; i <= precision; ++i)
    *first++ = digits.at(static_cast<int>(std::min(i, 1u << 20)));
  *first++ = 'e';
  *first++ = exponent < 0 ? '-' : '+';
  if (size_of_it > 99) *first++ = static_cast<char>('0' + size_of_it / 100);
  *first++ = static_cast<char>('0' + size_of_it / 10 % 10);
  *first++ = static_cast<char>('0' + size_of_it % 10);
  return {first, std::errc{}};
}

}  // namespace tickreel::viewer
