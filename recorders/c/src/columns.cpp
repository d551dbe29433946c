// Values of all ticks as columns.
#include "columns.hpp"

#include <bit>
#include <charconv>
#include <set>

#include "recording.hpp"
#include "tickreel/describe/schema.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/tracks/rows.hpp"
#include "tickreel/viewer/tick_values.hpp"

using namespace tickreel;

namespace tickreel::c {

namespace {

std::int32_t type_of(const viewer::tick_value& value) noexcept {
  constexpr std::int32_t types[] = {TICKREEL_COLUMN_EMPTY,  TICKREEL_COLUMN_BOOL,    TICKREEL_COLUMN_INT64,
                                    TICKREEL_COLUMN_UINT64, TICKREEL_COLUMN_FLOAT64, TICKREEL_COLUMN_TEXT};
  return types[value.index()];
}

template <class Number>
void append_number(Number value, std::string& out) {
  char digits[32];
  const auto written = std::to_chars(std::begin(digits), std::end(digits), value);
  out.append(digits, written.ptr);
}

// Takes values one by one. The type of the column is the narrowest that holds all of them.
class column_builder {
 public:
  column_builder(std::string_view name, std::int32_t type) {
    to_.name = name;
    to_.type = type;
    if (type == TICKREEL_COLUMN_TEXT) to_.offsets.assign(1, 0);
  }

  void add(const viewer::tick_value& value) {
    const std::int32_t type = type_of(value);
    const bool is_valid = type != TICKREEL_COLUMN_EMPTY;
    if (is_valid && type != to_.type) widen(type, value);
    put_validity(is_valid);
    if (to_.type == TICKREEL_COLUMN_TEXT) {
      append_text(value);
      to_.offsets.push_back(static_cast<std::int64_t>(to_.text.size()));
    } else {
      to_.numbers.push_back(bits_of(value));
    }
    ++to_.count;
  }

  column finish() {
    if (to_.type == TICKREEL_COLUMN_BOOL) {
      to_.truths.assign(to_.numbers.begin(), to_.numbers.end());
      to_.numbers = {};
    }
    if (to_.null_count == 0) to_.validity = {};
    return std::move(to_);
  }

 private:
  void put_validity(bool is_valid) {
    if (to_.count % 8 == 0) to_.validity.push_back(0);
    if (is_valid) {
      to_.validity.back() = static_cast<std::uint8_t>(to_.validity.back() | (1u << (to_.count % 8)));
    } else {
      ++to_.null_count;
    }
  }
  [[nodiscard]] bool is_valid(std::uint64_t at) const noexcept {
    return (to_.validity[static_cast<std::size_t>(at / 8)] >> (at % 8) & 1u) != 0;
  }

