// The names of published_file's temporary files, and which of them this process has read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tickreel {

inline constexpr std::string_view temporary_file_ending = ".part";

// The files with that ending that this process opened for reading, as the callers spelled them.
std::vector<std::string> temporary_files_read();

}  // namespace tickreel
