// The page's files inside the program, which the build makes a source of (embed.cmake).
#pragma once

#include <string_view>

namespace tickreel::viewer {

// Empty when the program was built without them.
[[nodiscard]] std::string_view embedded_file(std::string_view name) noexcept;

}  // namespace tickreel::viewer
