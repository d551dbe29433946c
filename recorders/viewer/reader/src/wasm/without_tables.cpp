// std::to_chars() with a precision, of libc++ 22, brings 130 KB of tables along: a sixth of the page, for
// numbers that a reader hardly ever writes. These functions, of the same names, are found before the
// library's and do without. Should a newer library name its own differently, its tables come back, which the
// page's size tells.
#include <charconv>

#include "exact_digits.hpp"

_LIBCPP_BEGIN_NAMESPACE_STD

to_chars_result __d2fixed_buffered_n(char* first, char* last, double number, uint32_t precision);
to_chars_result __d2exp_buffered_n(char* first, char* last, double number, uint32_t precision);
void __append_n_digits(uint32_t size, uint32_t digits, char* to);
void __append_nine_digits(uint32_t digits, char* to);

to_chars_result __d2fixed_buffered_n(char* first, char* last, double number, uint32_t precision) {
  return tickreel::viewer::spell_fixed(first, last, number, precision);
}
to_chars_result __d2exp_buffered_n(char* first, char* last, double number, uint32_t precision) {
  return tickreel::viewer::spell_scientific(first, last, number, precision);
}
// What shortest floats need of the same file.
void __append_n_digits(uint32_t size, uint32_t digits, char* to) {
  for (; size != 0; digits /= 10) to[--size] = static_cast<char>('0' + digits % 10);
}
void __append_nine_digits(uint32_t digits, char* to) {
  __append_n_digits(9, digits, to);
}

_LIBCPP_END_NAMESPACE_STD
