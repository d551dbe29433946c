// Helpers for file names.
#pragma once

#include <cstdint>
#include <string>

#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

// Without its folder.
[[nodiscard]] std::string name_of(const file_path& path);
// In lower case and without its dot: "butter". Empty if there is none.
[[nodiscard]] std::string extension_of(const file_path& path);
// Fails if both are one file, even under different names.
[[nodiscard]] result<void> check_distinct(const file_path& input, const file_path& output);
// 0 if the system cannot report it.
[[nodiscard]] std::uint64_t size_of_file(const file_path& path);

}  // namespace tickreel::files
