// Helpers for file names.
#pragma once

#include <cstdint>
#include <string>

#include "tickreel/io/path.hpp"

namespace tickreel::files {

// Without its folder.
[[nodiscard]] std::string name_of(const file_path& path);
// In lower case and without its dot: "butter". Empty if there is none.
[[nodiscard]] std::string extension_of(const file_path& path);
// Whether both exist and are the same file, even under different names.
[[nodiscard]] bool same_file(const file_path& left, const file_path& right);
[[nodiscard]] bool is_there(const file_path& path);
// 0 if the system cannot report it.
[[nodiscard]] std::uint64_t size_of_file(const file_path& path);

}  // namespace tickreel::files
