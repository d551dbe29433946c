#include "described_reel.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <variant>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/text/csv.hpp"

namespace tickreel::files {

namespace {

// A number, a boolean, a text, or the name of an enumeration's value.
using single_value = std::variant<bool, std::int64_t, std::uint64_t, float, double, std::string_view>;

// JSON numbers, and nan, inf and -inf, which JSON cannot represent.
template <class Value>
void append_number(const Value& value, std::string& out) {
  if constexpr (std::is_floating_point_v<Value>) {
    if (!std::isfinite(value)) {
      out += std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
      return;
    }
  }
  text::json_writer(out).value(value);
}

std::uint64_t unsigned_integer(byte_reader& in, std::uint32_t bytes) {
  return bytes == 1 ? in.u8() : bytes == 2 ? in.u16() : bytes == 4 ? in.u32() : in.u64();
}

std::int64_t signed_integer(byte_reader& in, std::uint32_t bytes) {
  return bytes == 1 ? in.little<std::int8_t>() : bytes == 2 ? in.i16() : bytes == 4 ? in.i32() : in.i64();
}

single_value read_enumerator(const schema_type& type, byte_reader& in) {
  const std::int64_t number = type.is_signed ? signed_integer(in, type.bytes)
                                             : static_cast<std::int64_t>(unsigned_integer(in, type.bytes));
  for (const enumerator& each : type.enumerators) {
    if (each.value == number) return std::string_view(each.name);
  }
  if (type.is_signed) return number;
  return static_cast<std::uint64_t>(number);
}

single_value read_single(const schema_type& type, byte_reader& in) {
  switch (type.kind) {
    case type_kind::boolean:
      return in.u8() != 0;
    case type_kind::floating:
      if (type.bytes == 4) return in.f32();
      return in.little<double>();
    case type_kind::text: {
      const std::size_t size = std::min<std::size_t>(in.u16(), type.count);
      return as_text(in.bytes(type.count).first(size));
    }
    case type_kind::fixed_point:
      return std::ldexp(static_cast<double>(signed_integer(in, type.bytes)), -static_cast<int>(type.count));
    case type_kind::signed_integer:
      return signed_integer(in, type.bytes);
    case type_kind::enumeration:
      return read_enumerator(type, in);
    default:
      return unsigned_integer(in, type.bytes);
  }
}

// Appends underscores to a member's name that equals a key of the enclosing object.
std::string shown_name(const schema_type& type, const std::string& name,
                       std::initializer_list<std::string_view> taken) {
  if (std::find(taken.begin(), taken.end(), std::string_view(name)) == taken.end()) return name;
  std::string shown = name + '_';
  const auto is_member = [&](const schema_field& other) { return other.name == shown; };
  while (std::any_of(type.fields.begin(), type.fields.end(), is_member)) shown += '_';
  return shown;
}

class json_row {
 public:
  json_row(const schema& described, byte_span row, text::json_writer& json)
      : types_(described.types), in_(row), json_(json) {}

  // `taken`: keys of the enclosing object.
  void members_of(const schema_type& type, std::initializer_list<std::string_view> taken = {}) {
    for (const schema_field& field : type.fields) {
      json_.key(shown_name(type, field.name, taken));
      value(types_[field.type]);
    }
  }

  // Only the member with that key; false if there is none.
  bool member_of(const schema_type& type, std::string_view key,
                 std::initializer_list<std::string_view> taken) {
    for (const schema_field& field : type.fields) {
      if (shown_name(type, field.name, taken) != key) {
        in_.skip(types_[field.type].bytes);
        continue;
      }
      json_.key(key);
      value(types_[field.type]);
      return true;
    }
    return false;
  }

 private:
  void value(const schema_type& type) {
    switch (type.kind) {
      case type_kind::structure:
        json_.begin_object();
        members_of(type);
        json_.end_object();
        return;
      case type_kind::array:
        json_.begin_array();
        for (std::uint32_t i = 0; i < type.count; ++i) value(types_[type.element]);
        json_.end_array();
        return;
      case type_kind::entities:
        return living(type);
      case type_kind::optional:
        if (in_.u8() != 0) return value(types_[type.element]);
        in_.skip(types_[type.element].bytes);
        json_.null();
        return;
      default:
        std::visit([this](const auto& single) { append(single); }, read_single(type, in_));
    }
  }

