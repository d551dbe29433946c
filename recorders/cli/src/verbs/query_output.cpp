#include "query_output.hpp"

#include <fmt/format.h>

#include "console/console.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/query/row_csv.hpp"
#include "tickreel/query/row_json.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

namespace {

// A table waits for its widest cell; longer results consist of several tables.
constexpr std::size_t rows_of_a_table = 5000;

std::string ticks_of(const query::file_part& from) {
  if (from.ticks == 0) return {};
  return fmt::format("{} to {}", *from.first_tick, *from.last_tick);
}

// Where its rows come from.
std::string_view source_of(const query::file_part& from) {
  if (from.index_scans == 0) return "file";
  return from.index_scans == from.scans ? "index" : "file, index";
}

void append_part(const query::table_part& from, text::json_writer& json) {
  json.begin_object().member("table", from.table);
  json.key("columns").array(from.columns).key("files").begin_array();
  for (const query::file_part& each : from.files) {
    json.begin_object();
    files::add_file_member(each.file, json);
    json.member("read_from", source_of(each)).member("scans", each.scans).member("rows", each.rows);
    if (each.ticks != 0) {
      json.member("ticks", each.ticks).member("first_tick", *each.first_tick);
      json.member("last_tick", *each.last_tick);
    }
    json.end_object();
  }
  json.end_array().end_object();
}

}  // namespace

bool query_rows::columns(const std::vector<std::string>& names) {
  names_ = names;
  if (style_ == row_style::csv) standard_output().write_line(csv_line(names_));
  if (style_ == row_style::json) twice_ = query::name_used_twice(names_);
  return !twice_;
}

bool query_rows::row(const std::vector<query::value>& values) {
  if (style_ != row_style::table) {
    std::string line;
    if (style_ == row_style::json) query::append_row(names_, values, line);
    if (style_ == row_style::csv) query::append_csv_row(values, line);
    return standard_output().write_line(line);
  }
  std::vector<std::string> cells;
  for (const query::value& each : values) cells.push_back(query::text_of(each));
  if (table_ == nullptr) {
    std::vector<std::string> head;
    for (const std::string& each : names_) head.push_back(printable(each));
    table_ = std::make_unique<text_table>(std::move(head));
  }
  table_->row(std::move(cells));
  if (++waiting_rows_ == rows_of_a_table) finish();
  return standard_output().ok();
}

void query_rows::finish() {
  if (table_ != nullptr) table_->print();
  table_.reset();
  waiting_rows_ = 0;
}

void print_explanation(const query::report& from, row_style style) {
  if (style == row_style::json) {
    std::string line;
    text::json_writer json(line);
    json.begin_object().member("rows", from.rows).key("read").begin_array();
    for (const query::table_part& each : from.parts) append_part(each, json);
    json.end_array().end_object();
    standard_output().write_line(line);
    return;
  }
  const std::vector<std::string> head = {"table", "file",       "read from", "scans",
                                         "rows",  "ticks read", "range",     "columns"};
  text_table table(head);
  if (style == row_style::csv) standard_output().write_line(csv_line(head));
  for (const query::table_part& part : from.parts) {
    std::string columns;
    for (const std::string& each : part.columns) columns += (columns.empty() ? "" : ", ") + each;
    for (const query::file_part& each : part.files) {
      std::vector<std::string> cells = {part.table,
                                        each.file,
                                        std::string(source_of(each)),
                                        std::to_string(each.scans),
                                        std::to_string(each.rows),
                                        each.ticks == 0 ? std::string() : std::to_string(each.ticks),
                                        ticks_of(each),
                                        columns};
      if (style == row_style::csv) {
        standard_output().write_line(csv_line(cells));
      } else {
        table.row(std::move(cells));
      }
    }
  }
  if (style == row_style::table) table.print();
}

}  // namespace tickreel::cli
