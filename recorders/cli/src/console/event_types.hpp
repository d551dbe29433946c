// Types of events as they are given on the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tickreel/files/recording.hpp"

namespace tickreel::cli {

// A list of names with commas, broken into lines of two spaces and about 96 letters.
[[nodiscard]] std::string columns_of(const std::vector<std::string_view>& names);

// wrong_usage, and reported with all types that there are, for one that the recording cannot have.
int refuse_unknown_types(files::recording& of, std::string_view option,
                         const std::vector<std::string>& wanted);

}  // namespace tickreel::cli
