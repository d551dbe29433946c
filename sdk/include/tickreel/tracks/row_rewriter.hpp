// The rows of a reel in other blocks: longer ones, and coded for the archive instead of the moment.
#pragma once

#include <cstdint>
#include <vector>

#include "tickreel/reel/recover.hpp"
#include "tickreel/tracks/block_writer.hpp"
#include "tickreel/tracks/row_decoder.hpp"

namespace tickreel::tracks {

struct rewrite_options {
  block_options blocks = {.stage = stage::archive};
  // Ticks that share a block lie within this time of its first one. What a reader unpacks for a single tick.
  std::int64_t block_us = 10'000'000;
  // Rows that share a block take at most so many bytes, one row at least. The writer takes three times that.
  std::uint64_t most_block_bytes = 24u << 20;
};

// For reel::recover_into(). Memory is that of one block.
class row_rewriter final : public reel::chunk_rewriter {
 public:
  // From what the reel's header holds: what read_schema() and shape_of() refuse.
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

// A finished reel, in such blocks under its own name: written beside it and renamed, so that a crash on the
// way leaves the one or the other. Stays as it is where that would not be smaller. Fails as
// reel::recover_into() does, with what is wrong with its header, and with wrong_state for a reel that has no
// end yet.
result<reel::recovery> compact_in_place(const file_path& path, system_calls& calls = system_calls::real());

}  // namespace tickreel::tracks
