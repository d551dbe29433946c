// Runs scripts that use @mcap/core.
#pragma once

#ifndef _WIN32

#include <filesystem>
#include <string>

#include "preconditions.hpp"
#include "scratch_folder.hpp"

namespace tickreel::test {

inline const auto with_mcap_core = needed(
    [] {
      return std::filesystem::exists(TICKREEL_MCAP_CORE "/node_modules")
                 ? nullptr
                 : "no @mcap/core; scripts/bootstrap --ci installs it";
    },
    "TICKREEL_REQUIRE_BINDINGS");

// A folder with the script, because node searches packages beside it.
class mcap_core_folder {
 public:
  explicit mcap_core_folder(const char* script) : script_(folder_ / script) {
    std::filesystem::copy_file(std::filesystem::path(TICKREEL_MCAP_SCRIPTS) / script, script_);
    std::filesystem::create_directory_symlink(TICKREEL_MCAP_CORE "/node_modules",
                                              folder_.path() / "node_modules");
  }
  [[nodiscard]] const std::string& script() const noexcept { return script_; }

 private:
  scratch_folder folder_;
  std::string script_;
};

}  // namespace tickreel::test

#endif
