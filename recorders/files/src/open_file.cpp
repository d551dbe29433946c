#include <filesystem>
#include <system_error>

#include "formats.hpp"
#include "tickreel/io/filesystem_path.hpp"

namespace tickreel::files {

result<byte_source> open_file(const file_path& path) {
  if (auto checked = check_path(path); !checked) return fail(checked.error());
  // Opening a pipe would wait for whoever writes it, and recordings are sought in.
  std::error_code unknown;
  const std::filesystem::file_status there = std::filesystem::status(filesystem_path(path), unknown);
  if (std::filesystem::is_directory(there)) {
    return fail(error_code::invalid_argument, error::no_offset, "this is a folder");
  }
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) {
    return fail(error_code::invalid_argument, error::no_offset,
                "this is a pipe or a device; save what comes out of it to a file first");
  }
  return byte_source::open(path);
}

}  // namespace tickreel::files
