// The value of --bone-error.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tickreel/echo/bone_errors.hpp"

namespace tickreel::cli {

// "0.5mm,0.1deg": a distance in mm or cm, at most 100 mm, and an angle in degrees, at most 10. Empty for other texts.
[[nodiscard]] std::optional<echo::bone_errors> parse_bone_errors(std::string_view text);

// A sentence about a text that is none.
[[nodiscard]] std::string wrong_bone_errors(std::string_view text);

}  // namespace tickreel::cli
