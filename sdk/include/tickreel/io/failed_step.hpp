// The step of a file operation that failed. It is the detail of the error, and users read it.
#pragma once

#include <string_view>

#include "tickreel/result.hpp"

namespace tickreel {

inline constexpr const char* opening_step = "opening";
inline constexpr const char* renaming_step = "renaming";  // of a published_file to its final name

// Whether an error of the operating system is of this step.
[[nodiscard]] inline bool failed_while(const char* step, const error& what) noexcept {
  return what.detail != nullptr && std::string_view(what.detail) == step;
}

}  // namespace tickreel
