// Rows by column: the coding of version 1 of a block (block.hpp).
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "analysis.hpp"
#include "block.hpp"
#include "table.hpp"
#include "text_table.hpp"
#include "tickreel/bytes/room.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/tracks/row_changes.hpp"

namespace tickreel::tracks {

// Sets the bits in `changed` in which the two differ.
inline void note_changes(std::byte* __restrict changed, const std::byte* __restrict now,
                         const std::byte* __restrict first, std::size_t size) noexcept {
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    std::uint64_t a = 0, b = 0, c = 0;
    std::memcpy(&a, now + i, 8);
    std::memcpy(&b, first + i, 8);
    std::memcpy(&c, changed + i, 8);
    c |= a ^ b;
    std::memcpy(changed + i, &c, 8);
  }
  for (; i < size; ++i) changed[i] |= now[i] ^ first[i];
}

// Allocates only in the constructor. The rows of one block.
class column_row_writer {
 public:
  // The layout outlives this object; if it is unusable, max_rows() is 0.
  column_row_writer(const layout& plan, const block_options& options);

  void clear() noexcept { count_ = 0; }
  // The writer is not full, and the row has the size of the shape.
  void add(byte_span row) noexcept {
    std::byte* to = next();
    if (!row.empty()) std::memcpy(to, row.data(), row.size());
    note_row(to);
  }
  // The row `before`, which may be the last one of the block before, with these changes, which are inside of it.
  void add_changes(const std::byte* before, byte_span changes) noexcept {
    const std::size_t size = plan_.of.row_bytes;
    std::byte* to = next();
    if (to != before) std::memcpy(to, before, size);
    for (row_change each; next_change(changes, size, each);) {
      if (!each.bytes.empty()) std::memcpy(to + each.offset, each.bytes.data(), each.bytes.size());
    }
    note_row(to);
  }
  // The row that was added last; there is one. Valid until the first row of the next block.
  [[nodiscard]] const std::byte* last() const noexcept {
    return rows_.data() + (count_ - 1) * plan_.of.row_bytes;
  }
  [[nodiscard]] std::size_t rows() const noexcept { return count_; }
  [[nodiscard]] bool is_full() const noexcept { return count_ == max_rows_; }
  [[nodiscard]] std::uint32_t max_rows() const noexcept { return max_rows_; }

  [[nodiscard]] std::size_t size() const noexcept { return size_of(count_); }
  [[nodiscard]] std::size_t largest_size() const noexcept { return size_of(max_rows_); }
  void write(byte_writer& out) noexcept;

 private:
  [[nodiscard]] std::byte* next() noexcept { return rows_.data() + count_ * plan_.of.row_bytes; }
  // The next row is at `to`.
  void note_row(const std::byte* to) noexcept {
    // Most columns never change in a block, and are skipped.
    if (count_ == 0) {
      std::fill(changed_.begin(), changed_.end(), std::byte{0});
    } else {
      note_changes(changed_.data(), to, rows_.data(), changed_.size());
    }
    ++count_;
  }
  [[nodiscard]] std::size_t size_of(std::size_t rows) const noexcept {
    return 1 + (2 + sizes_.size()) * prefix_varint_max_size + column_bytes_ * rows;
  }
  [[nodiscard]] std::span<const std::uint32_t> columns_of(std::size_t group) const noexcept {
    const std::size_t first = group * group_columns_;
    return std::span(plan_.order)
        .subspan(first, std::min<std::size_t>(group_columns_, plan_.order.size() - first));
  }
  [[nodiscard]] const std::byte* value(std::size_t row, const column& of) const noexcept {
    return rows_.data() + row * plan_.of.row_bytes + of.offset;
  }
  [[nodiscard]] std::int64_t* numbers_of(std::uint32_t i) noexcept {
    return plan_.slot[i] == layout::no_slot ? column_.numbers.data()
                                            : kept_.data() + std::size_t{plan_.slot[i]} * max_rows_;
  }
  [[nodiscard]] bool is_steady(const column& of) const noexcept {
    return size_without_zeros(changed_.data() + of.offset, of.size_bytes) == 0;
  }
  void gather(const column& of) noexcept {
    load_bits(value(0, of), plan_.of.row_bytes, of.size_bytes, count_, column_.bits.data());
  }

  [[nodiscard]] std::size_t write_group(std::size_t group, mutable_byte_span room) noexcept;
  void write_column(range_encoder& coder, std::uint32_t i) noexcept;
  // At least as many places as the column that this one is relative to, so that its steps are whole numbers
  // here.
  [[nodiscard]] int least_places(std::uint32_t i) const noexcept;
  void predict(std::uint32_t i, const std::int64_t* numbers, recipe& made) noexcept;
  void write_exceptions(range_encoder& coder, value_type type) noexcept;
  void write_text(range_encoder& coder, std::uint32_t i) noexcept;

  const layout& plan_;
  std::uint32_t max_rows_;
  std::uint32_t group_columns_;
  std::size_t column_bytes_ = 0;
  std::size_t count_ = 0;
  byte_room rows_;
  byte_vector changed_;  // the bits of a row that differ from the first row in any row
  byte_room groups_;
  std::vector<std::size_t> sizes_;
  std::vector<std::int64_t> kept_;
  std::vector<mapping> mappings_;
  text_table texts_;
  column_work column_;
  group_models models_;
};

}  // namespace tickreel::tracks
