// Rows of which few records change, as changes (changes.hpp): the coding of version 2 of a block.
//
//   u8               version: 2
//   prefix varint    rows; 0: nothing follows
//   u8               0; 1: the block continues the one before
//   prefix varint    bytes of each row, in order
//   ...              the rows
//
// The kinds of records are the shape's arrays of records, in their order. Each record of the first row is coded as
// a change to the record before it in its array, the first of them to zeros. All other rows are changes to the row
// before. Models start once, with the first row. In a block that continues, the first row is a change to the last row
// of the block before, whose models go on.
#pragma once

#include <cstring>
#include <vector>

#include "change_decoder.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/tracks/changes.hpp"

namespace tickreel::tracks {

inline constexpr std::uint8_t change_block_version = 2;

// Record numbers and kinds of a row.
class record_map {
 public:
  explicit record_map(const shape& of);

  // False for a shape whose rows cannot be coded as changes: its records are unknown, too many of a kind, or have bytes
  // that are in no column.
  [[nodiscard]] bool is_usable() const noexcept { return !kinds_.empty(); }
  [[nodiscard]] const std::vector<shape>& kinds() const noexcept { return kinds_; }
  [[nodiscard]] const std::vector<record_array>& arrays() const noexcept { return arrays_; }
  [[nodiscard]] std::size_t records() const noexcept { return records_; }
  // The largest size of one coded row.
  [[nodiscard]] std::size_t max_row_bytes() const noexcept { return max_row_bytes_; }

 private:
  std::vector<record_array> arrays_;
  std::vector<shape> kinds_;
  std::size_t records_ = 0;
  std::size_t max_row_bytes_ = 0;
};

// The records that differ between two rows: the bytes of those records.
[[nodiscard]] std::size_t changed_record_bytes(const record_map& map, const std::byte* before,
                                               const std::byte* now) noexcept;

// Allocates only in the constructor. The rows of one block.
class change_row_writer {
 public:
  // The map is usable, and outlives this object.
  change_row_writer(const record_map& map, std::uint32_t row_bytes, std::uint32_t max_rows);
  // The memory of such a writer, at most, and its largest_size().
  [[nodiscard]] static std::uint64_t memory_of(const record_map& map, std::uint32_t row_bytes,
                                               std::uint32_t max_rows) noexcept;
  [[nodiscard]] static std::size_t largest_size_of(const record_map& map, std::uint32_t max_rows) noexcept;

  // Starts a block, which can be decoded alone.
  void clear() noexcept;
  // After clear(): the block continues the one before, which had a row.
  void continue_block() noexcept { continues_ = true; }
  void add(byte_span row) noexcept;
  // The last row with these changes, which are inside of it.
  void add_changes(byte_span changes) noexcept;
  // The row that was added last, in any block; zeros before the first.
  [[nodiscard]] const std::byte* last() const noexcept { return last_.data(); }
  // After clear(), before the first row: makes this row the last one. The block continues none.
  void set_last(const std::byte* row) noexcept { std::memcpy(last_.data(), row, row_bytes_); }
  [[nodiscard]] std::size_t rows() const noexcept { return sizes_.size(); }
  [[nodiscard]] bool is_full() const noexcept;
  [[nodiscard]] std::uint32_t max_rows() const noexcept { return max_rows_; }
  // The changes since the last whole row have so many bytes that another one costs a reader less time.
  [[nodiscard]] bool is_long() const noexcept;
  // The last row changed so many records that they are better coded by column.
  [[nodiscard]] bool is_dense() const noexcept { return is_dense_; }

  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] std::size_t largest_size() const noexcept { return largest_size_of(map_, max_rows_); }
  void write(byte_writer& out) const noexcept;

 private:
  template <class Write>
  void add_row(Write&& write) noexcept;
  void merge_places(std::size_t own) noexcept;
  void add_first(const std::byte* row) noexcept;
  void add_next(const std::byte* row) noexcept;
  void save_records(std::uint32_t offset, std::size_t size) noexcept;
  void find_saved() noexcept;
  void write_places(const std::byte* before, const std::byte* now) noexcept;

  const record_map& map_;
  std::uint32_t row_bytes_;
  std::uint32_t max_rows_;
  bool continues_ = false;
  bool is_dense_ = false;
  std::uint64_t coded_bytes_ = 0;  // of the changed records of all rows
  std::size_t whole_bytes_ = 0;    // of the last row that is no change to the row before
  std::size_t bytes_since_ = 0;    // of the rows after it, also in other blocks
  byte_vector last_;
  byte_vector saved_;                     // records of the last row that changes overwrite, at their places
  std::vector<std::uint64_t> is_saved_;   // a bit for each record; those of an array begin a word
  std::vector<std::size_t> first_words_;  // of each array in is_saved_
  byte_vector zeros_;
  byte_vector bytes_;
  std::vector<std::size_t> sizes_;
  std::vector<std::uint64_t> places_;  // record and kind of each change
  std::vector<std::uint64_t> merged_;  // room to merge them
  std::vector<record_change> changes_;
  change_writer writer_;
};

// Decodes a block row by row. Keeps the coded rows of the blocks that it continues, to decode them again.
class change_row_reader {
 public:
  explicit change_row_reader(const shape& of);

  // `in` follows the number of rows, which is not 0. A block that `continues` the open one; otherwise it needs none.
  [[nodiscard]] result<void> open(byte_reader& in, std::size_t rows, std::uint64_t memory_bytes,
                                  bool continues);
  // No block is open.
  void close() noexcept;
  // Decodes up to that row, which is below the number of rows; from the first row of the first block on if it is before
  // the last decoded one. Valid until the next call.
  [[nodiscard]] result<byte_span> row(std::size_t number);

 private:
  [[nodiscard]] result<void> decode_first(byte_span coded);
  [[nodiscard]] result<void> decode_next(byte_span coded);
  [[nodiscard]] result<std::size_t> next_record(record_change& change);
  [[nodiscard]] std::byte* record_at(std::size_t array, std::size_t number) noexcept;

  record_map map_;
  std::uint32_t row_bytes_;
  std::uint64_t max_coded_bytes_ = 0;
  std::uint64_t coded_bytes_ = 0;    // of the changed records since the beginning of a block
  byte_vector bytes_;                // the coded rows of all blocks
  std::vector<std::size_t> ends_;    // of each row in bytes_
  std::vector<std::size_t> blocks_;  // the first row of each block
  std::size_t decoded_ = 0;          // rows; the last of them is in row_
  byte_vector row_;
  std::vector<std::size_t> done_;  // records of each array, while the first row is decoded
  change_decoder reader_;
};

}  // namespace tickreel::tracks
