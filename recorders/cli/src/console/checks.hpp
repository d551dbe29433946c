// Checks of option values and arguments. Violations are reported as wrong usage before any file is opened.
#pragma once

#include <string>
#include <vector>

#include "options.hpp"

namespace tickreel::cli {

// A whole number. -1 is refused instead of wrapping to the largest value.
[[nodiscard]] value_check whole_number();
// Refuses "nan" and "inf".
[[nodiscard]] value_check finite_number();
[[nodiscard]] value_check not_negative();
// Both limits are included.
[[nodiscard]] value_check between(int least, int most);
[[nodiscard]] value_check between(double least, double most);
[[nodiscard]] value_check one_of(std::vector<std::string> words);

// A duration in seconds: 90, 90s, 15m, 2h, 100ms, 08:30 or 1:02:03.
[[nodiscard]] value_check seconds_with_unit();
// An age in seconds: 90s, 15m, 12h, 30d or 4w. A number without a unit is refused: it could mean hours or
// days.
[[nodiscard]] value_check age_with_unit();
// A size in bytes: 800, 800M, 50GB or 2GiB.
[[nodiscard]] value_check bytes_with_unit();

// An input file or folder. Nothing is checked here: the reader reports errors in more detail.
[[nodiscard]] value_check file_to_read();
[[nodiscard]] value_check folder_to_read();
// A folder that is created if it is missing.
[[nodiscard]] value_check folder_to_write();
// An output file: a new file, or an existing regular file. --force does not replace a device such as
// /dev/null.
[[nodiscard]] value_check file_to_write();

// Parses a decimal number, with or without an exponent, or a hexadecimal one. Returns false if `text` is not
// a number.
[[nodiscard]] bool read_number(const std::string& text, double& out);

}  // namespace tickreel::cli
