// The viewer's page, for the verbs that show it.
#pragma once

#include <optional>
#include <string>

#include "tickreel/viewer/page.hpp"

namespace tickreel::cli {

// From `folder`, or where that is empty the one inside the program. Reported when there is none.
std::optional<viewer::page> viewer_page(const std::string& folder);

}  // namespace tickreel::cli
