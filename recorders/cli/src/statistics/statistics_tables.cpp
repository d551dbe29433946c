// Statistics as text tables, and as a page without scripts.
#include <algorithm>
#include <atomic>
#include <map>

#include "console/console.hpp"
#include "statistics_output.hpp"
#include "tickreel/echo/time.hpp"
#include "tickreel/text/markup.hpp"

namespace tickreel::cli {

namespace {

using cells = std::vector<std::string>;
using table = std::vector<cells>;

// A value that depends on lost ticks has a question mark.
std::string cell_of(const files::player_row& row, files::statistic which) {
  std::string text = files::statistic_text(row.get(which));
  if (!text.empty() && row.uncertain.test(static_cast<std::size_t>(which))) text += '?';
  return text;
}

void append_names(const std::vector<files::statistic>& columns, cells& head) {
  for (const files::statistic each : columns) head.emplace_back(files::column_of(each).name);
}

std::string title_of(std::string_view file, std::size_t number, const files::match_rows& rows) {
  std::string out(file);
  if (number > 1) out += " #" + std::to_string(number);
  out += ": " + rows.format;
  if (!rows.map.empty()) out += ", " + rows.map;
  if (rows.started_ms) {
    const auto time = echo::format_time(*rows.started_ms);
    out += ", " + std::string(time.data(), 16);
  }
  out += ", " + duration_text(rows.duration_ms);
  return rows.clock.empty() ? out : out + " (" + rows.clock + ')';
}

table table_of(const files::match_rows& rows) {
  std::vector<const files::player_row*> players;
  for (const files::player_row& each : rows.players) players.push_back(&each);
  const auto columns = files::columns_in_use(players);
  table out = {{"player", "team", "result"}};
  append_names(columns, out.front());
  for (const files::player_row* each : players) {
    cells row = {each->partial ? each->player + " (partial)" : each->player, each->team, each->result};
    for (const files::statistic which : columns) row.push_back(cell_of(*each, which));
    out.push_back(std::move(row));
  }
  return out;
}

// One table for each format, because they count different things.
std::map<std::string, table> sums_of(const files::statistics_sums& sums) {
  std::map<std::string, std::vector<const files::statistics_sums::entry*>> formats;
  for (const auto* each : sums.by_player()) formats[each->format].push_back(each);
  std::map<std::string, table> out;
  for (const auto& [format, entries] : formats) {
    std::vector<const files::player_row*> rows;
    for (const auto* each : entries) rows.push_back(&each->row);
    const auto columns = files::columns_in_use(rows);
    table& made = out[format];
    made.push_back({"player", "games", "won", "lost"});
    append_names(columns, made.front());
    for (const auto* each : entries) {
      cells row = {each->row.player, std::to_string(each->games), std::to_string(each->won),
                   std::to_string(each->lost)};
      for (const files::statistic which : columns) row.push_back(cell_of(each->row, which));
      made.push_back(std::move(row));
    }
  }
  return out;
}

// Players as columns: there are fewer of them than of values.
void append_turned(const table& rows, std::string& out) {
  std::vector<std::size_t> widths;
  for (const cells& row : rows) {
    std::size_t width = 0;
    for (const std::string& each : row) width = std::max(width, width_of(printable(each)));
    widths.push_back(width);
  }
  for (std::size_t line = 0; line < rows.front().size(); ++line) {
    out += ' ';
    for (std::size_t at = 0; at < rows.size(); ++at) {
      const std::string text = printable(rows[at][line]);
      const std::string room(widths[at] - width_of(text), ' ');
      out += ' ';
      out += at == 0 ? text + room : room + text;
    }
    out += '\n';
  }
}

class table_writer final : public statistics_writer {
 public:
  std::string match(std::string_view file, std::size_t number, const files::match_rows& rows) const override {
    ++matches_;
    std::string out = printable(title_of(file, number, rows)) + "\n";
    append_turned(table_of(rows), out);
    return out;
  }
  std::string_view between() const override { return "\n"; }
  std::string end(const files::statistics_sums& sums, const std::vector<left_out_match>&) override {
    std::string out;
    // The sums of one match are the match itself.
    if (matches_ == 1) return out;
    for (const auto& [format, rows] : sums_of(sums)) {
      out += "\nAll of " + format + "\n";
      // With many players the table would be too wide.
      constexpr std::size_t most = 12;
      for (std::size_t at = 1; at < rows.size(); at += most) {
        table part = {rows.front()};
        for (std::size_t each = at; each < std::min(at + most, rows.size()); ++each)
          part.push_back(rows[each]);
        append_turned(part, out);
      }
    }
    return out;
  }

