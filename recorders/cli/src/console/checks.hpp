// What options and arguments must look like; reported as wrong usage before anything is opened.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "options.hpp"

namespace tickreel::cli {

// A whole number: -1 must not become the highest one.
[[nodiscard]] value_check whole_number();
// Neither "nan" nor "inf".
[[nodiscard]] value_check finite_number();
[[nodiscard]] value_check not_negative();
// Both included.
[[nodiscard]] value_check between(int least, int most);
[[nodiscard]] value_check between(double least, double most);
[[nodiscard]] value_check one_of(std::vector<std::string> words);

// For seconds: 90, 90s, 15m, 2h, 100ms, 08:30 and 1:02:03.
[[nodiscard]] value_check seconds_with_unit();
// For seconds of an age: 90s, 15m, 12h, 30d and 4w. A bare number is refused, since hours and days could both
// be meant.
[[nodiscard]] value_check age_with_unit();
// For bytes: 800, 800M, 50GB and 2GiB.
[[nodiscard]] value_check bytes_with_unit();

// A file or a folder that is read. Nothing is checked: the reader says more about it than an option could.
[[nodiscard]] value_check file_to_read();
[[nodiscard]] value_check folder_to_read();
// A folder that is made where it is missing.
[[nodiscard]] value_check folder_to_write();
// A file that is written: nothing there yet, or a file. Even --force must not put a file in the place of a
// device such as /dev/null.
[[nodiscard]] value_check file_to_write();

// A number as options take it: decimal, with an exponent, or hexadecimal. False when the text is none.
[[nodiscard]] bool read_number(const std::string& text, double& out);

}  // namespace tickreel::cli
