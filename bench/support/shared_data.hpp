// Optional real recordings in a folder beside the project, read in place.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace tickreel::bench {

// The folder, for example shared_data("butter"). If it is absent, the path is empty and a message is printed.
inline std::filesystem::path shared_data(const std::string& part) {
  const std::filesystem::path folder = std::filesystem::path(TICKREEL_SHARED_DATA) / part;
  if (std::filesystem::is_directory(folder)) return folder;
  fmt::print("{} is absent: real recordings are left out\n\n", folder.string());
  return {};
}

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace tickreel::bench
