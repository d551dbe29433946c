#include "tickreel/columns/column_values.hpp"

#include <algorithm>

#include "tickreel/bytes/append.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::columns {

void column_values::add_null() {
  has_value_.push_back(false);
  ++nulls_;
}

void column_values::add(std::int64_t value) {
  if (type_ != column_type::integer) return add_null();
  const bool is_first = nulls_ == rows();
  least_ = is_first ? value : std::min(least_, value);
  greatest_ = is_first ? value : std::max(greatest_, value);
  has_value_.push_back(true);
  append_little(value, values_);
}

void column_values::add(double value) {
  if (type_ != column_type::real) return add_null();
  has_value_.push_back(true);
  append_little(value, values_);
}

result<void> column_values::add(std::string_view value) {
  if (type_ != column_type::text) {
    add_null();
    return {};
  }
  if (value.size() > max_bytes || !text::is_utf8(value)) {
    return fail(error_code::invalid_argument, error::no_offset, "a text is not UTF-8 or has more than 2 GiB");
  }
  has_value_.push_back(true);
  const byte_span bytes = as_bytes(value);
  values_.insert(values_.end(), bytes.begin(), bytes.end());
  ends_.push_back(values_.size());
  return {};
}

void column_values::clear() noexcept {
  values_.clear();
  ends_.clear();
  has_value_.clear();
  nulls_ = 0;
}

void column_values::append_validity(byte_vector& out) const {
  for (std::size_t first = 0; first < rows(); first += 8) {
    unsigned bits = 0;
    for (std::size_t bit = 0; bit < 8 && first + bit < rows(); ++bit) {
      if (has_value_[first + bit]) bits |= 1u << bit;
    }
    out.push_back(static_cast<std::byte>(bits));
  }
}

result<void> check_group(std::span<const column> columns, std::span<const column_values> values) {
  bool is_valid = values.size() == columns.size();
  for (std::size_t at = 0; is_valid && at < values.size(); ++at) {
    is_valid = values[at].type() == columns[at].type && values[at].rows() == values.front().rows() &&
               values[at].rows() <= max_bytes;
  }
  if (is_valid) return {};
  return fail(error_code::invalid_argument, error::no_offset, "a group of rows with other columns");
}

}  // namespace tickreel::columns
