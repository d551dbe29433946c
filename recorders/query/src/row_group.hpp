// Rows in memory by column, and as bytes for a temporary file.
//
//   group  = per column: u32 bytes | column, see packed_column.hpp
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "packed_column.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/columns/column_values.hpp"
#include "tickreel/query/query.hpp"
#include "tickreel/result.hpp"

namespace tickreel::query {

// The kinds of the values of a column.
struct value_kinds {
  bool has_integers = false;
  bool has_large_integers = false;  // that no double holds exactly, perhaps
  bool has_reals = false;
  bool has_texts = false;

  // `declared`: the column's type in SQL, for a column without values.
  [[nodiscard]] columns::column_type type(std::string_view declared) const noexcept;
  // Whether numbers become texts.
  [[nodiscard]] bool is_mixed() const noexcept;
};

class row_group {
 public:
  // Rows of `columns` values.
  explicit row_group(std::size_t columns) : columns_(columns) {}

  // As many values as columns. `kinds` learns of them.
  void add(const std::vector<value>& values, std::vector<value_kinds>& kinds);
  [[nodiscard]] bool is_empty() const noexcept { return rows_ == 0; }
  [[nodiscard]] bool is_full() const noexcept;
  void clear() noexcept;
  // Replaces `out`.
  void store(byte_vector& out) const;

 private:
  std::vector<column_packer> columns_;
  std::size_t rows_ = 0;
  std::size_t bytes_ = 0;
};

// Reads what store() wrote into columns of the types of `to`, which are cleared before. Counts texts that were not UTF-8
// in `repaired`.
result<void> load_group(byte_span stored, std::vector<columns::column_values>& to, std::uint64_t& repaired);

}  // namespace tickreel::query
