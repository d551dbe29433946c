#include "tickreel/tracks/block_writer.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "analysis.hpp"
#include "block.hpp"
#include "change_rows.hpp"
#include "table.hpp"
#include "text_table.hpp"
#include "tickreel/bytes/room.hpp"
#include "tickreel/tracks/row_changes.hpp"

namespace tickreel::tracks {

namespace {

// Sets the bits in `changed` in which the two differ.
void note_changes(std::byte* __restrict changed, const std::byte* __restrict now,
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

}  // namespace

class block_writer::work {
 public:
  work(const shape& of, const block_options& options)
      : plan_(of),
        max_rows_(std::clamp<std::uint32_t>(options.max_rows, 1, max_block_rows)),
        group_columns_(columns_a_group(options, of.columns.size())),
        column_(plan_.usable ? max_rows_ : 0),
        records_(of) {
    if (!plan_.usable) {
      max_rows_ = 0;
      return;
    }
    // A reader rejects a block that needs more memory.
    const std::uint64_t fitting =
        block_limits{}.memory_bytes / std::max<std::uint64_t>(1, plan_.memory_for(1));
    max_rows_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(fitting, 1, max_rows_));
    const std::size_t columns = of.columns.size();
    std::size_t bytes = 0;
    bool texts = false;
    for (const column& one : of.columns) {
      bytes += one.size_bytes;
      texts |= one.kind == value_kind::text;
    }
    rows_ = byte_room(std::size_t{max_rows_} * of.row_bytes);
    changed_.resize(of.row_bytes);
    kept_.resize(std::size_t{plan_.slots} * max_rows_);
    groups_ = byte_room(bytes * max_rows_);
    mappings_.resize(columns);
    sizes_.resize((columns + group_columns_ - 1) / group_columns_);
    column_bytes_ = bytes;
    if (texts) texts_ = text_table(max_rows_);
    if (of.row_bytes < least_row_bytes(options) || !records_.is_usable()) return;
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
      return true;
    }
    std::byte* to = rows_.data() + count_ * row.size();
    if (!row.empty()) std::memcpy(to, row.data(), row.size());
    note_row(to);
    return true;
  }

  bool add_changes(byte_span changes) noexcept {
    if (last_ == nullptr || full() || !are_inside(changes)) return false;
    if (by_changes_) {
      if (last_ != changes_->last()) changes_->set_last(last_);
      changes_->add_changes(changes);
      last_ = changes_->last();
      return true;
    }
    const std::size_t size = plan_.of.row_bytes;
    std::byte* to = rows_.data() + count_ * size;
    if (to != last_) std::memcpy(to, last_, size);
    for (row_change each; next_change(changes, size, each);) {
      if (!each.bytes.empty()) std::memcpy(to + each.offset, each.bytes.data(), each.bytes.size());
    }
    note_row(to);
    return true;
  }
  [[nodiscard]] std::size_t rows() const noexcept { return by_changes_ ? changes_->rows() : count_; }
  [[nodiscard]] bool full() const noexcept { return by_changes_ ? changes_->is_full() : count_ == max_rows_; }
  [[nodiscard]] std::size_t max_rows() const noexcept {
    return changes_ ? std::max<std::size_t>(max_rows_, changes_->max_rows()) : max_rows_;
  }
  void clear() noexcept {
    can_continue_ = can_continue();
    if (by_changes_) {
      by_changes_ = !changes_->is_dense();
    } else if (samples_ != 0) {
      by_changes_ = sampled_bytes_ / samples_ < plan_.of.row_bytes / 16;
    }
    count_ = 0;
    samples_ = 0;
    sampled_bytes_ = 0;
    if (changes_) changes_->clear();
  }
  [[nodiscard]] std::size_t max_size() const noexcept {
    return by_changes_ ? changes_->size() : size_of(count_);
  }
  [[nodiscard]] std::size_t largest_size() const noexcept {
    return changes_ ? std::max(size_of(max_rows_), changes_->largest_size()) : size_of(max_rows_);
  }

  void write(byte_writer& out) noexcept {
    if (by_changes_) return changes_->write(out);
    out.u8(block_version);
    write_prefix_varint(out, count_);
    if (count_ == 0) return;
    write_prefix_varint(out, group_columns_);
    std::size_t used = 0;
    for (std::size_t g = 0; g < sizes_.size(); ++g) {
      sizes_[g] = write_group(g, groups_.all().subspan(used));
      used += sizes_[g];
      write_prefix_varint(out, sizes_[g]);
    }
    out.bytes(groups_.all().first(used));
  }

