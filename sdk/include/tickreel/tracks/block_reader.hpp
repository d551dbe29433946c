// Decodes blocks into rows.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"
#include "tickreel/tracks/block.hpp"
#include "tickreel/tracks/shape.hpp"

namespace tickreel::tracks {

// Reads one block after another. Decodes each group of columns on demand, once per block. Reuses its memory;
// never more than the limits permit. Not thread-safe.
class block_reader {
 public:
  explicit block_reader(const shape& of, const block_limits& limits = {});
  ~block_reader();
  block_reader(block_reader&&) noexcept;
  block_reader& operator=(block_reader&&) noexcept;

  // The block must outlive its use. invalid_argument for a shape that validate() rejects;
  // unsupported_version, truncated, malformed or over_limit for a block. After a failure there are no rows.
  [[nodiscard]] result<void> open(byte_span block);
  // The same for a block that continues the open one.
  [[nodiscard]] result<void> open_next(byte_span block);
  // Rows of blocks opened after this call contain only those columns, and 0 for the others, which are decoded
  // only if those columns refer to them. Empty: all. Unknown column numbers are ignored.
  void keep_only(const std::vector<std::uint32_t>& columns);
  [[nodiscard]] std::size_t rows() const noexcept;

  // Row i, in shape.row_bytes bytes. The first call decodes all columns, or the selected ones. out_of_range,
  // buffer_too_small, or malformed.
  [[nodiscard]] result<void> row(std::size_t i, mutable_byte_span out);
  // The same for `out` with another row of the open block: copies only the values that vary within it.
  [[nodiscard]] result<void> replace_row(std::size_t i, mutable_byte_span out);
  // That column's bytes of all rows, rows() times its size_bytes. Decodes its group up to it, and the columns
  // that it refers to.
  [[nodiscard]] result<void> column(std::size_t c, mutable_byte_span out);

 private:
  class work;
  std::unique_ptr<work> work_;
};

}  // namespace tickreel::tracks
