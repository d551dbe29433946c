// Encodes rows into blocks. A block can be decoded alone, unless the caller lets it continue the one before.
#pragma once

#include <memory>

#include "tickreel/bytes/span.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/tracks/block.hpp"
#include "tickreel/tracks/shape.hpp"

namespace tickreel::tracks {

// Collects rows and writes them as a block. Allocates only in the constructor: max_rows times row_bytes and
// about twice that for encoding. Not thread-safe. The same rows produce the same bytes, independent of
// earlier blocks and of the machine, except for columns with a tolerance, and for rows of
// block_options::min_change_row_bytes: the number of records that changed before decides how they are coded.
class block_writer {
 public:
  // With a shape that validate() rejects, the writer accepts no row.
  explicit block_writer(const shape& of, const block_options& options = {});
  ~block_writer();
  block_writer(block_writer&&) noexcept;
  block_writer& operator=(block_writer&&) noexcept;

  // Copies shape.row_bytes bytes. False if the block is full, or the row has another size.
  bool add(byte_span row) noexcept;
  // Adds the row that was added last, also to a block before, with these changes (row_changes.hpp). The bytes of the block
  // are those of add(). False also if there is no such row, or a change is outside of it.
  bool add_changes(byte_span changes) noexcept;
  [[nodiscard]] std::size_t rows() const noexcept;
  [[nodiscard]] bool full() const noexcept;
  // The largest number in the options, or as many as fit into the limits of readers (block_limits), at least 1.
  [[nodiscard]] std::size_t max_rows() const noexcept;

  // The largest size of write() for the collected rows.
  [[nodiscard]] std::size_t max_size() const noexcept;
  // The same for a full block.
  [[nodiscard]] std::size_t largest_size() const noexcept;
  // Writes the collected rows and keeps them. If there is not enough space, the output is unusable and
  // !out.ok().
  void write(byte_writer& out) noexcept;
  // Starts the next block.
  void clear() noexcept;

  // Whether the next block can continue the last one, so that it repeats no row: only blocks of changes can.
  [[nodiscard]] bool can_continue() const noexcept;
  // After clear(), before the first add(): the block continues the one that was written last, which readers then need.
  // False if it cannot; the block then can be decoded alone.
  bool continue_block() noexcept;

 private:
  class work;
  std::unique_ptr<work> work_;
};

}  // namespace tickreel::tracks
