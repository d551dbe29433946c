// A temporary folder for one test, removed afterwards. It is in memory if the system offers that (/dev/shm) and TMPDIR is not
// set, because tests sync often.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>

namespace tickreel::test {

class scratch_folder {
 public:
  scratch_folder() {
    std::random_device seed;
    do {
      path_ = parent() / ("tickreel-" + std::to_string(seed()));
    } while (!std::filesystem::create_directory(path_));
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  static std::filesystem::path parent() {
#ifndef _WIN32
    std::error_code ignored;
    const std::filesystem::path memory = "/dev/shm";
    if (std::getenv("TMPDIR") == nullptr && std::filesystem::is_directory(memory, ignored)) return memory;
#endif
    return std::filesystem::temp_directory_path();
  }

  std::filesystem::path path_;
};

}  // namespace tickreel::test
