// The SELECT of all columns of a table, those by path included.
#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "library_tables.hpp"
#include "path_values.hpp"
#include "tables.hpp"
#include "tickreel/query/query.hpp"
#include "tickreel/text/ascii.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/viewer/tick_values.hpp"

namespace tickreel::query {

namespace {

namespace dom = simdjson::dom;

// A vector, a quaternion or a matrix becomes columns.
constexpr std::size_t max_elements = 16;
constexpr std::size_t max_members = 256;  // of an object; one with more is a map, and one column
constexpr int max_depth = 32;

bool is_plain(std::string_view name) noexcept {
  const auto in_word = [](char each) {
    return each == '_' || (each >= '0' && each <= '9') || (each >= 'a' && each <= 'z') ||
           (each >= 'A' && each <= 'Z');
  };
  return !name.empty() && !(name.front() >= '0' && name.front() <= '9') && std::ranges::all_of(name, in_word);
}

std::string bracket_step(std::string_view name) {
  std::string out = "[";
  text::append_json_text(name, out);
  return out + ']';
}

std::string step_of(std::string_view name, bool is_first) {
  return is_plain(name) ? (is_first ? "" : ".") + std::string(name) : bracket_step(name);
}

// Whether a fixed column has the value of this member of a row's JSON.
bool is_in_fixed_column(table from, std::string_view member) {
  constexpr std::string_view of_events[] = {"tick", "time_ms", "type"};
  if (from == table::events) return std::ranges::find(of_events, member) != std::end(of_events);
  return from == table::recordings &&
         std::ranges::find(fixed_columns(from), member, &fixed_column::name) != fixed_columns(from).end();
}

// A member of all rows' objects.
struct json_member {
  std::string name;
  bool is_value = false;     // a number, text or truth
  bool is_empty = false;     // {} or []
  bool is_whole = false;     // one column, whatever is in it
  std::size_t elements = 0;  // of an array of values
  std::vector<json_member> members = {};

  void look(const dom::element& at, int depth);
  json_member& child(std::string_view of_name, std::size_t expected);
};

json_member& json_member::child(std::string_view of_name, std::size_t expected) {
  // The members of most objects have the same order in each row.
  if (expected < members.size() && members[expected].name == of_name) return members[expected];
  const auto found = std::ranges::find(members, of_name, &json_member::name);
  if (found != members.end()) return *found;
  return members.emplace_back(json_member{.name = std::string(of_name)});
}

void json_member::look(const dom::element& at, int depth) {
  if (is_whole || at.is_null()) return;
  if (at.is_object()) {
    std::size_t number = 0;
    const dom::object all = at.get_object().value_unsafe();
    for (const auto each : all) child(each.key, number++).look(each.value, depth + 1);
    is_empty = is_empty || number == 0;
  } else if (at.is_array()) {
    const dom::array all = at.get_array().value_unsafe();
    std::size_t count = 0;
    for (const dom::element each : all) {
      is_whole = is_whole || each.is_object() || each.is_array() || count >= max_elements;
      if (is_whole) break;
      ++count;
    }
    elements = std::max(elements, count);
    is_empty = is_empty || count == 0;
  } else {
    is_value = true;
  }
  const int kinds = (is_value ? 1 : 0) + (elements != 0 ? 1 : 0) + (members.empty() ? 0 : 1);
  if (kinds > 1 || depth >= max_depth || members.size() > max_members) is_whole = true;
  if (is_whole) members.clear();
}

class path_list {
 public:
  // Objects deeper than `max_levels` are one column each.
  path_list(table from, int max_levels) : from_(from), max_levels_(max_levels) {}

  void add_members(const json_member& of, const std::string& path, int level) {
    for (const json_member& each : of.members) {
      if (level == 0 && is_in_fixed_column(from_, each.name)) continue;
      add(each, path + step_of(each.name, path.empty()), level + 1);
    }
  }
  // One more than `max_paths` if there are more.
  [[nodiscard]] const std::vector<std::string>& paths() const noexcept { return paths_; }
  // Whether each member has a column.
  [[nodiscard]] bool is_complete() const noexcept { return is_complete_; }

