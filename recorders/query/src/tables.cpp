#include "tables.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include "tickreel/files/statistics.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::query {

namespace {

constexpr fixed_column of_recordings[] = {
    {"recording", "TEXT"}, {"format", "TEXT"},   {"format_version", "INTEGER"},
    {"bytes", "INTEGER"},  {"ticks", "INTEGER"}, {"duration_ms", "INTEGER"},
    {"started", "TEXT"},   {"session", "TEXT"},  {"map", "TEXT"},
    {"mode", "TEXT"},      {"result", "TEXT"},   {"health", "TEXT"},
    {"info", "TEXT"}};
constexpr fixed_column of_ticks[] = {
    {"recording", "TEXT"}, {"tick", "INTEGER"}, {"time_ms", "INTEGER"}, {"state", "TEXT"}};
constexpr fixed_column of_players[] = {{"recording", "TEXT"}, {"tick", "INTEGER"}, {"time_ms", "INTEGER"},
                                       {"team", "TEXT"},      {"player", "TEXT"},  {"id", "INTEGER"},
                                       {"state", "TEXT"}};
constexpr fixed_column of_events[] = {
    {"recording", "TEXT"}, {"tick", "INTEGER"}, {"time_ms", "INTEGER"}, {"type", "TEXT"}, {"event", "TEXT"}};
constexpr fixed_column of_matches[] = {
    {"recording", "TEXT"}, {"match", "INTEGER"}, {"format", "TEXT"},         {"session", "TEXT"},
    {"map", "TEXT"},       {"started", "TEXT"},  {"duration_ms", "INTEGER"}, {"player", "TEXT"},
    {"id", "NUMERIC"},     {"team", "NUMERIC"},  {"result", "TEXT"},         {"partial", "INTEGER"},
    {"uncertain", "TEXT"}};

std::vector<fixed_column> with_statistics() {
  std::vector<fixed_column> out(std::begin(of_matches), std::end(of_matches));
  for (std::size_t at = 0; at < files::statistic_count; ++at) {
    out.push_back({files::column_of(static_cast<files::statistic>(at)).name, "REAL"});
  }
  return out;
}

bool is_fixed_column(table which, std::string_view path) {
  return std::ranges::any_of(fixed_columns(which), [&](const fixed_column& each) {
    return text::equal_ignoring_case(each.name, path);
  });
}

// Without an effect on values: it marks the column of a result as a column by path, also under another name.
constexpr std::string_view path_mark = "BLOB(";
std::string path_type(table which, std::size_t path) {
  return ' ' + std::string(path_mark) + std::to_string(path) + ',' + std::to_string(static_cast<int>(which)) +
         ')';
}

void append_quoted(std::string_view name, std::string& sql) {
  sql += '"';
  for (const char each : name) sql.append(each == '"' ? 2 : 1, each);
  sql += '"';
}

}  // namespace

std::string_view name(table which) noexcept {
  constexpr std::string_view names[] = {"recordings", "ticks", "players", "events", "statistics"};
  return names[static_cast<std::size_t>(which)];
}

std::optional<table> find_table(std::string_view word) noexcept {
  for (const table each : all_tables) {
    if (name(each) == word) return each;
  }
  return std::nullopt;
}

std::span<const fixed_column> fixed_columns(table which) {
  switch (which) {
    case table::recordings:
      return of_recordings;
    case table::ticks:
      return of_ticks;
    case table::players:
      return of_players;
    case table::events:
      return of_events;
    case table::statistics:
      break;
  }
  static const std::vector<fixed_column> of_statistics = with_statistics();
  return of_statistics;
}

std::string declaration(table which, std::span<const std::string> paths) {
  std::string sql = "CREATE TABLE t (";
  bool first = true;
  for (const fixed_column& each : fixed_columns(which)) {
    if (!first) sql += ", ";
    first = false;
    append_quoted(each.name, sql);
    sql += ' ';
    sql += each.type;
  }
  if (has_paths(which)) {
    for (std::size_t at = 0; at < paths.size(); ++at) {
      sql += ", ";
      // Another table of the statement needs the path.
      const bool is_fixed = is_fixed_column(which, paths[at]);
      append_quoted(is_fixed ? paths[at] + " (path)" : paths[at], sql);
      sql += is_fixed ? " HIDDEN" : path_type(which, at);
    }
  }
  return sql + ")";
}

column_origin origin_of(std::string_view declared, std::span<const std::string> paths) {
  if (!declared.starts_with(path_mark)) return {.type = std::string(declared)};
  const char* const end = declared.data() + declared.size();
  std::size_t path = 0;
  std::size_t which = 0;
  const auto first = std::from_chars(declared.data() + path_mark.size(), end, path);
  if (first.ec != std::errc{} || first.ptr == end || path >= paths.size()) return {};
  const auto second = std::from_chars(first.ptr + 1, end, which);
  if (second.ec != std::errc{} || which >= std::size(all_tables)) return {};
  return {.table = std::string(name(all_tables[which])), .path = paths[path]};
}

std::string column_name(table which, int column, std::span<const std::string> paths) {
  const auto fixed = fixed_columns(which);
  const auto at = static_cast<std::size_t>(column);
  return at < fixed.size() ? std::string(fixed[at].name) : paths[at - fixed.size()];
}

}  // namespace tickreel::query
