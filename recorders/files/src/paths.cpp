#include "paths.hpp"

#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::files {

std::string name_of(const file_path& path) {
  return file_path(filesystem_path(path).filename()).utf8();
}

std::string extension_of(const file_path& path) {
  const std::string extension = file_path(filesystem_path(path).extension()).utf8();
  return extension.empty() ? extension : text::to_lower(extension.substr(1));
}

result<void> check_distinct(const file_path& input, const file_path& output) {
  if (!is_same_file(input, output)) return {};
  return fail(error_code::invalid_argument, error::no_offset, "input and output are the same file");
}

std::uint64_t size_of_file(const file_path& path) {
  const auto found = status_of(path);
  return found && found->kind == entry_kind::file ? found->bytes : 0;
}

}  // namespace tickreel::files
