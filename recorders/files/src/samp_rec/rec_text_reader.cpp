#include "rec_text_reader.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <vector>

#include "byte_stream.hpp"
#include "line_stream.hpp"
#include "rec_foreign_csv.hpp"
#include "rec_layouts.hpp"
#include "rec_text.hpp"
#include "tickreel/text/ascii.hpp"
#include "tickreel/text/hex.hpp"

namespace tickreel::files {

namespace {

using samp_rec::block_layout;
namespace ondemand = simdjson::ondemand;

// Layouts that can be converted to text and back; VC-MP's cannot.
constexpr std::array layouts = {block_layout::none, block_layout::vehicle, block_layout::on_foot,
                                block_layout::legacy_vehicle, block_layout::legacy_on_foot};
constexpr std::string_view csv_remark = "# samp_rec ";

using text::trimmed;

// Without the quotes that some programs put around every cell.
std::string_view cell_of(std::string_view text) noexcept {
  text = trimmed(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return text;
}

template <class Visit>
void each_cell(std::string_view line, Visit&& visit) {
  for (std::size_t number = 0;; ++number) {
    const auto comma = line.find(',');
    visit(number, cell_of(line.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace

samp_rec::recording_kind kind_of(block_layout layout) noexcept {
  switch (layout) {
    case block_layout::vehicle:
    case block_layout::legacy_vehicle:
      return samp_rec::recording_kind::vehicle;
    case block_layout::on_foot:
    case block_layout::legacy_on_foot:
      return samp_rec::recording_kind::on_foot;
    default:
      return samp_rec::recording_kind::none;
  }
}

struct rec_text_reader::state {
  state(std::unique_ptr<byte_stream> bytes, rec_text_form chosen) : lines(std::move(bytes)), form(chosen) {}

  line_stream lines;
  rec_text_form form;
  text_line line;
  std::optional<block_layout> layout;
  std::uint32_t header_bytes = samp_rec::file_header::wire_bytes;
  byte_vector tail;
  // CSV: the cell of each number of a block.
  std::vector<std::size_t> columns;
  std::optional<foreign_csv> foreign;  // another program's, whose columns are identified by position
  std::vector<std::string_view> cells;
  ondemand::parser parser;
  std::string padded;

  [[nodiscard]] tl::unexpected<error> bad_line(const char* detail, std::size_t place = 0) const {
    return fail(error_code::malformed, line.offset, detail, static_cast<std::int64_t>(line.number),
                static_cast<std::int64_t>(place));
  }

  result<void> take_remark(std::string_view key, std::string_view value);
  result<void> take_columns();
  result<bool> take_row(byte_writer& block);
  result<bool> take_object(byte_writer& block);
  template <class Block>
  result<void> take_members(ondemand::object& object, byte_writer& block);
  bool choose_layout(ondemand::object& object);
};

result<void> rec_text_reader::state::take_remark(std::string_view key, std::string_view value) {
  if (key == "header_bytes") {
    if (value != "0" && value != "8") return bad_line("line {}: a header has 0 or 8 bytes");
    header_bytes = value == "0" ? 0 : samp_rec::file_header::wire_bytes;
    return {};
  }
  if (key == "tail") {
    auto bytes = text::from_hex(value, samp_rec::legacy_vehicle_block::wire_bytes);
    if (!bytes) return bad_line("line {}: a tail is less than a block, in hexadecimal");
    tail = std::move(*bytes);
    return {};
  }
  if (key == "layout") {
    for (const block_layout each : layouts) {
      if (samp_rec::name(each) == value) layout = each;
    }
    if (!layout) return bad_line("line {}: there is no such layout");
    return {};
  }
  return bad_line("line {}: an unknown remark");
}

// The column names determine the layout: the first whose numbers are all among them.
result<void> rec_text_reader::state::take_columns() {
  std::vector<std::string_view> names;
  each_cell(line.text, [&](std::size_t, std::string_view name) { names.push_back(name); });
  foreign = foreign_header(names);
  if (foreign) {
    layout = foreign->layout;
    columns.push_back(0);
    return {};
  }
  // Legacy vehicles have all columns of vehicles except the rotation, so a layout is recognised by the
  // columns that only it has.
  for (const block_layout candidate : layouts) {
    bool all = candidate != block_layout::none;
    columns.clear();
    with_rec_block(candidate, [&]<class Block>(std::type_identity<Block>) {
      Block block;
      std::string wanted;
      each_rec_number(block, [&](std::string_view name, std::string_view sub, auto&) {
        wanted = name;
        if (!sub.empty()) (wanted += '_') += sub;
        const auto found = std::find(names.begin(), names.end(), wanted);
        all = all && found != names.end();
        columns.push_back(static_cast<std::size_t>(found - names.begin()));
      });
    });
    if (!all) continue;
    layout = candidate;
    return {};
  }
  return bad_line("line {}: these are not the columns of a recording");
}

result<bool> rec_text_reader::state::take_row(byte_writer& block) {
  cells.clear();
  each_cell(line.text, [&](std::size_t, std::string_view cell) { cells.push_back(cell); });
  result<bool> outcome = true;
  with_rec_block(*layout, [&]<class Block>(std::type_identity<Block>) {
    if constexpr (samp_rec::block_type<Block>) {
      if (foreign) {
        Block read;
        const std::size_t wrong = foreign_block(cells, foreign->hydra, read);
        if (wrong != 0)
          return (void)(outcome = bad_line("line {}: column {} contains no valid number", wrong));
        return write(block, read);
      }
    }
    if constexpr (requires { write(block, Block{}); }) {
      Block read;
      std::size_t number = 0;
      each_rec_number(read, [&](std::string_view, std::string_view, auto& to) {
        const std::size_t column = columns[number++];
        if (outcome && (column >= cells.size() || !parse_rec_number(cells[column], to))) {
          outcome = bad_line("line {}: column {} contains no valid number", column + 1);
        }
      });
      if (outcome) write(block, read);
    }
  });
  return outcome;
}

bool rec_text_reader::state::choose_layout(ondemand::object& object) {
  bool broken = false;
  const auto has = [&](std::string_view key) {
    if (broken) return false;
    const auto found = object.find_field_unordered(key).error();
    broken = found != simdjson::SUCCESS && found != simdjson::NO_SUCH_FIELD;
    return found == simdjson::SUCCESS;
  };
  if (has("vehicle_id")) {
    layout = has("right") ? block_layout::legacy_vehicle : block_layout::vehicle;
  } else if (has("heading")) {
    layout = block_layout::legacy_on_foot;
  } else if (has("surf_id")) {
    layout = block_layout::on_foot;
  }
  if (broken) layout.reset();
  return layout.has_value();
}

template <class Block>
result<void> rec_text_reader::state::take_members(ondemand::object& object, byte_writer& block) {
  if constexpr (requires { write(block, Block{}); }) {
    Block read;
    std::size_t number = 0;
    bool fine = true;
    const auto token_of = [](auto&& found, std::string_view& token) {
      if (found.raw_json_token().get(token) != simdjson::SUCCESS) return false;
      token = cell_of(token);
      return true;
    };
    std::string_view token;
    visit_fields(read, [&](std::string_view name, auto& member) {
      if (!fine) return;
      ++number;
      auto found = object.find_field_unordered(rec_text_name(name));
      using member_type = std::remove_cvref_t<decltype(member)>;
      if constexpr (std::is_arithmetic_v<member_type>) {
        fine = token_of(found, token) && parse_rec_number(token, member);
      } else {
        std::array<std::string_view, 4> tokens;
        std::size_t count = 0, used = 0;
        ondemand::array parts;
        fine = found.get_array().get(parts) == simdjson::SUCCESS;
        if (!fine) return;
        for (auto part : parts) {
          fine = fine && count < tokens.size() && token_of(part, tokens[count]);
          if (!fine) return;
          ++count;
        }
        visit_fields(member, [&](std::string_view, auto& part) {
          fine = fine && used < count && parse_rec_number(tokens[used++], part);
        });
        fine = fine && used == count;
      }
    });
    if (!fine) return bad_line("line {}: member {} of a block is missing or not a valid number", number);
    write(block, read);
    return {};
  } else {
    return bad_line("line {}: only SA-MP's blocks can be written");
  }
}

result<bool> rec_text_reader::state::take_object(byte_writer& block) {
  padded.assign(line.text);
  padded.append(simdjson::SIMDJSON_PADDING, ' ');
  ondemand::document document;
  ondemand::object object;
  if (parser.iterate(padded.data(), line.text.size(), padded.size()).get(document) != simdjson::SUCCESS ||
      document.get_object().get(object) != simdjson::SUCCESS) {
    return fail(error_code::bad_json, line.offset, "line {} is not a JSON object",
                static_cast<std::int64_t>(line.number));
  }
  // After any error other than a missing member, the object cannot be used further.
  auto about = object.find_field_unordered("samp_rec");
  if (about.error() != simdjson::SUCCESS && about.error() != simdjson::NO_SUCH_FIELD) {
    return bad_line("line {}: these are not the members of a block");
  }
  if (about.error() == simdjson::SUCCESS) {
    ondemand::object remark;
    if (about.get_object().get(remark) != simdjson::SUCCESS) return bad_line("line {}: an unknown remark");
    for (auto field : remark) {
      std::string_view key, value;
      if (field.unescaped_key().get(key) != simdjson::SUCCESS ||
          field.value().raw_json_token().get(value) != simdjson::SUCCESS) {
        return bad_line("line {}: an unknown remark");
      }
      if (auto taken = take_remark(key, cell_of(value)); !taken) return fail(taken.error());
    }
    return false;
  }
  if (!layout && !choose_layout(object)) return bad_line("line {}: these are not the members of a block");
  result<void> outcome;
  with_rec_block(
      *layout, [&]<class Block>(std::type_identity<Block>) { outcome = take_members<Block>(object, block); });
  if (!outcome) return fail(outcome.error());
  return true;
}

rec_text_reader::rec_text_reader(std::unique_ptr<state> owned) : state_(std::move(owned)) {}
rec_text_reader::~rec_text_reader() = default;

result<std::unique_ptr<rec_text_reader>> rec_text_reader::open(const file_path& path, rec_text_form form) {
  const auto from = byte_source::open(path);
  if (!from) return fail(from.error());
  auto bytes = open_stream(*from);
  if (!bytes) return fail(bytes.error());
  return std::unique_ptr<rec_text_reader>(
      new rec_text_reader(std::make_unique<state>(std::move(*bytes), form)));
}

std::unique_ptr<rec_text_reader> rec_text_reader::from_memory(byte_span text, rec_text_form form) {
  return std::unique_ptr<rec_text_reader>(
      // Reading from memory cannot fail.
      new rec_text_reader(std::make_unique<state>(std::move(*open_stream(byte_source(text))), form)));
}

result<bool> rec_text_reader::next(byte_writer& block) {
  state& self = *state_;
  for (;;) {
    auto more = self.lines.next(self.line);
    if (!more || !*more) return more;
    if (self.line.too_long) {
      return fail(error_code::over_limit, self.line.offset, "line {} is too long",
                  static_cast<std::int64_t>(self.line.number));
    }
    std::string_view text = trimmed(self.line.text);
    // The byte order mark that some programs write.
    if (self.line.number == 1 && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (text.empty()) continue;
    self.line.text = text;
    if (!self.tail.empty()) return self.bad_line("line {}: nothing may follow a tail");
    if (self.form == rec_text_form::ndjson) {
      auto taken = self.take_object(block);
      if (!taken || *taken) return taken;
      continue;
    }
    if (text.starts_with(csv_remark)) {
      const std::string_view remark = text.substr(csv_remark.size());
      const auto equals = std::min(remark.find('='), remark.size());
      auto taken =
          self.take_remark(remark.substr(0, equals), remark.substr(std::min(equals + 1, remark.size())));
      if (!taken) return fail(taken.error());
    } else if (text.front() == '#') {
      continue;
    } else if (self.columns.empty()) {
      if (auto taken = self.take_columns(); !taken) return fail(taken.error());
    } else {
      return self.take_row(block);
    }
  }
}

std::optional<block_layout> rec_text_reader::layout() const noexcept {
  return state_->layout;
}
std::uint32_t rec_text_reader::header_bytes() const noexcept {
  return state_->header_bytes;
}
byte_span rec_text_reader::tail() const noexcept {
  return state_->tail;
}
std::uint64_t rec_text_reader::offset() const noexcept {
  return state_->line.offset;
}
std::uint64_t rec_text_reader::line() const noexcept {
  return state_->line.number;
}
std::uint64_t rec_text_reader::total_bytes() const noexcept {
  return state_->lines.bytes().file_bytes();
}

}  // namespace tickreel::files
