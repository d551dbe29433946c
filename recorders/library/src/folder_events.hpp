// The seam to the system's notifications of changes in folders.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <set>
#include <vector>

#include "tickreel/result.hpp"

namespace tickreel::library {

class folder_events {
 public:
  virtual ~folder_events() = default;
  // Waits until something changed or the time has elapsed. Adds files and folders to check, including removed
  // ones.
  virtual result<void> wait(std::chrono::milliseconds at_most, std::set<std::filesystem::path>& touched) = 0;
};

// inotify if available, with every folder below the roots; otherwise, or if the system has no more watches, a
// scan every `poll`.
std::unique_ptr<folder_events> watch_folders(const std::vector<std::filesystem::path>& roots,
                                             std::chrono::milliseconds poll, bool always_poll);

}  // namespace tickreel::library
