// The list of recordings that this program made in a folder, and the choice of those that exceed the limits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "tickreel/echo_vr/record_session.hpp"
#include "tickreel/result.hpp"

namespace tickreel::echo_vr {

// One list per folder. Only files on the list are ever deleted, and only if they have the size with which
// they were published and were not written to since. One line each:
//
//   bytes <tab> finished at, milliseconds since 1970 <tab> last written to at <tab> name <line feed>
//
// The third is a std::filesystem::file_time_type of the system: on a system with another epoch such
// a file counts as changed, and stays.
//
// Reading and writing require its lock, so that several recorders can share a folder. A line that is
// torn or does not name a file of this folder is skipped: a lost line only means that a file
// stays. A NAME.extra.json is listed after its NAME.butter, and is deleted only together with it.
inline constexpr const char* kept_list_name = ".tickreel-recorded";

class retention_list {
 public:
  struct removed_file {
    std::filesystem::path path;
    std::uint64_t bytes = 0;
    bool too_old = false;  // otherwise the total size was too large
    result<void> outcome;
  };

  retention_list(std::filesystem::path folder, const retention_options& options);

  // Adds a file that was published and closed; a later write to it protects it from deletion. Fails with
  // in_use if another process keeps the list locked.
  result<void> add(const std::filesystem::path& path, std::uint64_t bytes, std::int64_t now_ms);
  // Deletes, oldest first, files above the maximum age or total size. The newest file always stays, and so do
  // files that are being written.
  result<std::vector<removed_file>> remove_surplus(std::int64_t now_ms);

 private:
  std::filesystem::path folder_;
  retention_options options_;
};

}  // namespace tickreel::echo_vr
