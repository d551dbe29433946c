// Optional real recordings in a folder beside the project, read in place.
#pragma once

#include <filesystem>
#include <iostream>
#include <string>

#include "file_bytes.hpp"

namespace tickreel::test {

// The folder, for example shared_data("butter"). If it is absent, the path is empty and a message is printed, so that a run
// without it is not mistaken for a complete run.
inline std::filesystem::path shared_data(const std::string& part) {
  const std::filesystem::path folder = std::filesystem::path(TICKREEL_SHARED_DATA) / part;
  if (std::filesystem::is_directory(folder)) return folder;
  std::cout << "ABSENT: " << folder.string()
            << ": tests on real recordings are left out; generated ones remain\n";
  return {};
}

}  // namespace tickreel::test