 private:
  // The next row is at `to`.
  void note_row(const std::byte* to) noexcept {
    const std::size_t size = plan_.of.row_bytes;
    // Most columns never change in a block, and are skipped.
    if (count_ == 0) {
      std::fill(changed_.begin(), changed_.end(), std::byte{0});
    } else {
      note_changes(changed_.data(), to, rows_.data(), changed_.size());
    }
    if (changes_ && count_ % sample_every == 1) {
      ++samples_;
      sampled_bytes_ += changed_record_bytes(records_, to - size, to);
    }
    last_ = to;
    ++count_;
  }
  [[nodiscard]] bool are_inside(byte_span changes) const noexcept {
    row_change each;
    while (next_change(changes, plan_.of.row_bytes, each)) {}
    return changes.empty();
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

  std::size_t write_group(std::size_t group, mutable_byte_span room) noexcept {
    const auto columns = columns_of(group);
    std::size_t raw = 0;
    for (const std::uint32_t i : columns) raw += plan_.of.columns[i].size_bytes * count_;
    models_.restart();
    // One byte less than uncoded: a group of that size is stored uncoded.
    range_encoder coder(room.first(raw - 1));
    for (const std::uint32_t i : columns) {
      if (plan_.of.columns[i].kind == value_kind::text) {
        write_text(coder, i);
      } else {
        write_column(coder, i);
      }
      if (coder.failed()) break;
    }
    const std::size_t coded = coder.finish();
    if (!coder.failed()) return coded;
    for (const std::uint32_t i : columns) {
      const column& of = plan_.of.columns[i];
      for (std::size_t row = 0; row < count_; ++row) {
        std::memcpy(room.data(), value(row, of), of.size_bytes);
        room = room.subspan(of.size_bytes);
      }
      mappings_[i] = {};
      if (plan_.slot[i] == layout::no_slot || of.kind == value_kind::text) continue;
      gather(of);
      map_plainly({of.kind, of.size_bytes}, count_, column_.bits.data(), 0, numbers_of(i));
    }
    return raw;
  }

  [[nodiscard]] bool is_steady(const column& of) const noexcept {
    return size_without_zeros(changed_.data() + of.offset, of.size_bytes) == 0;
  }
  void gather(const column& of) noexcept {
    load_bits(value(0, of), plan_.of.row_bytes, of.size_bytes, count_, column_.bits.data());
  }

  void write_column(range_encoder& coder, std::uint32_t i) noexcept {
    const column& of = plan_.of.columns[i];
    const value_type type{of.kind, of.size_bytes};
    std::int64_t* numbers = numbers_of(i);
    recipe made;
    const bool constant = load_bits(changed_.data() + of.offset, of.size_bytes) == 0;
    const std::uint64_t first = load_bits(value(0, of), of.size_bytes);
    if (constant) {
      column_.bits[0] = first;
    } else {
      gather(of);
    }
    const std::size_t mapped = constant ? 1 : count_;
    if (first != 0 || !constant) {
      made.by = map_numbers(of, plan_.steps[i], least_places(i), mapped, column_, numbers);
      made.has_exceptions = !column_.exceptions.empty();
    } else {
      made.by = {type.is_float() ? mapping_kind::decimal : mapping_kind::plain, 0, {1, 0}};
      numbers[0] = 0;
      column_.exceptions.clear();
    }
    const bool refers = constant && of.declared.kind == relation::same_as && first != 0;
    // All numbers of a constant are needed only if it refers to other columns or others refer to it.
    if (plan_.slot[i] != layout::no_slot || refers) std::fill(numbers + mapped, numbers + count_, numbers[0]);
    if (constant) {
      made.content = first == 0 ? content::zeros : content::constant;
    } else {
      made.content = content::varying;
    }
    if (made.content == content::varying || refers) predict(i, numbers, made);
    mappings_[i] = made.by;

    static_cast<void>(code_recipe(coder, models_.recipes, of, plan_.steps[i], made));
    if (made.has_exceptions) write_exceptions(coder, type);
    if (made.content == content::constant)
      code_residuals(coder, models_.residuals, class_of(of, predictor::previous), numbers, 1);
    if (made.content == content::varying)
      code_residuals(coder, models_.residuals, class_of(of, made.predictor), column_.errors.data(), count_);
  }

  // At least as many places as the column that this one is relative to, so that its steps are whole numbers
  // here.
  [[nodiscard]] int least_places(std::uint32_t i) const noexcept {
    const declaration& declared = plan_.of.columns[i].declared;
    if (declared.kind != relation::same_as && declared.kind != relation::relative_to) return 0;
    const mapping& other = mappings_[declared.of[0]];
    return other.kind == mapping_kind::decimal ? other.step.places : 0;
  }

  void predict(std::uint32_t i, const std::int64_t* numbers, recipe& made) noexcept {
    const column& of = plan_.of.columns[i];
    const value_type type{of.kind, of.size_bytes};
    std::array<series, max_references> others;
    const auto refers = references_of(plan_, i, mappings_, kept_.data(), max_rows_, others);
    related_rows related{of.declared.kind, column_.first.data(), column_.second.data(), column_.room.data()};
    const bool relates = can_relate(of.declared, type, made.by, refers);
    if (relates) relate(of.declared, type, made.by, refers, count_, related);
    const auto by = choose_predictor(numbers, count_, relates ? &related : nullptr, column_);
    const bool exact =
        std::all_of(column_.errors.begin(), column_.errors.begin() + static_cast<std::ptrdiff_t>(count_),
                    [](std::int64_t error) { return error == 0; });
    if (made.content == content::constant && !exact) return;
    made.predictor = by;
    if (exact) made.content = content::predicted;
  }

  void write_exceptions(range_encoder& coder, value_type type) noexcept {
    std::uint64_t count = column_.exceptions.size();
    models_.count.get(start_number_model).code(coder, count);
    std::uint32_t next = 0;
    for (exception& one : column_.exceptions) {
      std::uint64_t gap = one.row - next;
      models_.gap.get(start_number_model).code(coder, gap);
      code_even(coder, one.bits, type.bits());
      next = one.row + 1;
    }
  }

  void write_text(range_encoder& coder, std::uint32_t i) noexcept {
    const column& of = plan_.of.columns[i];
    const std::size_t distinct = texts_.find(value(0, of), plan_.of.row_bytes, of.size_bytes,
                                             is_steady(of) ? 1 : count_, column_.numbers.data());
    recipe made;
    made.content = distinct > 1                                           ? content::varying
                   : size_without_zeros(value(0, of), of.size_bytes) == 0 ? content::zeros
                                                                          : content::constant;
    static_cast<void>(code_recipe(coder, models_.recipes, of, {}, made));
    if (made.content == content::zeros) return;
    if (made.content == content::varying) {
      std::uint64_t more = distinct - 2;
      models_.count.get(start_number_model).code(coder, more);
    }
    const std::byte* before = nullptr;
    for (std::size_t k = 0; k < distinct && !coder.failed(); ++k) {
      const std::byte* entry = value(texts_.row(k), of);
      static_cast<void>(code_text(coder, models_, entry, before, of.size_bytes));
      before = entry;
    }
    if (made.content == content::constant) return;
    take_residuals(column_.numbers.data(), count_, predictor::previous, {}, column_.errors.data());
    code_residuals(coder, models_.residuals, residual_class::state, column_.errors.data(), count_);
  }

  layout plan_;
  std::uint32_t max_rows_;
  std::uint32_t group_columns_;
  std::size_t column_bytes_ = 0;
  std::size_t count_ = 0;
  const std::byte* last_ = nullptr;  // the last row: in rows_ or changes_
  byte_room rows_;
  byte_vector changed_;  // the bits of a row that differ from the first row in any row
  byte_room groups_;
  std::vector<std::size_t> sizes_;
  std::vector<std::int64_t> kept_;
  std::vector<mapping> mappings_;
  text_table texts_;
  column_work column_;
  group_models models_;

  // Long blocks by column also describe motion in few bytes; larger rows leave no memory for long blocks.
  static std::uint32_t least_row_bytes(const block_options& options) noexcept {
    return options.stage == stage::archive ? std::max(options.min_change_row_bytes, 256u << 10)
                                           : options.min_change_row_bytes;
  }

  // Rows as changes, if the shape and the options permit it.
  static constexpr std::size_t sample_every = 8;  // rows by column, to find out whether few records change
  record_map records_;
  std::optional<change_row_writer> changes_;
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
