#include "tickreel/query/page_answer.hpp"

#include "column_units.hpp"
#include "tables.hpp"
#include "tickreel/query/row_csv.hpp"
#include "tickreel/query/row_json.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::query {

namespace {

// At most `max_bytes`, without a part of a character at the end.
std::string_view beginning(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  while (max_bytes > 0 && (static_cast<unsigned char>(text[max_bytes]) & 0xC0u) == 0x80) --max_bytes;
  return text.substr(0, max_bytes);
}

void append_texts(std::string_view key, const std::vector<std::string>& texts, text::json_writer& json) {
  json.key(key).array(texts);
}

// Takes the rows of a statement.
class page_rows {
 public:
  page_rows(const page_limits& most, const std::function<bool(std::string_view)>& csv)
      : most_(most), csv_(&csv) {}

  receiver as_receiver() {
    receiver to;
    to.columns = [this](const std::vector<std::string>& names) {
      names_ = names;
      append_csv({names.begin(), names.end()});
      shown_csv_bytes_ = csv_bytes_;
      return true;
    };
    to.row = [this](const std::vector<value>& row) {
      append_csv(row);
      if (shown_ == most_.max_rows) return true;
      ++shown_;
      shown_csv_bytes_ = csv_bytes_;
      append_shown(row);
      return true;
    };
    return to;
  }

  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  [[nodiscard]] std::uint64_t shown_csv_bytes() const noexcept { return shown_csv_bytes_; }
  // The rows of the answer, without the brackets around them.
  [[nodiscard]] const std::string& shown() const noexcept { return json_; }
  // After the last row.
  void finish() {
    if (takes_csv_ && !piece_.empty()) takes_csv_ = (*csv_)(piece_);
    piece_.clear();
  }

 private:
  static constexpr std::size_t piece_bytes = std::size_t{64} << 10;

  void append_csv(const std::vector<value>& row) {
    if (!takes_csv_) return;
    const std::size_t before = piece_.size();
    append_csv_row(row, piece_);
    piece_ += '\n';
    csv_bytes_ += piece_.size() - before;
    if (piece_.size() >= piece_bytes) finish();
  }

  void append_shown(const std::vector<value>& row) {
    if (!json_.empty()) json_ += ',';
    text::json_writer json(json_);
    json.begin_array();
    for (const value& each : row) {
      const auto* const text = std::get_if<std::string>(&each);
      const std::string_view shown = text == nullptr ? "" : beginning(*text, most_.max_text_bytes);
      if (text == nullptr || shown.size() == text->size()) {
        append_value(each, json);
      } else {
        json.value(std::string(shown) + "\xE2\x80\xA6");
      }
    }
    json.end_array();
  }

  page_limits most_;
  const std::function<bool(std::string_view)>* csv_;
  std::vector<std::string> names_;
  std::string piece_;
  std::string json_;
  std::uint64_t csv_bytes_ = 0;
  std::uint64_t shown_csv_bytes_ = 0;
  std::size_t shown_ = 0;
  bool takes_csv_ = true;
};

// The failure of the statement, or else that of the recording; empty without one.
std::string failure_of(const result<void>& outcome, const std::string& problem, const report& about) {
  if (!outcome) return problem.empty() ? describe(outcome.error()) : problem;
  for (const file_note& each : about.files) {
    if (each.failure) return describe(*each.failure);
  }
  return {};
}

result<void> run_statement(std::string_view sql, const std::vector<input>& inputs, const options& how,
                           const receiver& to, report& about, std::string& problem) {
  if (!is_table(sql)) return run(sql, inputs, how, to, about, problem);
  const auto all = select_all(sql, inputs, how, problem);
  return all ? run(*all, inputs, how, to, about, problem) : fail(all.error());
}

}  // namespace

std::string page_answer(std::string_view sql, const input& from, const options& how, const page_limits& most,
                        const std::function<bool(std::string_view piece)>& csv) {
  const std::vector<input> inputs = {from};
  page_rows rows(most, csv);
  report about;
  std::string problem;
  const auto outcome = run_statement(sql, inputs, how, rows.as_receiver(), about, problem);
  rows.finish();
  const std::vector<column_unit> units = units_of(about, rows.names(), inputs, about.notes);
  std::string out;
  text::json_writer json(out);
  json.begin_object().key("columns").begin_array();
  for (std::size_t at = 0; at < rows.names().size(); ++at) {
    json.begin_object().member("name", rows.names()[at]);
    if (!units[at].unit.empty()) json.member("unit", units[at].unit);
    if (!units[at].meaning.empty()) json.member("meaning", units[at].meaning);
    json.end_object();
  }
  json.end_array().key("rows").raw('[' + rows.shown() + ']');
  json.member("count", about.rows).member("csv_bytes", rows.shown_csv_bytes());
  std::vector<std::string> losses;
  for (const file_note& each : about.files)
    losses.insert(losses.end(), each.losses.begin(), each.losses.end());
  append_texts("losses", losses, json);
  append_texts("notes", about.notes, json);
  if (const std::string why = failure_of(outcome, problem, about); !why.empty()) json.member("error", why);
  json.end_object();
  return out;
}

std::string table_list() {
  std::string out;
  text::json_writer json(out);
  json.begin_array();
  for (const table each : all_tables) {
    json.begin_object().member("name", name(each)).key("columns").begin_array();
    for (const fixed_column& column : fixed_columns(each)) {
      json.begin_object().member("name", column.name).member("type", column.type).end_object();
    }
    json.end_array().member("has_paths", has_paths(each)).end_object();
  }
  json.end_array();
  return out;
}

}  // namespace tickreel::query
