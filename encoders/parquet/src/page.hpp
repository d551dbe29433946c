// The content of a page: levels, then values, encoded as PLAIN.
//
//   page   = u32 bytes of the run | run | value *
//   run    = varint rows * 2 | u8 level                    if all rows have the same level
//          | varint (groups of 8 rows) * 2 + 1 | u8 * groups, least significant bit first
//   level  = 1, or 0 for null
//   value  = i64 | f64 | u32 bytes, UTF-8; nothing for null
#pragma once

#include "tickreel/columns/column_values.hpp"

namespace tickreel::parquet {

[[nodiscard]] std::size_t page_bytes(const columns::column_values& of) noexcept;
void append_page(const columns::column_values& of, byte_vector& out);

}  // namespace tickreel::parquet
