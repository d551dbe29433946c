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

enum class value_kind : std::uint8_t { null, integer, real, text };

void append_all(byte_span bytes, byte_vector& to) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

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

result<void> load_column(std::size_t rows, byte_reader& from, columns::column_values& to,
                         std::uint64_t& repaired) {
  const byte_span kinds = from.bytes(rows);
  byte_reader values(from.bytes(from.u32()));
  for (const std::byte each : kinds) {
    result<void> added;
    switch (static_cast<value_kind>(each)) {
      case value_kind::integer:
        added = add_number(values.i64(), to);
        break;
      case value_kind::real: {
        const auto number = std::bit_cast<double>(values.u64());
        if (to.type() == columns::column_type::text) {
          added = to.add(std::string_view(digits_of(number)));
        } else {
          to.add(number);
        }
        break;
      }
      case value_kind::text:
        added = add_text(as_text(values.bytes(values.u32())), to, repaired);
        break;
      case value_kind::null:
        to.add_null();
    }
    if (!added) return added;
  }
  return values.ok() ? result<void>() : fail(error_code::malformed);
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
    column& to = columns_[at];
    value_kinds& seen = kinds[at];
    const std::size_t before = to.values.size();
    to.kinds.push_back(static_cast<std::byte>(values[at].index()));
    if (const auto* const number = std::get_if<std::int64_t>(&values[at])) {
      seen.has_integers = true;
      if (*number > largest_exact || *number < -largest_exact) seen.has_large_integers = true;
      append_little(*number, to.values);
    } else if (const auto* const fraction = std::get_if<double>(&values[at])) {
      seen.has_reals = true;
      append_little(*fraction, to.values);
    } else if (const auto* const words = std::get_if<std::string>(&values[at])) {
      seen.has_texts = true;
      append_little(static_cast<std::uint32_t>(words->size()), to.values);
      append_all(as_bytes(*words), to.values);
    }
    // A null may have a value's bytes in a file.
    bytes_ += std::max(smallest_value, 1 + to.values.size() - before);
  }
  ++rows_;
}

bool row_group::is_full() const noexcept {
  return rows_ >= max_rows || bytes_ >= full_bytes;
}

void row_group::clear() noexcept {
  for (column& each : columns_) {
    each.kinds.clear();
    each.values.clear();
  }
  rows_ = 0;
  bytes_ = 0;
}

void row_group::store(byte_vector& out) const {
  out.clear();
  append_little(static_cast<std::uint32_t>(rows_), out);
  for (const column& each : columns_) {
    append_all(each.kinds, out);
    append_little(static_cast<std::uint32_t>(each.values.size()), out);
    append_all(each.values, out);
  }
}

result<void> load_group(byte_span stored, std::vector<columns::column_values>& to, std::uint64_t& repaired) {
  byte_reader from(stored);
  const std::size_t rows = from.u32();
  for (std::size_t at = 0; at < to.size(); ++at) {
    to[at].clear();
    if (auto loaded = load_column(rows, from, to[at], repaired); !loaded) return loaded;
  }
  return from.ok() ? result<void>() : fail(error_code::malformed);
}

}  // namespace tickreel::query
