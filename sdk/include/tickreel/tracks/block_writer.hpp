// Rows to blocks. A block decodes alone.
#pragma once

#include <memory>

#include "tickreel/bytes/span.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/tracks/block.hpp"
#include "tickreel/tracks/shape.hpp"

namespace tickreel::tracks {

// Collects rows and writes them as a block. Takes all its memory when it is made, which is most_rows times
// row_bytes and about twice that for the work; nothing else allocates. Not thread-safe. The same rows make
// the same bytes, whatever was written before and wherever it runs, apart from columns with a tolerance.
class block_writer {
 public:
  // A shape that validate() refuses makes a writer that takes no row.
  explicit block_writer(const shape& of, const block_options& options = {});
  ~block_writer();
  block_writer(block_writer&&) noexcept;
  block_writer& operator=(block_writer&&) noexcept;

  // Copies shape.row_bytes bytes. False when the block is full, or the row has another size.
  bool add(byte_span row) noexcept;
  [[nodiscard]] std::size_t rows() const noexcept;
  [[nodiscard]] bool full() const noexcept;
  // Those of the options, or as many as fit what readers take (block_limits), 1 at least.
  [[nodiscard]] std::size_t most_rows() const noexcept;

  // The most bytes that write() makes of the rows so far.
  [[nodiscard]] std::size_t max_size() const noexcept;
  // The same of a full block.
  [[nodiscard]] std::size_t largest_size() const noexcept;
  // The rows so far, which stay. Nothing usable, and !out.ok(), when there is less room than it takes.
  void write(byte_writer& out) noexcept;
  // Begins the next block.
  void clear() noexcept;

 private:
  class work;
  std::unique_ptr<work> work_;
};

}  // namespace tickreel::tracks
