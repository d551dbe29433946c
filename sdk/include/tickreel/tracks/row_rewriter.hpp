// Rewrites the rows of a reel in longer blocks, encoded for archives.
#pragma once

#include <cstdint>
#include <vector>

#include "tickreel/reel/recover.hpp"
#include "tickreel/tracks/block_writer.hpp"
#include "tickreel/tracks/row_decoder.hpp"

namespace tickreel::tracks {

struct rewrite_options {
  block_options blocks = {.stage = stage::archive};
  // Ticks of a block are within this time of its first one. A reader decompresses a block to read a single
  // tick.
  std::int64_t block_us = 10'000'000;
  // Rows of a block have at most this many bytes, at least one row. The writer uses three times that.
  std::uint64_t max_block_bytes = 24u << 20;
  // reel::header::encoder_version of the written reel, which decides which blocks it may contain.
  std::uint32_t rows_version = 1;
};

// For reel::recover_into(). Uses the memory of one block.
class row_rewriter final : public reel::chunk_rewriter {
 public:
  // From the content of the reel's header. Fails as read_schema() and shape_of() do.
  static result<row_rewriter> create(byte_span schema_bytes, const rewrite_options& options = {});

  [[nodiscard]] bool is_due(const reel::frame& next) const noexcept override;
  result<void> add(const reel::frame& next) override;
  result<void> pass_over(const reel::frame& next) override;
  result<void> write(reel::writer& out) override;

 private:
  row_rewriter(row_decoder&& rows, const shape& columns, const rewrite_options& options);

  row_decoder rows_;
  block_writer block_;
  std::int64_t block_us_;
  std::vector<frame_stamp> stamps_;
  byte_vector room_;
};

// Rewrites a finished reel in such blocks under its own name: written beside it and renamed, so that a crash
// leaves the old or the new reel. Unchanged if the result would not be smaller. Fails as reel::recover_into()
// does, with the errors of its header, and with wrong_state for a reel without an end.
result<reel::recovery> compact_in_place(const file_path& path, system_calls& calls = system_calls::real());

}  // namespace tickreel::tracks
