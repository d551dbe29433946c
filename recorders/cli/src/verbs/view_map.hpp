// The picture that `view --map` lays under a recording.
#pragma once

#include <optional>
#include <string>

#include "console/world_map.hpp"
#include "tickreel/viewer/page.hpp"

namespace tickreel::cli {

// From a picture, or from a map file of the recording's game. Reports why there is none, and doubts about a map file.
std::optional<viewer::page_map> read_view_map(const map_arguments& arguments, const std::string& recording);

}  // namespace tickreel::cli
