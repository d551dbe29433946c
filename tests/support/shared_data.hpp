// Real recordings that lie beside the project, used in place. They are optional.
#pragma once

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "tickreel/bytes/span.hpp"

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

inline byte_vector read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const byte_span bytes = as_bytes(text);
  return {bytes.begin(), bytes.end()};
}

}  // namespace tickreel::test
