// Reads an index without the right to change it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tickreel/io/path.hpp"
#include "tickreel/library/sqlite.hpp"
#include "tickreel/result.hpp"

namespace tickreel::library {

// Opens the index of another run; it is neither created nor migrated. unsupported_version for one that has another
// version, malformed for a file that is not an index.
result<connection> open_to_read(const file_path& database);

// The path of a file as an index has it: absolute, without dots, with its links.
[[nodiscard]] std::string indexed_path(const file_path& file);

struct indexed_files {
  std::vector<std::string> paths;  // of recordings, sorted
  std::uint64_t in_stores = 0;     // recordings that are objects of a store, which have no path
};
// Without removed files.
result<indexed_files> list_files(connection& index);

}  // namespace tickreel::library
