#include "tickreel/tracks/row_rewriter.hpp"

#include <algorithm>
#include <utility>

#include "tickreel/describe/schema.hpp"
#include "tickreel/reel/block_chunk.hpp"
#include "tickreel/tracks/rows.hpp"

namespace tickreel::tracks {

result<row_rewriter> row_rewriter::create(byte_span schema_bytes, const rewrite_options& options) {
  auto rows = row_decoder::create(schema_bytes);
  if (!rows) return fail(rows.error());
  auto columns = shape_of(rows->described());
  if (!columns) return fail(columns.error());
  rewrite_options chosen = options;
  chosen.blocks.max_rows =
      std::min(chosen.blocks.max_rows, rows_within(columns->row_bytes, options.max_block_bytes));
  chosen.blocks.max_change_rows = max_change_rows;
  chosen.blocks = options_for_version(chosen.blocks, options.rows_version);
  return row_rewriter(std::move(*rows), *columns, chosen);
}

row_rewriter::row_rewriter(row_decoder&& rows, const shape& columns, const rewrite_options& options)
    : rows_(std::move(rows)), block_(columns, options.blocks), block_us_(options.block_us) {}

bool row_rewriter::is_due(const reel::frame& next) const noexcept {
  if (stamps_.empty()) return false;
  const std::int64_t begun = stamps_.front().time_us;
  const std::int64_t last = stamps_.back().time_us;
  // Ticks of a hostile file may have any time.
  const bool continues_block = next.stamp.time_us >= last && static_cast<std::uint64_t>(next.stamp.time_us) -
                                                                     static_cast<std::uint64_t>(begun) <
                                                                 static_cast<std::uint64_t>(block_us_);
  return block_.full() || !continues_block;
}

result<void> row_rewriter::add(const reel::frame& next) {
  if (auto decoded = rows_.decode(next.kind, next.bytes); !decoded) return decoded;
  if (!block_.add(rows_.state())) return fail(error_code::wrong_state, error::no_offset, "the block is full");
  stamps_.push_back(next.stamp);
  return {};
}

result<void> row_rewriter::pass_over(const reel::frame& next) {
  return rows_.decode(next.kind, next.bytes);
}

result<void> row_rewriter::write(reel::writer& out) {
  const std::size_t largest = block_.max_size();
  room_.resize(reel::block_chunk_bytes(largest, stamps_.size()));
  byte_writer block(mutable_byte_span(room_).subspan(reel::frame_head_bytes, largest));
  block_.write(block);
  const byte_span payload = block.ok() ? reel::finish_block_chunk(room_, block.size(), stamps_) : byte_span();
  if (payload.empty()) return fail(error_code::buffer_too_small, error::no_offset, "a block");
  reel::record_info about;
  about.kind = reel::record_kind::chunk;
  about.flags = reel::starts_with_keyframe;
  about.frames = static_cast<std::uint32_t>(stamps_.size());
  about.first_tick = stamps_.front().tick;
  about.last_tick = stamps_.back().tick;
  about.first_time_us = stamps_.front().time_us;
  about.last_time_us = stamps_.back().time_us;
  const auto done = out.append(about, payload);
  if (!done) return fail(done.error());
  stamps_.clear();
  block_.clear();
  return {};
}

}  // namespace tickreel::tracks
