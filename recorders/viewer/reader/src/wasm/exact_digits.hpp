// Numbers with as many digits as are asked for, as printf() writes them with %.nf and %.ne: exactly, and
// halves to the even digit. Without tables, which is why it is slow.
#pragma once

#include <charconv>
#include <cstdint>

namespace tickreel::viewer {

// Of a finite number that is not negative. value_too_large where the text does not fit.
std::to_chars_result spell_fixed(char* first, char* last, double number, std::uint32_t precision);
std::to_chars_result spell_scientific(char* first, char* last, double number, std::uint32_t precision);

}  // namespace tickreel::viewer
