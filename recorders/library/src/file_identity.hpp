// The seam to what the file system knows about a file, and one name for each file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "tickreel/result.hpp"

namespace tickreel::library {

// Two looks at an unchanged file give the same.
struct file_identity {
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  // since 1970
  std::int64_t inode = 0;        // 0 where the system has no such number
  bool operator==(const file_identity&) const = default;
};

// not_found when there is no regular file of this name, whatever else there is; another error when nobody can
// tell. Follows links.
result<file_identity> identify(const std::filesystem::path& path);

// Absolute, without dots; links on the way stay. So each file has one name.
[[nodiscard]] std::filesystem::path full_path(const std::filesystem::path& path);

// Of the content: XXH3 of the whole file up to 1 MiB; of larger ones of 16 pieces of 64 KiB, the first and
// the last among them, and the size. Enough to find a file again that was moved.
result<std::uint64_t> fingerprint(const std::filesystem::path& path, std::uint64_t bytes);

}  // namespace tickreel::library
