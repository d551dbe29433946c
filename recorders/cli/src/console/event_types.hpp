// Event types as command line arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tickreel/files/recording.hpp"

namespace tickreel::cli {

// Comma-separated names, wrapped at about 96 characters with an indent of two spaces.
[[nodiscard]] std::string columns_of(const std::vector<std::string_view>& names);

// Returns wrong_usage, and reports all available types, for a type that the recording cannot have.
int refuse_unknown_types(files::recording& of, std::string_view option,
                         const std::vector<std::string>& wanted);

}  // namespace tickreel::cli
