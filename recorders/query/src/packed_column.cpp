#include "packed_column.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "tickreel/bytes/append.hpp"
#include "tickreel/bytes/varint.hpp"

namespace tickreel::query {

namespace {

enum class value_kind : std::uint8_t { null, integer, real, text, short_real };

constexpr std::size_t max_numbered_bytes = 64;
constexpr std::size_t max_numbers = 256;

void append_all(byte_span bytes, byte_vector& to) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

// `numbers`: of texts before.
bool gets_number(std::string_view text, std::size_t numbers) noexcept {
  return text.size() <= max_numbered_bytes && numbers < max_numbers;
}

}  // namespace

void column_packer::add(const value& next) {
  if (const auto* const number = std::get_if<std::int64_t>(&next)) return add_integer(*number);
  if (const auto* const number = std::get_if<double>(&next)) return add_real(*number);
  if (const auto* const text = std::get_if<std::string>(&next)) return add_text(*text);
  kinds_.push_back(static_cast<std::byte>(value_kind::null));
}

void column_packer::add_integer(std::int64_t number) {
  kinds_.push_back(static_cast<std::byte>(value_kind::integer));
  const auto bits = static_cast<std::uint64_t>(number);
  append_leb128(zigzag_encode(static_cast<std::int64_t>(bits - std::exchange(integer_before_, bits))),
                values_);
}

void column_packer::add_real(double number) {
  const bool is_short = std::abs(number) <= static_cast<double>((std::numeric_limits<float>::max)()) &&
                        static_cast<double>(static_cast<float>(number)) == number;
  kinds_.push_back(static_cast<std::byte>(is_short ? value_kind::short_real : value_kind::real));
  if (is_short) return append_little(static_cast<float>(number), values_);
  append_little(number, values_);
}

void column_packer::add_text(std::string_view text) {
  kinds_.push_back(static_cast<std::byte>(value_kind::text));
  if (text.size() <= max_numbered_bytes) {
    const auto known = numbers_.find(text);
    if (known != numbers_.end()) return append_leb128(known->second, values_);
  }
  if (gets_number(text, numbers_.size())) {
    numbers_.emplace(text, static_cast<std::uint32_t>(numbers_.size()) + 1);
  }
  append_leb128(0, values_);
  append_leb128(text.size(), values_);
  append_all(as_bytes(text), values_);
}

void column_packer::clear() noexcept {
  kinds_.clear();
  values_.clear();
  integer_before_ = 0;
  numbers_.clear();
}

void column_packer::append_to(byte_vector& out) const {
  append_little(static_cast<std::uint32_t>(kinds_.size()), out);
  append_all(kinds_, out);
  append_all(values_, out);
}

column_unpacker::column_unpacker(byte_span packed) : values_(packed) {
  kinds_ = values_.bytes(values_.u32());
}

template <class Value>
bool column_unpacker::next(Value& to) {
  if (at_ == kinds_.size()) return false;
  switch (static_cast<value_kind>(kinds_[at_++])) {
    case value_kind::null:
      to = std::monostate();
      break;
    case value_kind::integer:
      integer_before_ += static_cast<std::uint64_t>(zigzag_decode(read_leb128(values_)));
      to = static_cast<std::int64_t>(integer_before_);
      break;
    case value_kind::real:
      to = values_.little<double>();
      break;
    case value_kind::short_real:
      to = static_cast<double>(values_.f32());
      break;
    case value_kind::text:
      to.template emplace<std::variant_size_v<Value> - 1>(next_text());
      break;
    default:
      values_.fail_with(error_code::malformed);
  }
  return values_.ok();
}

template bool column_unpacker::next(value& to);
template bool column_unpacker::next(value_view& to);

std::string_view column_unpacker::next_text() {
  const std::uint64_t number = read_leb128(values_);
  if (number != 0) {
    if (number <= texts_.size()) return texts_[static_cast<std::size_t>(number) - 1];
    values_.fail_with(error_code::malformed);
    return {};
  }
  const std::uint64_t bytes = read_leb128(values_);
  if (bytes > values_.remaining()) values_.fail_with(error_code::truncated);
  const std::string_view text = as_text(values_.bytes(static_cast<std::size_t>(bytes)));
  if (values_.ok() && gets_number(text, texts_.size())) texts_.push_back(text);
  return text;
}

}  // namespace tickreel::query