  void living(const schema_type& type) {
    const schema_type& element = types_[type.element];
    json_.begin_array();
    for (std::uint32_t place = 0; place < type.count; ++place) {
      const std::uint32_t generation = in_.u32();
      if (generation % 2 == 0) {
        in_.skip(element.bytes);
        continue;
      }
      json_.begin_object().member("id", place).member("generation", generation);
      if (element.kind == type_kind::structure) {
        members_of(element, {"id", "generation"});
      } else {
        json_.key("value");
        value(element);
      }
      json_.end_object();
    }
    json_.end_array();
  }

  // A value that JSON cannot represent as a number becomes a text.
  template <class Value>
  void append(const Value& single) {
    if constexpr (std::is_floating_point_v<Value>) {
      if (!std::isfinite(single)) {
        json_.value(std::isnan(single) ? "NaN" : single < 0 ? "-Infinity" : "Infinity");
        return;
      }
    }
    json_.value(single);
  }

  const std::vector<schema_type>& types_;
  byte_reader in_;
  text::json_writer& json_;
};

// A cell for each value, with a leading comma.
class csv_row {
 public:
  csv_row(const schema& described, byte_span row, std::string& out)
      : types_(described.types), in_(row), out_(out) {}

  void cells_of(const schema_type& type, bool shown) {
    switch (type.kind) {
      case type_kind::structure:
        for (const schema_field& field : type.fields) cells_of(types_[field.type], shown);
        return;
      case type_kind::array:
        for (std::uint32_t i = 0; i < type.count; ++i) cells_of(types_[type.element], shown);
        return;
      case type_kind::entities:
        for (std::uint32_t i = 0; i < type.count; ++i) {
          const std::uint32_t generation = in_.u32();
          cell(std::uint64_t{generation}, shown);
          cells_of(types_[type.element], shown && generation % 2 == 1);
        }
        return;
      case type_kind::optional: {
        const bool there = in_.u8() != 0;
        cell(there, shown);
        return cells_of(types_[type.element], shown && there);
      }
      default:
        return cell(read_single(type, in_), shown);
    }
  }

 private:
  void cell(const single_value& value, bool shown) {
    out_ += ',';
    if (!shown) return;
    if (const auto* content = std::get_if<std::string_view>(&value)) {
      text::append_csv_text(*content, out_);
    } else {
      std::visit([this](const auto& single) { append_number(single, out_); }, value);
    }
  }

  const std::vector<schema_type>& types_;
  byte_reader in_;
  std::string& out_;
};

}  // namespace

void append_members(const schema& described, byte_span row, text::json_writer& json,
                    std::initializer_list<std::string_view> taken) {
  json_row(described, row, json).members_of(described.root(), taken);
}

bool append_member(const schema& described, byte_span row, std::string_view key, text::json_writer& json) {
  return json_row(described, row, json).member_of(described.root(), key, {"tick", "time_ms"});
}

void append_csv_names(const schema& described, std::string& out) {
  // Renamed as in JSON, so that column names are unique.
  const schema_type& root = described.root();
  for (const value_layout& each : values_of(described)) {
    out += ',';
    const bool is_member = std::any_of(root.fields.begin(), root.fields.end(),
                                       [&](const schema_field& field) { return field.name == each.name; });
    text::append_csv_text(is_member ? shown_name(root, each.name, {"tick", "time_ms"}) : each.name, out);
  }
}

void append_csv_row(const schema& described, byte_span row, std::string& out) {
  csv_row(described, row, out).cells_of(described.root(), true);
}

result<std::unique_ptr<described_recording>> open_described(const byte_source& from, bool live) {
  auto source = reel::reader::open(from);
  if (!source) return fail(source.error());
  const reel::header& head = source->head();
  if (head.encoder_name != tracks::rows_name) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "the reel contains another format's ticks, not a described struct");
  }
  auto rows = tracks::row_decoder::create(head.schema);
  if (!rows) return fail(rows.error());
  return std::make_unique<described_recording>(std::move(*source), described_ticks(std::move(*rows)), live);
}

result<std::unique_ptr<recording>> open_described_reel(const byte_source& from, const open_options& options) {
  auto opened = open_described(from, options.live);
  if (!opened) return fail(opened.error());
  return std::unique_ptr<recording>(std::move(*opened));
}

}  // namespace tickreel::files
