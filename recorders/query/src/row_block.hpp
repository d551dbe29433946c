// Rows that are read together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rows.hpp"

namespace tickreel::query {

// Some rows of one file, one after the other.
struct row_block {
  std::vector<value> cells;
  std::vector<std::uint64_t> ids;  // of the rows
  std::size_t rows = 0;
  std::vector<std::string> losses;  // up to the last of them
  ticks_read read;
  std::optional<error> failure;
  bool is_last = false;  // of the file
  bool is_from_index = false;
};

// Reads up to `max_rows` rows.
[[nodiscard]] row_block read_block(file_rows& from, std::size_t width, std::size_t max_rows);
// The last block of a file that cannot be read.
[[nodiscard]] row_block failed_block(const error& why);

}  // namespace tickreel::query
