// The values of one column in one group of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/columns/column.hpp"
#include "tickreel/result.hpp"

namespace tickreel::columns {

// Formats count the bytes of a text, and those of all texts of a group, in i32.
inline constexpr std::size_t max_bytes = (std::size_t{1} << 31) - 1;

// One thread at a time; clear() keeps the memory.
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
  [[nodiscard]] std::size_t rows() const noexcept { return has_value_.size(); }
  [[nodiscard]] std::size_t nulls() const noexcept { return nulls_; }
  [[nodiscard]] bool has_value(std::size_t row) const noexcept { return has_value_[row]; }
  // Of values that are integers; meaningless if all are null.
  [[nodiscard]] std::int64_t least() const noexcept { return least_; }
  [[nodiscard]] std::int64_t greatest() const noexcept { return greatest_; }
  // Of all values but nulls, in their order: i64 or f64, little-endian; or the bytes of texts.
  [[nodiscard]] byte_span values() const noexcept { return values_; }
  // Of texts but nulls: where each one ends in values().
  [[nodiscard]] std::span<const std::size_t> ends() const noexcept { return ends_; }
  // Appends a bit per row, least significant bit first: 1 for a value, 0 for null and after the last row.
  void append_validity(byte_vector& out) const;

 private:
  column_type type_;
  byte_vector values_;
  std::vector<std::size_t> ends_;
  std::vector<bool> has_value_;
  std::size_t nulls_ = 0;
  std::int64_t least_ = 0;
  std::int64_t greatest_ = 0;
};

// invalid_argument unless there are values of each column, of its type, with the same number of rows, at most max_bytes.
result<void> check_group(std::span<const column> columns, std::span<const column_values> values);

}  // namespace tickreel::columns
