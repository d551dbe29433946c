// The seam to the file system's facts about a file, and a unique name for each file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "tickreel/result.hpp"

namespace tickreel::library {

// Equal as long as the file is unchanged.
struct file_identity {
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  // since 1970
  std::int64_t inode = 0;        // 0 if the system has no such number
  bool operator==(const file_identity&) const = default;
};

// Of the tag of an object in a store, as its file_identity::inode.
[[nodiscard]] std::int64_t tag_number(std::string_view tag);

// not_found if no regular file has this name; another error if it cannot be determined. Follows links.
result<file_identity> identify(const std::filesystem::path& path);

// Absolute, without dots; links in the path are kept. So each file has one name.
[[nodiscard]] std::filesystem::path full_path(const std::filesystem::path& path);

// A hash of the content: XXH3 of the whole file up to 1 MiB; for larger ones of 16 pieces of 64 KiB,
// including the first and the last, and the size. Sufficient to recognise a moved file.
result<std::uint64_t> fingerprint(const std::filesystem::path& path, std::uint64_t bytes);

}  // namespace tickreel::library
