#include "confine.hpp"

#include "tickreel/files/distant_files.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/net/confine.hpp"

namespace tickreel::cli {

void confine_to_folders_of(const std::vector<std::string>& files) {
  std::vector<std::string> folders;
  for (const std::string& each : files) {
    if (each.empty()) continue;
    if (files::is_distant(each)) return;  // connections are needed
    const auto folder = filesystem_path(each).parent_path();
    folders.push_back(folder.empty() ? "." : file_path(folder).utf8());
  }
  // As far as the system can.
  (void)net::confine_to_reading(folders);
}

}  // namespace tickreel::cli
