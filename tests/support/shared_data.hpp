// Optional real recordings in a folder beside the project, read in place.
#pragma once

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

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

// The files of that folder with this extension, sorted. Empty only if the folder is absent.
inline std::vector<std::filesystem::path> shared_files(const std::string& part, std::string_view extension) {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path folder = shared_data(part);
  if (folder.empty()) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  if (files.empty()) throw std::runtime_error(folder.string() + " has no " + std::string(extension));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace tickreel::test
