// Columns of the C ABI, whose memory is shared with what was exported from them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "handle.hpp"

namespace tickreel::c {

struct column {
  std::string name;
  std::int32_t type = TICKREEL_COLUMN_EMPTY;
  std::uint64_t count = 0;
  std::uint64_t null_count = 0;
  std::vector<std::uint64_t> numbers;  // the bits of INT64, UINT64 and FLOAT64
  std::vector<std::uint8_t> truths;    // of BOOL
  std::string text;                    // of TEXT
  std::vector<std::int64_t> offsets;
  std::vector<std::uint8_t> validity;

  [[nodiscard]] const void* values() const noexcept;
};

struct column_table {
  std::vector<column> columns;
  std::uint64_t ticks = 0;
};

}  // namespace tickreel::c

struct tickreel_columns {
  std::shared_ptr<const tickreel::c::column_table> table;
};
