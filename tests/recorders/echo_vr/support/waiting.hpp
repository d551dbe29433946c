// Waits for conditions of other threads, and folders that disappear.
#pragma once

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "eventually.hpp"

namespace tickreel::test {

class temporary_folder {
 public:
  temporary_folder()
      : path_(std::filesystem::temp_directory_path() /
              ("tickreel-test-" + std::to_string(std::random_device{}()) + "-" +
               std::to_string(std::random_device{}()))) {
    std::filesystem::create_directories(path_);
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::vector<std::filesystem::path> files(const std::string& extension) const {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      if (entry.path().extension() == extension) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace tickreel::test
