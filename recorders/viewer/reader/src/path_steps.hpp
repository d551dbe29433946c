// The text of a path, as a script would write it: teams[0].players[1].velocity[2], and ["odd.name"] where a name has more
// in it than letters, digits and underscores.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "echo_column.hpp"

namespace tickreel::viewer {

void append_name(std::string_view name, std::string& path);

// Empty for a text that is not a path. ".0" is an element, as "[0]" is.
[[nodiscard]] std::vector<step> parse_path(std::string_view path);

}  // namespace tickreel::viewer
