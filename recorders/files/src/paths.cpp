#include "paths.hpp"

#include <algorithm>
#include <cctype>
#include <system_error>

#include "tickreel/io/filesystem_path.hpp"

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
  std::error_code ignored;
  return std::filesystem::equivalent(filesystem_path(left), filesystem_path(right), ignored);
}

bool is_there(const file_path& path) {
  std::error_code ignored;
  return std::filesystem::exists(filesystem_path(path), ignored);
}

std::uint64_t size_of_file(const file_path& path) {
  std::error_code unknown;
  const std::uint64_t bytes = std::filesystem::file_size(filesystem_path(path), unknown);
  return unknown ? 0 : bytes;
}

}  // namespace tickreel::files
