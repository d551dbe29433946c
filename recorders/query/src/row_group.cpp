#include "row_group.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "tickreel/bytes/append.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::query {

namespace {

// As DuckDB's groups of rows.
constexpr std::size_t max_rows = 122'880;
constexpr std::size_t full_bytes = 32u << 20;
constexpr std::size_t smallest_value = 8;
constexpr std::int64_t largest_exact = std::int64_t{1} << 53;

// As `query --csv` writes it; infinities as SQLite does.
std::string digits_of(double number) {
  if (std::isinf(number)) return number < 0 ? "-Inf" : "Inf";
  std::string out;
  text::json_writer(out).value(number);
  return out;
}

result<void> add_number(std::int64_t number, columns::column_values& to) {
  switch (to.type()) {
    case columns::column_type::integer:
      to.add(number);
      return {};
    case columns::column_type::real:
      to.add(static_cast<double>(number));
      return {};
    case columns::column_type::text:
      break;
  }
  return to.add(std::string_view(std::to_string(number)));
}

// With U+FFFD for bytes that are not UTF-8, as `query --json` prints them.
result<void> add_text(std::string_view words, columns::column_values& to, std::uint64_t& repaired) {
  if (text::is_utf8(words)) return to.add(words);
  ++repaired;
  std::string valid;
  text::append_repaired(words, valid);
  return to.add(std::string_view(valid));
}

result<void> add_real(double number, columns::column_values& to) {
  if (to.type() == columns::column_type::text) return to.add(std::string_view(digits_of(number)));
  to.add(number);
  return {};
}

result<void> load_column(column_unpacker from, columns::column_values& to, std::uint64_t& repaired) {
  value_view each;
  while (from.next(each)) {
    result<void> added;
    if (const auto* const number = std::get_if<std::int64_t>(&each)) {
      added = add_number(*number, to);
    } else if (const auto* const fraction = std::get_if<double>(&each)) {
      added = add_real(*fraction, to);
    } else if (const auto* const words = std::get_if<std::string_view>(&each)) {
      added = add_text(*words, to, repaired);
    } else {
      to.add_null();
    }
    if (!added) return added;
  }
  return from.is_complete() ? result<void>() : fail(error_code::malformed);
}

}  // namespace

bool value_kinds::is_mixed() const noexcept {
  if (has_texts) return has_integers || has_reals;
  return has_reals && has_large_integers;
}

columns::column_type value_kinds::type(std::string_view declared) const noexcept {
  if (has_texts || is_mixed()) return columns::column_type::text;
  if (has_reals) return columns::column_type::real;
  if (has_integers || declared == "INTEGER") return columns::column_type::integer;
  return declared == "REAL" ? columns::column_type::real : columns::column_type::text;
}

void row_group::add(const std::vector<value>& values, std::vector<value_kinds>& kinds) {
  for (std::size_t at = 0; at < columns_.size(); ++at) {
    columns_[at].add(values[at]);
    value_kinds& seen = kinds[at];
    // Of a value in a file, which has no packed columns. A null may have a value's bytes there.
    std::size_t bytes = smallest_value;
    if (const auto* const number = std::get_if<std::int64_t>(&values[at])) {
      seen.has_integers = true;
      if (*number > largest_exact || *number < -largest_exact) seen.has_large_integers = true;
    } else if (std::holds_alternative<double>(values[at])) {
      seen.has_reals = true;
    } else if (const auto* const words = std::get_if<std::string>(&values[at])) {
      seen.has_texts = true;
      bytes += words->size();
    }
    bytes_ += bytes;
  }
  ++rows_;
}

bool row_group::is_full() const noexcept {
  return rows_ >= max_rows || bytes_ >= full_bytes;
}

void row_group::clear() noexcept {
  for (column_packer& each : columns_) each.clear();
  rows_ = 0;
  bytes_ = 0;
}

void row_group::store(byte_vector& out) const {
  out.clear();
  for (const column_packer& each : columns_) {
    append_little(static_cast<std::uint32_t>(each.bytes()), out);
    each.append_to(out);
  }
}

result<void> load_group(byte_span stored, std::vector<columns::column_values>& to, std::uint64_t& repaired) {
  byte_reader from(stored);
  for (columns::column_values& each : to) {
    each.clear();
    const byte_span packed = from.bytes(from.u32());
    if (auto loaded = load_column(column_unpacker(packed), each, repaired); !loaded) return loaded;
  }
  return from.ok() ? result<void>() : fail(error_code::malformed);
}

}  // namespace tickreel::query
