// The block of rows and the queue of events that the encoders of rows share: row_encoder.hpp, struct_encoder.hpp.
#pragma once

#include <cstddef>
#include <memory>

#include "tickreel/tracks/block_writer.hpp"
#include "tickreel/tracks/event_queue.hpp"

namespace tickreel::tracks {

// Most of a block_encoder: a derived class adds create() and add_row(). Allocates all its memory on creation.
class row_block {
 public:
  // Enables events, which the recorder writes beside the rows. The queue keeps its address when this object
  // moves; null until take_events() was called.
  void take_events() { events_ = std::make_unique<event_queue>(); }
  [[nodiscard]] event_queue* events() const noexcept { return events_.get(); }

  [[nodiscard]] bool is_full() const noexcept { return rows_.full(); }
  [[nodiscard]] std::size_t max_rows() const noexcept { return rows_.max_rows(); }
  [[nodiscard]] std::size_t max_block_size() const noexcept { return rows_.largest_size(); }
  void write_block(byte_writer& out) noexcept { rows_.write(out); }
  void clear_rows() noexcept { rows_.clear(); }
  [[nodiscard]] bool can_continue() const noexcept { return rows_.can_continue(); }
  void continue_block() noexcept { (void)rows_.continue_block(); }

 protected:
  row_block(std::size_t row_bytes, const shape& columns, const block_options& options)
      : row_(row_bytes), rows_(columns, options) {}

  byte_vector row_;
  block_writer rows_;

 private:
  std::unique_ptr<event_queue> events_;
};

}  // namespace tickreel::tracks
