#include "statement_names.hpp"

#include <sqlite3.h>

#include <algorithm>

#include "library_tables.hpp"
#include "tables.hpp"
#include "tickreel/query/query.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::query {

namespace {

using text::is_digit;
bool begins_word(char letter) noexcept {
  const auto byte = static_cast<unsigned char>(letter);
  return letter == '_' || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         byte >= 0x80;
}

// Up to a closing quote, which is doubled inside. `sql` then begins after it.
std::string take_quoted(std::string_view& sql, char close) {
  std::string out;
  std::size_t at = 1;
  for (; at < sql.size(); ++at) {
    if (sql[at] == close) {
      if (close == ']' || at + 1 >= sql.size() || sql[at + 1] != close) break;
      ++at;
    }
    out += sql[at];
  }
  sql.remove_prefix(std::min(at + 1, sql.size()));
  return out;
}

bool may_be_column(std::string_view word, std::string_view after) noexcept {
  const bool is_keyword = sqlite3_keyword_check(word.data(), static_cast<int>(word.size())) != 0;
  const std::size_t next = after.find_first_not_of(" \t\r\n");
  const bool names_other = next != std::string_view::npos && (after[next] == '(' || after[next] == '.');
  return !is_keyword && !names_other && !is_table(word);
}

void skip_to_end_of(std::string_view& sql, std::string_view end) {
  const std::size_t at = sql.find(end, 2);
  sql.remove_prefix(at == std::string_view::npos ? sql.size() : at + end.size());
}

}  // namespace

std::vector<statement_name> names_in(std::string_view sql) {
  std::vector<statement_name> out;
  while (!sql.empty()) {
    const char letter = sql.front();
    if (letter == '\'') {
      (void)take_quoted(sql, '\'');
    } else if (letter == '"' || letter == '`') {
      out.push_back({take_quoted(sql, letter)});
    } else if (letter == '[') {
      out.push_back({take_quoted(sql, ']')});
    } else if (sql.starts_with("--")) {
      skip_to_end_of(sql, "\n");
    } else if (sql.starts_with("/*")) {
      skip_to_end_of(sql, "*/");
    } else if (begins_word(letter) || is_digit(letter)) {
      std::size_t end = 1;
      while (end < sql.size() && (begins_word(sql[end]) || is_digit(sql[end]) || sql[end] == '$')) ++end;
      const std::string_view word = sql.substr(0, end);
      sql.remove_prefix(end);
      if (begins_word(letter)) out.push_back({std::string(word), may_be_column(word, sql)});
    } else {
      sql.remove_prefix(1);
    }
  }
  return out;
}

std::optional<std::string> missing_column(std::string_view message, const std::vector<statement_name>& names,
                                          const std::vector<std::string>& known) {
  constexpr std::string_view begin = "no such column: ";
  if (!message.starts_with(begin)) return std::nullopt;
  message.remove_prefix(begin.size());
  // Later versions of SQLite add advice.
  if (const std::size_t advice = message.find(" - should this be"); advice != std::string_view::npos) {
    message = message.substr(0, advice);
    if (message.size() >= 2 && message.front() == '"') message = message.substr(1, message.size() - 2);
  }
  // The message does not quote names, and a path may contain points: "e.player.name" is e."player.name" or
  // "e.player.name".
  for (;;) {
    const bool is_named = std::ranges::find(names, message, &statement_name::text) != names.end();
    if (is_named && std::ranges::find(known, message) == known.end()) return std::string(message);
    const std::size_t point = message.find('.');
    if (point == std::string_view::npos) return std::nullopt;
    message.remove_prefix(point + 1);
  }
}

std::string hint(std::string_view message) {
  const bool is_table = message.starts_with("no such table: ");
  const bool is_name = is_table || message.starts_with("no such column: ");
  const bool is_place = message.starts_with("near \".\"") || message.starts_with("near \"[");
  if (is_place || (is_name && message.find('.') != std::string_view::npos)) {
    return "; a path with a point or a bracket needs double quotes, such as \"session.disc.speed\"";
  }
  std::string tables;
  if (!is_table) return tables;
  if (is_library_table(message.substr(message.find(": ") + 2))) return "; --library adds it";
  for (const table each : all_tables) {
    tables += tables.empty() ? "; the tables are " : each == all_tables.back() ? " and " : ", ";
    tables += name(each);
  }
  return tables;
}

std::optional<std::string> other_spelling(const std::string& path, const std::vector<statement_name>& names) {
  const auto is_other = [&](const statement_name& name) {
    return name.may_be_column && name.text != path && text::equal_ignoring_case(name.text, path);
  };
  const auto found = std::ranges::find_if(names, is_other);
  return found == names.end() ? std::nullopt : std::optional(found->text);
}

}  // namespace tickreel::query