 private:
  mutable std::atomic<std::size_t> matches_ = 0;
};

void append_html_table(const table& rows, std::string& html) {
  // Keys scroll a table that is wider than the window only if it takes the focus.
  html += "<div tabindex=\"0\"><table>\n";
  for (const cells& row : rows) {
    const bool head = &row == &rows.front();
    html += "<tr>";
    for (const std::string& each : row) {
      html +=
          (head ? "<th scope=\"col\">" : "<td>") + text::escaped_markup(each) + (head ? "</th>" : "</td>");
    }
    html += "</tr>\n";
  }
  html += "</table></div>\n";
}

void append_html_details(const files::player_row& row, std::string& html) {
  if (!row.by_minute.empty()) {
    table minutes = {{"minute"}};
    std::size_t longest = 0;
    for (const auto& [name, values] : row.by_minute) {
      minutes.front().emplace_back(name);
      longest = std::max(longest, values.size());
    }
    for (std::size_t minute = 0; minute < longest; ++minute) {
      cells line = {std::to_string(minute + 1)};
      for (const auto& [name, values] : row.by_minute) {
        line.push_back(minute < values.size() ? files::statistic_text(values[minute]) : std::string());
      }
      minutes.push_back(std::move(line));
    }
    html += "<details><summary>" + text::escaped_markup(row.player) + ", by minute</summary>\n";
    append_html_table(minutes, html);
    html += "</details>\n";
  }
  if (row.build_order.empty()) return;
  table steps = {{"time", "supply", "kind", "what"}};
  for (const files::build_entry& each : row.build_order) {
    steps.push_back({duration_text(each.time_ms), files::statistic_text(each.supply),
                     std::string(each.kind) + (each.cancelled ? ", cancelled" : ""), each.name});
  }
  html += "<details><summary>" + text::escaped_markup(row.player) + ", build order</summary>\n";
  append_html_table(steps, html);
  html += "</details>\n";
}

class page_writer final : public statistics_writer {
 public:
  std::string begin() override {
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
           "<meta name=\"viewport\" content=\"width=device-width\"><title>Statistics</title>\n<style>"
           "body{font:15px system-ui,sans-serif;color:#222;margin:2em auto;padding:0 1em}"
           "h2{font-size:1.1em;overflow-wrap:anywhere}summary{padding:.25em "
           "0}div{overflow-x:auto}table{border-collapse:collapse}"
           "td,th{padding:.25em .6em;border-bottom:1px solid #ddd;text-align:right;white-space:nowrap}"
           "td:first-child,th:first-child{text-align:left}@media(prefers-color-scheme:dark){"
           "body{color:#e6e6e6;background:#1b1d20}td,th{border-color:#3a3f45}}</style></head><body><main>\n"
           "<h1>Statistics</h1>\n<p>A question mark: the value depends on lost ticks or events.</p>\n";
  }
  std::string match(std::string_view file, std::size_t number, const files::match_rows& rows) const override {
    ++matches_;
    std::string out = "<h2>" + text::escaped_markup(title_of(file, number, rows)) + "</h2>\n";
    append_html_table(table_of(rows), out);
    for (const files::player_row& each : rows.players) append_html_details(each, out);
    return out;
  }
  std::string end(const files::statistics_sums& sums, const std::vector<left_out_match>& left_out) override {
    std::string out;
    for (const auto& [format, rows] : matches_ == 1 ? std::map<std::string, table>() : sums_of(sums)) {
      out += "<h2>All of " + text::escaped_markup(format) + "</h2>\n";
      append_html_table(rows, out);
    }
    if (!left_out.empty()) out += "<h2>Not counted</h2>\n<ul>\n";
    for (const left_out_match& each : left_out) {
      out += "<li>" + text::escaped_markup(each.file) + ": " + text::escaped_markup(each.reason) + "</li>\n";
    }
    if (!left_out.empty()) out += "</ul>\n";
    return out + "</main></body></html>\n";
  }

 private:
  mutable std::atomic<std::size_t> matches_ = 0;
};

}  // namespace

std::unique_ptr<statistics_writer> make_table_writer() {
  return std::make_unique<table_writer>();
}

std::unique_ptr<statistics_writer> make_page_writer() {
  return std::make_unique<page_writer>();
}

}  // namespace tickreel::cli
