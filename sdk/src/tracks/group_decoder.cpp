#include "group_decoder.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace tickreel::tracks {

group_decoder::group_decoder(const layout& plan) : plan_(plan) {
  if (!plan_.usable) return;
  begins_.reserve(plan_.of.columns.size());
  for (const std::uint32_t i : plan_.order) {
    begins_.push_back(column_bytes_);
    column_bytes_ += plan_.of.columns[i].size_bytes;
  }
  mappings_.resize(plan_.of.columns.size());
  steady_.resize(plan_.of.columns.size());
}

void group_decoder::begin(std::size_t rows) {
  count_ = rows;
  const auto at_least = [](auto& memory, std::size_t size) {
    if (memory.size() < size) memory.resize(size);
  };
  const auto unset_at_least = [](byte_room& memory, std::size_t size) {
    if (memory.all().size() < size) memory = byte_room(size);
  };
  unset_at_least(values_, column_bytes_ * rows);
  unset_at_least(entries_, plan_.largest_text * rows);
  if (const std::size_t size = std::size_t{plan_.slots} * rows; kept_size_ < size) {
    kept_ = std::make_unique_for_overwrite<std::int64_t[]>(size);
    kept_size_ = size;
  }
  for (auto* memory : {&numbers_, &first_, &second_}) at_least(*memory, rows);
  at_least(room_, rows * max_references);
  exceptions_.reserve(rows);
}

result<std::size_t> group_decoder::decode(const column_group& group, std::size_t enough) {
  const std::size_t end = group.last == plan_.order.size() ? column_bytes_ : begins_[group.last];
  const std::size_t raw = (end - begins_[group.first]) * count_;
  if (group.bytes.size() > raw)
    return fail(error_code::malformed, error::no_offset, "group {} of columns is too long",
                static_cast<std::int64_t>(group.number));
  if (group.bytes.size() == raw) {
    if (raw != 0) std::memcpy(values_of(group.first), group.bytes.data(), raw);
    for (std::size_t place = group.first; place < group.last; ++place) keep_plainly(place);
    return group.last;
  }
  models_.restart();
  range_decoder coder(group.bytes);
  for (std::size_t place = group.first; place < enough; ++place) {
    const std::uint32_t i = plan_.order[place];
    const bool good =
        plan_.of.columns[i].kind == value_kind::text ? read_text(coder, place) : read_column(coder, place);
    if (!good)
      return fail(error_code::malformed, error::no_offset, "column {} of group {}", i,
                  static_cast<std::int64_t>(group.number));
  }
  return enough;
}

void group_decoder::keep_plainly(std::size_t place) noexcept {
  const std::uint32_t i = plan_.order[place];
  mappings_[i] = {};
  steady_[place] = 0;
  if (plan_.slot[i] == layout::no_slot) return;
  const tracks::column& of = plan_.of.columns[i];
  const std::byte* from = values_of(place);
  for (std::size_t row = 0; row < count_; ++row, from += of.size_bytes)
    numbers_of(i)[row] = plain_of(load_bits(from, of.size_bytes), {of.kind, of.size_bytes}, 0);
}

bool group_decoder::read_column(range_decoder& coder, std::size_t place) noexcept {
  const std::uint32_t i = plan_.order[place];
  const tracks::column& of = plan_.of.columns[i];
  const value_type type{of.kind, of.size_bytes};
  recipe made;
  if (!code_recipe(coder, models_.recipes, of, plan_.steps[i], made)) return false;
  mappings_[i] = made.by;
  std::int64_t* numbers = numbers_of(i);
  std::byte* values = values_of(place);
  // Numbers without references from other columns are needed for one value only.
  const std::size_t kept = plan_.slot[i] == layout::no_slot ? 1 : count_;
  steady_[place] = made.content == content::zeros || made.content == content::constant ? 1 : 0;
  if (made.content == content::zeros) {
    std::fill_n(numbers, kept, 0);
    std::memset(values, 0, of.size_bytes);
    return true;
  }
  if (made.has_exceptions && !read_exceptions(coder, type)) return false;
  if (made.content == content::constant) {
    numbers[0] = 0;
    code_residuals(coder, models_.residuals, class_of(of, predictor::previous), numbers, 1);
    std::fill_n(numbers, kept, numbers[0]);
  } else {
    if (made.content == content::varying) {
      code_residuals(coder, models_.residuals, class_of(of, made.predictor), numbers, count_);
    } else {
      std::fill_n(numbers, count_, 0);
    }
    related_rows related{of.declared.kind, first_.data(), second_.data(), room_.data()};
    if (made.predictor >= predictor::related) {
      std::array<series, max_references> others;
      const auto refers = references_of(plan_, i, mappings_, kept_.get(), count_, others);
      if (!can_relate(of.declared, type, made.by, refers)) return false;
      relate(of.declared, type, made.by, refers, count_, related);
    }
    restore(numbers, count_, made.predictor, related);
  }
  const std::size_t stored = steady_[place] != 0 ? 1 : count_;
  if (made.by.scaled()) {
    store_scaled(numbers, stored, made.by.step, of.size_bytes, values);
  } else {
    store_plain(numbers, stored, type, made.by.shift, values);
  }
  if (made.has_exceptions) {
    for (const auto& [row, bits] : exceptions_) store_bits(values + row * of.size_bytes, of.size_bytes, bits);
  }
  return true;
}

bool group_decoder::read_exceptions(range_decoder& coder, value_type type) {
  std::uint64_t count = 0;
  models_.count.get(start_number_model).code(coder, count);
  if (count > count_) return false;
  exceptions_.clear();
  std::uint64_t next = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    std::uint64_t gap = 0;
    models_.gap.get(start_number_model).code(coder, gap);
    if (gap >= count_ || next + gap >= count_) return false;
    std::uint64_t bits = 0;
    code_even(coder, bits, type.bits());
    exceptions_.push_back({static_cast<std::size_t>(next + gap), bits});
    next += gap + 1;
  }
  return true;
}

bool group_decoder::read_text(range_decoder& coder, std::size_t place) noexcept {
  const std::uint32_t i = plan_.order[place];
  const tracks::column& of = plan_.of.columns[i];
  recipe made;
  if (!code_recipe(coder, models_.recipes, of, {}, made)) return false;
  const std::size_t size = of.size_bytes;
  std::byte* values = values_of(place);
  steady_[place] = made.content == content::varying ? 0 : 1;
  if (made.content == content::zeros) {
    std::memset(values, 0, size);
    return true;
  }
  std::uint64_t distinct = 1;
  if (made.content == content::varying) {
    models_.count.get(start_number_model).code(coder, distinct);
    if (distinct >= count_) return false;
    distinct += 2;
    if (distinct > count_) return false;
  }
  const std::byte* before = nullptr;
  for (std::size_t k = 0; k < distinct; ++k) {
    std::byte* entry = entries_.data() + k * size;
    if (!code_text(coder, models_, entry, before, size)) return false;
    before = entry;
  }
  if (made.content != content::varying) {
    std::memcpy(values, entries_.data(), size);
    return true;
  }
  code_residuals(coder, models_.residuals, residual_class::state, numbers_.data(), count_);
  restore(numbers_.data(), count_, predictor::previous, {});
  for (std::size_t row = 0; row < count_; ++row) {
    const auto n = static_cast<std::uint64_t>(numbers_[row]);
    if (n >= distinct) return false;
    std::memcpy(values + row * size, entries_.data() + n * size, size);
  }
  return true;
}

}  // namespace tickreel::tracks
