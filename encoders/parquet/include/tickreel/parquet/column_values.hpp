// The values of one column in one group of rows, encoded as Parquet's PLAIN.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"

namespace tickreel::parquet {

// The physical types INT64, DOUBLE and BYTE_ARRAY; a text is UTF-8. Every column may have nulls.
enum class column_type : std::uint8_t { integer, real, text };

//   integer   i64, little-endian
//   real      f64, little-endian
//   text      u32 bytes | UTF-8
//
// Nulls have no bytes; a level per row marks them. One thread at a time; clear() keeps the memory.
class column_values {
 public:
  explicit column_values(column_type type) noexcept : type_(type) {}

  void add_null();
  // Of the column's type; another value is a defect of the caller and becomes null.
  void add(std::int64_t value);
  void add(double value);
  // invalid_argument, and nothing is added, for a text that is not UTF-8, or has 2 GiB or more.
  result<void> add(std::string_view value);
  void clear() noexcept;

  [[nodiscard]] column_type type() const noexcept { return type_; }
  [[nodiscard]] std::size_t rows() const noexcept { return levels_.size(); }
  [[nodiscard]] std::size_t nulls() const noexcept { return nulls_; }
  // Of values that are integers; meaningless if all are null.
  [[nodiscard]] std::int64_t least() const noexcept { return least_; }
  [[nodiscard]] std::int64_t greatest() const noexcept { return greatest_; }
  // The size of a page with these values.
  [[nodiscard]] std::size_t page_bytes() const noexcept;
  // Appends the content of a page: levels, then values.
  //
  //   levels = u32 bytes | one run
  //   run    = varint rows * 2 | u8 level                    if all rows have the same level
  //          | varint (groups of 8 rows) * 2 + 1 | u8 * groups, least significant bit first
  void append_page(byte_vector& out) const;

 private:
  [[nodiscard]] bool has_one_level() const noexcept { return nulls_ == 0 || nulls_ == rows(); }

  column_type type_;
  byte_vector values_;
  std::vector<bool> levels_;  // false: null
  std::size_t nulls_ = 0;
  std::int64_t least_ = 0;
  std::int64_t greatest_ = 0;
};

}  // namespace tickreel::parquet
