// Real recordings that lie beside the project, used in place. They are optional.
#pragma once

#include <filesystem>
#include <iostream>
#include <string>

#include "file_bytes.hpp"

namespace tickreel::test {

// The folder, for example shared_data("butter"). Empty path when it is absent, which is then printed, so that
// nobody mistakes a run without it for a full one.
inline std::filesystem::path shared_data(const std::string& part) {
  const std::filesystem::path folder = std::filesystem::path(TICKREEL_SHARED_DATA) / part;
  if (std::filesystem::is_directory(folder)) return folder;
  std::cout << "ABSENT: " << folder.string()
            << ": tests on real recordings are left out; generated ones remain\n";
  return {};
}

}  // namespace tickreel::test
