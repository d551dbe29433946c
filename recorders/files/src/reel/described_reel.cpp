#include "described_reel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

#include "described_values.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/text/csv.hpp"

namespace tickreel::files {

namespace {

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

class json_row {
 public:
  json_row(const schema& described, byte_span row, text::json_writer& json)
      : types_(described.types), in_(row), json_(json) {}

  // `taken`: keys of the enclosing object.
  void members_of(const schema_type& type, std::span<const std::string_view> taken = {}) {
    for (const schema_field& field : type.fields) {
      json_.key(shown_name(type, field.name, taken));
      value(types_[field.type]);
    }
  }

  // Only the member with that key; false if there is none.
  bool member_of(const schema_type& type, std::string_view key, std::span<const std::string_view> taken) {
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
        static constexpr std::array<std::string_view, 2> keys_of_entities = {"id", "generation"};
        members_of(element, keys_of_entities);
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
        json_.value(text_of_infinite(static_cast<double>(single)));
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
                    std::span<const std::string_view> taken) {
  json_row(described, row, json).members_of(described.root(), taken);
}

bool append_member(const schema& described, byte_span row, std::string_view key, text::json_writer& json) {
  return json_row(described, row, json).member_of(described.root(), key, keys_of_ticks);
}

void append_csv_names(const schema& described, std::string& out) {
  // Renamed as in JSON, so that column names are unique.
  const schema_type& root = described.root();
  for (const value_layout& each : values_of(described)) {
    out += ',';
    const bool is_member = std::any_of(root.fields.begin(), root.fields.end(),
                                       [&](const schema_field& field) { return field.name == each.name; });
    text::append_csv_text(is_member ? shown_name(root, each.name, keys_of_ticks) : each.name, out);
  }
}

void append_csv_row(const schema& described, byte_span row, std::string& out) {
  csv_row(described, row, out).cells_of(described.root(), true);
}

std::optional<std::size_t> described_recording::find_column(std::span<const path_step> path) {
  auto found = find_value(described(), path);
  if (!found) return std::nullopt;
  const auto known = std::ranges::find(columns_, found->name, &described_value::name);
  if (known != columns_.end()) return static_cast<std::size_t>(known - columns_.begin());
  columns_.push_back(std::move(*found));
  return columns_.size() - 1;
}

result<void> described_recording::read_only(std::span<const std::size_t> columns) {
  keep_values([&](std::string_view name) {
    return std::ranges::any_of(columns, [&](std::size_t each) { return columns_[each].name == name; });
  });
  return rewind();
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

result<reel::frame_check> check_row_frames(reel::reader& source) {
  auto rows = tracks::row_decoder::create(source.head().schema);
  if (!rows) return fail(rows.error());
  return check_with(source, std::move(*rows));
}

result<std::unique_ptr<recording>> open_described_reel(const byte_source& from, const open_options& options) {
  auto opened = open_described(from, options.live);
  if (!opened) return fail(opened.error());
  return std::unique_ptr<recording>(std::move(*opened));
}

}  // namespace tickreel::files
