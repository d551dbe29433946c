// std::to_chars() with a precision, of libc++ 22, needs tables of 130 KB: a sixth of the page, for numbers
// that a reader hardly ever writes. These functions have the same names, are linked before the library's and
// need no tables. If a newer library renames its functions, its tables return, which the limit of the page's
// size detects.
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
// Needed by the shortest floats of the same file.
void __append_n_digits(uint32_t size, uint32_t digits, char* to) {
  for (; size != 0; digits /= 10) to[--size] = static_cast<char>('0' + digits % 10);
}
void __append_nine_digits(uint32_t digits, char* to) {
  __append_n_digits(9, digits, to);
}

_LIBCPP_END_NAMESPACE_STD
