// Chooses the coding of each column, and writes the groups of a block.
#include <algorithm>
#include <array>

#include "column_rows.hpp"

namespace tickreel::tracks {

column_row_writer::column_row_writer(const layout& plan, const block_options& options)
    : plan_(plan),
      max_rows_(plan.usable ? std::clamp<std::uint32_t>(options.max_rows, 1, max_block_rows) : 0),
      group_columns_(columns_a_group(options, plan.of.columns.size())),
      column_(max_rows_) {
  if (!plan.usable) return;
  // A reader rejects a block that needs more memory.
  const std::uint64_t fitting = block_limits{}.memory_bytes / std::max<std::uint64_t>(1, plan.memory_for(1));
  max_rows_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(fitting, 1, max_rows_));
  const shape& of = plan.of;
  bool texts = false;
  for (const column& one : of.columns) {
    column_bytes_ += one.size_bytes;
    texts |= one.kind == value_kind::text;
  }
  rows_ = byte_room(std::size_t{max_rows_} * of.row_bytes);
  changed_.resize(of.row_bytes);
  kept_.resize(std::size_t{plan.slots} * max_rows_);
  groups_ = byte_room(column_bytes_ * max_rows_);
  mappings_.resize(of.columns.size());
  sizes_.resize((of.columns.size() + group_columns_ - 1) / group_columns_);
  if (texts) texts_ = text_table(max_rows_);
}

void column_row_writer::write(byte_writer& out) noexcept {
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

std::size_t column_row_writer::write_group(std::size_t group, mutable_byte_span room) noexcept {
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

void column_row_writer::write_column(range_encoder& coder, std::uint32_t i) noexcept {
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

int column_row_writer::least_places(std::uint32_t i) const noexcept {
  const declaration& declared = plan_.of.columns[i].declared;
  if (declared.kind != relation::same_as && declared.kind != relation::relative_to) return 0;
  const mapping& other = mappings_[declared.of[0]];
  return other.kind == mapping_kind::decimal ? other.step.places : 0;
}

void column_row_writer::predict(std::uint32_t i, const std::int64_t* numbers, recipe& made) noexcept {
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

void column_row_writer::write_exceptions(range_encoder& coder, value_type type) noexcept {
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

void column_row_writer::write_text(range_encoder& coder, std::uint32_t i) noexcept {
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

}  // namespace tickreel::tracks
