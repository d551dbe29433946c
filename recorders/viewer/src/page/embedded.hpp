// The embedded page's files, from a source that the build generates (embed.cmake).
#pragma once

#include <string_view>

namespace tickreel::viewer {

// Empty if the program was built without them.
[[nodiscard]] std::string_view embedded_file(std::string_view name) noexcept;

}  // namespace tickreel::viewer
