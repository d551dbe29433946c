// The seam to how a system says that something changed in a folder.
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
  // Waits until something changed or the time is over. Adds files and folders that have to be looked at,
  // those that are gone among them.
  virtual result<void> wait(std::chrono::milliseconds at_most, std::set<std::filesystem::path>& touched) = 0;
};

// inotify where there is, with every folder below the roots; looking again every `poll` elsewhere, or when
// the system has no more watches to give.
std::unique_ptr<folder_events> watch_folders(const std::vector<std::filesystem::path>& roots,
                                             std::chrono::milliseconds poll, bool always_poll);

}  // namespace tickreel::library