 private:
  void add(const json_member& each, const std::string& path, int level) {
    if (each.is_whole || each.is_value || level >= max_levels_) {
      add_path(each, path);
    } else if (each.elements != 0) {
      for (std::size_t at = 0; at < each.elements; ++at)
        add_path(each, path + '[' + std::to_string(at) + ']');
    } else if (!each.members.empty()) {
      add_members(each, path, level);
    } else if (each.is_empty) {
      add_path(each, path);
    }
  }

  // SQL does not distinguish upper and lower case, so a second name has another spelling.
  void add_path(const json_member& each, const std::string& path) {
    if (paths_.size() > max_paths) return;
    const std::string own = is_free(path) ? path : with_last_name_in_brackets(path, each.name);
    if (is_free(own) && own.size() <= viewer::max_path_bytes) {
      paths_.push_back(own);
    } else {
      is_complete_ = false;
    }
  }

  [[nodiscard]] bool is_free(std::string_view path) const {
    const auto is_it = [&](std::string_view other) { return text::equal_ignoring_case(other, path); };
    return std::ranges::none_of(fixed_columns(from_), is_it, &fixed_column::name) &&
           std::ranges::none_of(paths_, is_it);
  }

  // `path` ends with this name, or with the number of an element after it.
  static std::string with_last_name_in_brackets(const std::string& path, std::string_view name) {
    const std::size_t last = path.rfind(name);
    if (last == std::string::npos || !is_plain(name)) return path;
    const std::size_t begin = last != 0 && path[last - 1] == '.' ? last - 1 : last;
    return path.substr(0, begin) + bracket_step(name) + path.substr(last + name.size());
  }

  table from_;
  int max_levels_;
  std::vector<std::string> paths_;
  bool is_complete_ = true;
};

std::string in_quotes(std::string_view name) {
  std::string out = "\"";
  for (const char each : name) out.append(each == '"' ? 2 : 1, each);
  return out + '"';
}

}  // namespace

bool is_table(std::string_view word) noexcept {
  return is_library_table(word) || find_table(word);
}

result<std::string> select_all(std::string_view table_name, const std::vector<input>& inputs,
                               const options& how, std::string& problem) {
  if (is_library_table(table_name)) return "SELECT * FROM " + std::string(table_name);
  const std::optional<table> from = find_table(table_name);
  if (!from) return fail(error_code::invalid_argument, error::no_offset, "no such table");
  if (!has_paths(*from)) return "SELECT * FROM " + std::string(table_name);
  const auto fixed = fixed_columns(*from);
  // The last fixed column is the JSON whose members are columns.
  const fixed_column& json = fixed.back();
  json_member root;
  dom::parser parser;
  // Whether the members of each row are known. The statement reports unreadable and long JSON.
  bool is_known = true;
  receiver to;
  to.row = [&](const std::vector<value>& row) {
    const auto* const text = std::get_if<std::string>(&row.front());
    if (text == nullptr) {
      is_known = false;
      return true;
    }
    dom::element object;
    auto status = parser.parse(*text).get(object);
    if (status != simdjson::SUCCESS) {
      std::string repaired = *text;
      (void)viewer::repair_json(repaired);
      status = parser.parse(repaired).get(object);
    }
    if (status == simdjson::SUCCESS) root.look(object, 0);
    is_known = is_known && status == simdjson::SUCCESS;
    return true;
  };
  report about;
  // Only the statement with a column for each member is one that others may repeat.
  options only_reading = how;
  only_reading.keeps_columns = false;
  const std::string statement = "SELECT " + std::string(json.name) + " FROM " + std::string(table_name);
  if (auto done = run(statement, inputs, only_reading, to, about, problem); !done) return fail(done.error());
  std::string sql = "SELECT ";
  for (const fixed_column& each : fixed.first(fixed.size() - 1)) {
    if (&each != &fixed.front()) sql += ", ";
    sql += each.name;
  }
  for (int levels = max_depth + 1; levels > 0; --levels) {
    path_list all(*from, levels);
    all.add_members(root, {}, 0);
    if (all.paths().size() > max_paths) continue;
    if (all.paths().empty()) break;
    for (const std::string& each : all.paths()) sql += ", " + in_quotes(each);
    // It has the members without a column.
    if (!all.is_complete() || !is_known) sql += ", " + std::string(json.name);
    return sql + " FROM " + std::string(table_name);
  }
  // No rows, or too many members.
  return sql + ", " + std::string(json.name) + " FROM " + std::string(table_name);
}

}  // namespace tickreel::query
