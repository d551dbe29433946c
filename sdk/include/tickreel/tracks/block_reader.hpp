// Blocks back to rows.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"
#include "tickreel/tracks/block.hpp"
#include "tickreel/tracks/shape.hpp"

namespace tickreel::tracks {

// Reads one block after another. Decodes groups of columns when they are asked for, once a block. Keeps its
// memory from block to block; never more than the limits allow. Not thread-safe.
class block_reader {
 public:
  explicit block_reader(const shape& of, const block_limits& limits = {});
  ~block_reader();
  block_reader(block_reader&&) noexcept;
  block_reader& operator=(block_reader&&) noexcept;

  // The block must outlive its use. invalid_argument for a shape that validate() refuses;
  // unsupported_version, truncated, malformed or over_limit for a block. After a failure there are no rows.
  [[nodiscard]] result<void> open(byte_span block);
  // Rows of the blocks that are opened from now on have those columns alone, and 0 in the place of others, of
  // which nothing is looked at but what these refer to. Empty: all. Numbers that no column has are passed
  // over.
  void keep_only(const std::vector<std::uint32_t>& columns);
  [[nodiscard]] std::size_t rows() const noexcept;

  // Row i, in shape.row_bytes bytes. Decodes all columns, or those kept, the first time. out_of_range,
  // buffer_too_small, or malformed.
  [[nodiscard]] result<void> row(std::size_t i, mutable_byte_span out);
  // That column's bytes of all rows, rows() times its size_bytes. Decodes its group up to it, and so for the
  // columns that it refers to.
  [[nodiscard]] result<void> column(std::size_t c, mutable_byte_span out);

 private:
  class work;
  std::unique_ptr<work> work_;
};

}  // namespace tickreel::tracks
