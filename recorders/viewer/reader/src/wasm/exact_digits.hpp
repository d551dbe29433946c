// Formats numbers with a given number of digits, like printf() with %.nf and %.ne: exactly, and halves to the
// even digit. Slow, because it uses no tables.
#pragma once

#include <charconv>
#include <cstdint>

namespace tickreel::viewer {

// For a finite number that is not negative. Returns value_too_large if the text does not fit.
std::to_chars_result spell_fixed(char* first, char* last, double number, std::uint32_t precision);
std::to_chars_result spell_scientific(char* first, char* last, double number, std::uint32_t precision);

}  // namespace tickreel::viewer
