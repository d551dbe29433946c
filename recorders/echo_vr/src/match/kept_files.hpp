// Which recordings of a folder this program made, and which of them are too old or too many.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tickreel/echo_vr/record_session.hpp"
#include "tickreel/result.hpp"

namespace tickreel::echo_vr {

// One list a folder, and only files in it are ever removed: those that it names, as long as they have the
// size that they were finished with and nobody has written to them since. A line each:
//
//   bytes <tab> finished at, milliseconds since 1970 <tab> last written to at <tab> name <line feed>
//
// The third is the system's own std::filesystem::file_time_type: to another system that counts otherwise such
// a file was changed, and stays.
//
// Whoever reads or writes it holds its lock, so that several recorders can share a folder. A line that is
// torn or names anything else than a file of this folder is passed over: a lost line only means that a file
// stays. A NAME.extra.json is in it behind its NAME.butter, and is removed with it, never without.
inline constexpr const char* kept_list_name = ".tickreel-recorded";

class kept_files {
 public:
  struct removed_file {
    std::filesystem::path path;
    std::uint64_t bytes = 0;
    bool too_old = false;  // else the files took too much room
    result<void> outcome;
  };

  kept_files(std::filesystem::path folder, const retention_options& options);

  // What was finished under its final name, and is closed: from here on who writes to it keeps it. in_use
  // when another process keeps the list for itself.
  result<void> add(const std::filesystem::path& path, std::uint64_t bytes, std::int64_t now_ms);
  // Removes, oldest first, what is older than it may be and what is over the room that all may take. The
  // newest file stays whatever its size, and so does what anybody writes.
  result<std::vector<removed_file>> remove_surplus(std::int64_t now_ms);

 private:
  std::filesystem::path folder_;
  retention_options options_;
};

}  // namespace tickreel::echo_vr
