#include "tickreel/parquet/column_values.hpp"

#include <algorithm>

#include "tickreel/bytes/append.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::parquet {

namespace {

constexpr std::size_t max_text_bytes = (std::size_t{1} << 31) - 1;

}  // namespace

void column_values::add_null() {
  levels_.push_back(false);
  ++nulls_;
}

void column_values::add(std::int64_t value) {
  if (type_ != column_type::integer) return add_null();
  const bool is_first = nulls_ == rows();
  least_ = is_first ? value : std::min(least_, value);
  greatest_ = is_first ? value : std::max(greatest_, value);
  levels_.push_back(true);
  append_little(value, values_);
}

void column_values::add(double value) {
  if (type_ != column_type::real) return add_null();
  levels_.push_back(true);
  append_little(value, values_);
}

result<void> column_values::add(std::string_view value) {
  if (type_ != column_type::text) {
    add_null();
    return {};
  }
  if (value.size() > max_text_bytes || !text::is_utf8(value)) {
    return fail(error_code::invalid_argument, error::no_offset, "a text is not UTF-8 or has more than 2 GiB");
  }
  levels_.push_back(true);
  append_little(static_cast<std::uint32_t>(value.size()), values_);
  const byte_span bytes = as_bytes(value);
  values_.insert(values_.end(), bytes.begin(), bytes.end());
  return {};
}

void column_values::clear() noexcept {
  values_.clear();
  levels_.clear();
  nulls_ = 0;
}

std::size_t column_values::page_bytes() const noexcept {
  constexpr std::size_t length_bytes = 4;
  const std::size_t groups = (rows() + 7) / 8;
  const std::size_t run = has_one_level() ? leb128_size(std::uint64_t{rows()} << 1) + 1
                                          : leb128_size(std::uint64_t{groups} << 1 | 1) + groups;
  return length_bytes + run + values_.size();
}

void column_values::append_page(byte_vector& out) const {
  const std::size_t begin = out.size();
  const std::size_t groups = (rows() + 7) / 8;
  out.resize(begin + page_bytes());
  byte_writer to(mutable_byte_span(out).subspan(begin));
  to.u32(static_cast<std::uint32_t>(page_bytes() - values_.size() - sizeof(std::uint32_t)));
  if (has_one_level()) {
    write_leb128(to, std::uint64_t{rows()} << 1);
    to.u8(nulls_ == 0 ? 1 : 0);
  } else {
    write_leb128(to, std::uint64_t{groups} << 1 | 1);
    for (std::size_t group = 0; group < groups; ++group) {
      unsigned bits = 0;
      for (std::size_t bit = 0; bit < 8 && group * 8 + bit < rows(); ++bit) {
        if (levels_[group * 8 + bit]) bits |= 1u << bit;
      }
      to.u8(static_cast<std::uint8_t>(bits));
    }
  }
  to.bytes(values_);
}

}  // namespace tickreel::parquet
