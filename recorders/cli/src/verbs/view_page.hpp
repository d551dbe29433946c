// The viewer's page, for verbs that serve it.
#pragma once

#include <optional>
#include <string>

#include "tickreel/viewer/page.hpp"

namespace tickreel::cli {

// From `folder`, or the embedded page if `folder` is empty. Reports if there is none.
std::optional<viewer::page> viewer_page(const std::string& folder);

}  // namespace tickreel::cli
