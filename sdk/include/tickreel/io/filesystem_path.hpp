// Converts a file_path to std::filesystem::path. A separate header because <filesystem> is large.
#pragma once

#include <filesystem>
#include <string>

#include "tickreel/io/path.hpp"

namespace tickreel {

[[nodiscard]] inline std::filesystem::path filesystem_path(const file_path& path) {
  const std::string& utf8 = path.utf8();
  return std::u8string(utf8.begin(), utf8.end());
}

}  // namespace tickreel