  [[nodiscard]] std::uint64_t bits_of(const viewer::tick_value& value) const noexcept {
    if (to_.type == TICKREEL_COLUMN_FLOAT64) {
      return std::bit_cast<std::uint64_t>(viewer::number_of(value).value_or(0));
    }
    if (const auto* const truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
    if (const auto* const number = std::get_if<std::int64_t>(&value))
      return static_cast<std::uint64_t>(*number);
    if (const auto* const number = std::get_if<std::uint64_t>(&value)) return *number;
    return 0;
  }
  void append_text(const viewer::tick_value& value) {
    if (const auto* const text = std::get_if<std::string_view>(&value)) to_.text += *text;
    if (const auto* const truth = std::get_if<bool>(&value)) to_.text += *truth ? "true" : "false";
    if (const auto* const number = std::get_if<std::int64_t>(&value)) append_number(*number, to_.text);
    if (const auto* const number = std::get_if<std::uint64_t>(&value)) append_number(*number, to_.text);
    if (const auto* const number = std::get_if<double>(&value)) append_number(*number, to_.text);
  }
  // A value that is in the column, as the type says.
  [[nodiscard]] viewer::tick_value value_at(std::uint64_t at) const noexcept {
    if (!is_valid(at)) return {};
    const std::uint64_t bits = to_.numbers[static_cast<std::size_t>(at)];
    switch (to_.type) {
      case TICKREEL_COLUMN_BOOL:
        return bits != 0;
      case TICKREEL_COLUMN_INT64:
        return static_cast<std::int64_t>(bits);
      case TICKREEL_COLUMN_UINT64:
        return bits;
      case TICKREEL_COLUMN_FLOAT64:
        return std::bit_cast<double>(bits);
      default:
        return {};
    }
  }
  [[nodiscard]] bool has_negative() const noexcept {
    for (std::uint64_t at = 0; at < to_.count; ++at) {
      if (static_cast<std::int64_t>(to_.numbers[static_cast<std::size_t>(at)]) < 0) return true;
    }
    return false;
  }

  // The type that holds the column's values and one of `type`.
  [[nodiscard]] std::int32_t wider(std::int32_t type, const viewer::tick_value& value) const noexcept {
    const std::int32_t own = to_.type;
    if (own == TICKREEL_COLUMN_EMPTY) return type;
    if (own == TICKREEL_COLUMN_TEXT || type == TICKREEL_COLUMN_TEXT) return TICKREEL_COLUMN_TEXT;
    if (own == TICKREEL_COLUMN_INT64 && type == TICKREEL_COLUMN_UINT64 && !has_negative()) {
      return TICKREEL_COLUMN_UINT64;
    }
    if (own == TICKREEL_COLUMN_UINT64 && type == TICKREEL_COLUMN_INT64 &&
        std::get<std::int64_t>(value) >= 0) {
      return TICKREEL_COLUMN_UINT64;
    }
    return TICKREEL_COLUMN_FLOAT64;
  }
  void widen(std::int32_t type, const viewer::tick_value& value) {
    const std::int32_t next = wider(type, value);
    if (next == to_.type) return;
    column_builder other(to_.name, next);
    for (std::uint64_t at = 0; at < to_.count; ++at) {
      const viewer::tick_value kept = value_at(at);
      other.put_validity(is_valid(at));
      if (next == TICKREEL_COLUMN_TEXT) {
        other.append_text(kept);
        other.to_.offsets.push_back(static_cast<std::int64_t>(other.to_.text.size()));
      } else {
        other.to_.numbers.push_back(other.bits_of(kept));
      }
      ++other.to_.count;
    }
    to_ = std::move(other.to_);
  }

  column to_;
};

// The members of described structs that are floats: their lines may hold whole numbers alone.
std::set<std::string, std::less<>> floats_of(const tickreel_recording& one) {
  std::set<std::string, std::less<>> out;
  const auto source = one.source();
  if (!source) return out;
  const auto reel = reel::reader::open(*source, {}, false);
  if (!reel || reel->head().encoder_name != tracks::rows_name) return out;
  const auto described = read_schema(reel->head().schema);
  if (!described) return out;
  for (const value_layout& each : values_of(*described)) {
    if (each.kind == value_kind::floating || each.fraction_bits != 0) out.insert(each.name);
  }
  return out;
}

result<void> read_ticks(tickreel_recording& from, std::span<const std::string_view> paths, column_table& to) {
  auto values = viewer::tick_values::create(*from.in, paths);
  if (!values) return fail(values.error());
  std::vector<column_builder> columns;
  columns.emplace_back("tick", TICKREEL_COLUMN_UINT64);
  columns.emplace_back("time_ms", TICKREEL_COLUMN_INT64);
  const auto floats = floats_of(from);
  for (const std::string_view each : paths) {
    columns.emplace_back(each, floats.contains(each) ? TICKREEL_COLUMN_FLOAT64 : TICKREEL_COLUMN_EMPTY);
  }
  if (auto back = from.rewind(); !back) return back;
  for (;;) {
    const auto more = from.in->next();
    if (!more) return fail(more.error());
    if (!*more) break;
    const files::tick_position& at = from.in->position();
    const auto read = values->read();
    from.omitted.add(values->repairs(), at.tick);
    columns[0].add(std::uint64_t{at.tick});
    columns[1].add(std::int64_t{at.time_ms});
    for (std::size_t i = 0; i < paths.size(); ++i) columns[i + 2].add(read[i]);
    ++to.ticks;
  }
  from.at_end = true;
  for (column_builder& each : columns) to.columns.push_back(each.finish());
  return {};
}

result<void> find_fields(tickreel_recording& from) {
  const auto about = from.in->quick_summary();
  if (!about) return fail(about.error());
  if (auto back = from.rewind(); !back) return back;
  viewer::tick_fields found;
  auto there = from.in->next();
  if (!there) return fail(there.error());
  const std::uint64_t first = *there ? from.in->position().tick : 0;
  const std::uint64_t apart = std::max<std::uint64_t>(1, about->ticks / viewer::tick_fields::looked_at_ticks);
  for (std::uint64_t each = 1; there && *there && each <= viewer::tick_fields::looked_at_ticks; ++each) {
    found.look(*from.in);
    if (each * apart >= about->ticks) break;
    // A tick that cannot be read ends the search, not the recording: tickreel_next() reports it.
    there = from.in->go_to(first + each * apart);
  }
  const auto source = from.source();
  if (!source) return fail(source.error());
  from.answer = found.json(*source);
  return from.rewind();
}

}  // namespace

const void* column::values() const noexcept {
  switch (type) {
    case TICKREEL_COLUMN_BOOL:
      return truths.data();
    case TICKREEL_COLUMN_TEXT:
      return text.data();
    default:
      return numbers.data();
  }
}

}  // namespace tickreel::c

int32_t tickreel_fields(tickreel_recording* recording, tickreel_text* json) {
  return c::answer_with(recording, json, [](tickreel_recording& one) { return c::find_fields(one); });
}

int32_t tickreel_read_columns(tickreel_recording* recording, const char* const* paths, uint32_t path_count,
                              tickreel_columns** out) {
  return c::guarded([&]() -> result<void> {
    if (recording == nullptr || out == nullptr || (paths == nullptr && path_count != 0)) {
      return c::fail_argument("a pointer is NULL");
    }
    *out = nullptr;
    std::vector<std::string_view> wanted;
    for (std::uint32_t i = 0; i < path_count; ++i) wanted.push_back(c::view_of(paths[i]));
    auto table = std::make_shared<c::column_table>();
    if (auto read = c::read_ticks(*recording, wanted, *table); !read) return read;
    *out = new tickreel_columns{std::move(table)};
    return {};
  });
}

uint32_t tickreel_column_count(const tickreel_columns* columns) {
  return columns == nullptr ? 0 : static_cast<std::uint32_t>(columns->table->columns.size());
}

int32_t tickreel_column_at(const tickreel_columns* columns, uint32_t number, tickreel_column* out) {
  return c::guarded([&]() -> result<void> {
    if (columns == nullptr || out == nullptr) return c::fail_argument("a pointer is NULL");
    if (number >= columns->table->columns.size()) {
      return fail(error_code::out_of_range, error::no_offset, "column {}", number);
    }
    const c::column& from = columns->table->columns[number];
    tickreel_column to{};
    to.type = from.type;
    to.name = from.name.c_str();
    to.count = from.count;
    to.null_count = from.null_count;
    to.values = from.values();
    to.validity = from.validity.empty() ? nullptr : from.validity.data();
    to.offsets = from.type == TICKREEL_COLUMN_TEXT ? from.offsets.data() : nullptr;
    return c::write_struct(to, out);
  });
}

void tickreel_columns_free(tickreel_columns* columns) {
  delete columns;
}
