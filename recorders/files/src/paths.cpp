#include "paths.hpp"

#include <algorithm>
#include <cctype>
#include <system_error>

#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"

namespace tickreel::files {

std::string name_of(const file_path& path) {
  return file_path(filesystem_path(path).filename()).utf8();
}

std::string extension_of(const file_path& path) {
  std::string extension = file_path(filesystem_path(path).extension()).utf8();
  if (extension.empty()) return extension;
  extension.erase(0, 1);
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char each) { return static_cast<char>(std::tolower(each)); });
  return extension;
}

bool same_file(const file_path& left, const file_path& right) {
  return is_same_file(left, right);
}

bool is_there(const file_path& path) {
  return path_exists(path);
}

std::uint64_t size_of_file(const file_path& path) {
  const auto found = status_of(path);
  return found && found->kind == entry_kind::file ? found->bytes : 0;
}

}  // namespace tickreel::files
