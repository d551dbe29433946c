#include "tickreel/tracks/block_writer.hpp"

#include <algorithm>
#include <optional>

#include "change_rows.hpp"
#include "column_rows.hpp"
#include "tickreel/tracks/row_changes.hpp"

namespace tickreel::tracks {

// Each block has its rows by column or, if the shape and the options permit it and few records change, as changes.
class block_writer::work {
 public:
  work(const shape& of, const block_options& options) : plan_(of), columns_(plan_, options), records_(of) {
    if (!plan_.usable || of.row_bytes < least_row_bytes(options) || !records_.is_usable()) return;
    const std::uint32_t wanted = options.max_change_rows == 0 ? options.max_rows : options.max_change_rows;
    changes_.emplace(records_, of.row_bytes, std::clamp<std::uint32_t>(wanted, 1, max_block_rows));
    by_changes_ = true;
    changes_->clear();
  }

  [[nodiscard]] bool can_continue() const noexcept {
    return by_changes_ && !changes_->is_dense() && !changes_->is_long() &&
           (can_continue_ || changes_->rows() != 0);
  }
  bool continue_block() noexcept {
    if (rows() != 0 || !can_continue()) return false;
    changes_->continue_block();
    return true;
  }

  bool add(byte_span row) noexcept {
    if (full() || row.size() != plan_.of.row_bytes) return false;
    if (by_changes_) {
      changes_->add(row);
      last_ = changes_->last();
    } else {
      columns_.add(row);
      note_column_row();
    }
    return true;
  }

  bool add_changes(byte_span changes) noexcept {
    if (last_ == nullptr || full() || !are_inside(changes)) return false;
    if (by_changes_) {
      if (last_ != changes_->last()) changes_->set_last(last_);
      changes_->add_changes(changes);
      last_ = changes_->last();
    } else {
      columns_.add_changes(last_, changes);
      note_column_row();
    }
    return true;
  }
  [[nodiscard]] std::size_t rows() const noexcept { return by_changes_ ? changes_->rows() : columns_.rows(); }
  [[nodiscard]] bool full() const noexcept { return by_changes_ ? changes_->is_full() : columns_.is_full(); }
  [[nodiscard]] std::size_t max_rows() const noexcept {
    return changes_ ? std::max(columns_.max_rows(), changes_->max_rows()) : columns_.max_rows();
  }
  void clear() noexcept {
    can_continue_ = can_continue();
    if (by_changes_) {
      by_changes_ = !changes_->is_dense();
    } else if (samples_ != 0) {
      by_changes_ = sampled_bytes_ / samples_ < plan_.of.row_bytes / 16;
    }
    columns_.clear();
    samples_ = 0;
    sampled_bytes_ = 0;
    if (changes_) changes_->clear();
  }
  [[nodiscard]] std::size_t max_size() const noexcept {
    return by_changes_ ? changes_->size() : columns_.size();
  }
  [[nodiscard]] std::size_t largest_size() const noexcept {
    return changes_ ? std::max(columns_.largest_size(), changes_->largest_size()) : columns_.largest_size();
  }

  void write(byte_writer& out) noexcept {
    if (by_changes_) {
      changes_->write(out);
    } else {
      columns_.write(out);
    }
  }

 private:
  static constexpr std::size_t sample_every = 8;  // rows by column, to find out whether few records change

  // Long blocks by column also describe motion in few bytes; larger rows leave no memory for long blocks.
  static std::uint32_t least_row_bytes(const block_options& options) noexcept {
    return options.stage == stage::archive ? std::max(options.min_change_row_bytes, 256u << 10)
                                           : options.min_change_row_bytes;
  }

  void note_column_row() noexcept {
    last_ = columns_.last();
    if (!changes_ || columns_.rows() % sample_every != 2) return;
    ++samples_;
    sampled_bytes_ += changed_record_bytes(records_, last_ - plan_.of.row_bytes, last_);
  }
  [[nodiscard]] bool are_inside(byte_span changes) const noexcept {
    row_change each;
    while (next_change(changes, plan_.of.row_bytes, each)) {}
    return changes.empty();
  }

  layout plan_;
  column_row_writer columns_;
  record_map records_;
  std::optional<change_row_writer> changes_;
  const std::byte* last_ = nullptr;  // the last row: in columns_ or changes_
  bool by_changes_ = false;
  bool can_continue_ = false;  // changes_ has the last row of the block before, and its models
  std::size_t samples_ = 0;
  std::size_t sampled_bytes_ = 0;
};

block_writer::block_writer(const shape& of, const block_options& options)
    : work_(std::make_unique<work>(of, options)) {}
block_writer::~block_writer() = default;
block_writer::block_writer(block_writer&&) noexcept = default;
block_writer& block_writer::operator=(block_writer&&) noexcept = default;
bool block_writer::add(byte_span row) noexcept {
  return work_->add(row);
}
bool block_writer::add_changes(byte_span changes) noexcept {
  return work_->add_changes(changes);
}
std::size_t block_writer::rows() const noexcept {
  return work_->rows();
}
bool block_writer::full() const noexcept {
  return work_->full();
}
std::size_t block_writer::max_rows() const noexcept {
  return work_->max_rows();
}
std::size_t block_writer::max_size() const noexcept {
  return work_->max_size();
}
std::size_t block_writer::largest_size() const noexcept {
  return work_->largest_size();
}
void block_writer::write(byte_writer& out) noexcept {
  work_->write(out);
}
void block_writer::clear() noexcept {
  work_->clear();
}
bool block_writer::can_continue() const noexcept {
  return work_->can_continue();
}
bool block_writer::continue_block() noexcept {
  return work_->continue_block();
}

}  // namespace tickreel::tracks
