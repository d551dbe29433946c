#include "plan.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "guarded.hpp"

namespace tickreel::query {

namespace {

// The target of a restriction, as a letter of the plan's text: "3f;ti>e" has the columns 0 to 5 and three
// restrictions. The letter after it is the operator. The columns of files in the order of their names end with "s".
enum target : char { of_name = 'n', of_tick = 't', of_time = 'i', of_type = 'y', of_player = 'p' };
enum comparison : char {
  equal = '=',
  greater = '>',
  at_least = 'G',
  less = '<',
  at_most = 'L',
  like = 'l',
  glob = 'g'
};

char comparison_of(unsigned char code) noexcept {
  switch (code) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
      return equal;
    case SQLITE_INDEX_CONSTRAINT_GT:
      return greater;
    case SQLITE_INDEX_CONSTRAINT_GE:
      return at_least;
    case SQLITE_INDEX_CONSTRAINT_LT:
      return less;
    case SQLITE_INDEX_CONSTRAINT_LE:
      return at_most;
    case SQLITE_INDEX_CONSTRAINT_LIKE:
      return like;
    case SQLITE_INDEX_CONSTRAINT_GLOB:
      return glob;
    default:
      return 0;
  }
}

bool is_pattern(char how) noexcept {
  return how == like || how == glob;
}

// The target of a restriction that a scan can use; 0 if none.
char target_of(table which, int column, char how) noexcept {
  if (how == 0) return 0;
  if (column == recording_column) return how == equal || is_pattern(how) ? of_name : 0;
  if (which == table::recordings || which == table::statistics || is_pattern(how)) return 0;
  if (column == tick_column) return of_tick;
  if (column == time_column) return of_time;
  if (how != equal) return 0;
  if (which == table::events && column == events_column::type) return of_type;
  if (which == table::players && column == players_column::player) return of_player;
  return 0;
}

struct expected {
  double cost = 0;  // of one file; about a microsecond each
  double rows = 0;
};
expected of_whole_file(table which) noexcept {
  switch (which) {
    case table::recordings:
      return {1e3, 1};
    case table::ticks:
      return {2e5, 2e4};
    case table::players:
      return {1e6, 2e5};
    case table::events:
      return {1e5, 500};
    case table::statistics:
      break;
  }
  return {1e2, 8};
}

// A whole number for a bound: `round` for a number with a fraction.
std::optional<std::int64_t> bound_of(sqlite3_value* from, double (*round)(double)) {
  constexpr double max = 9.2e18;
  switch (sqlite3_value_type(from)) {
    case SQLITE_INTEGER:
      return sqlite3_value_int64(from);
    case SQLITE_FLOAT: {
      const double number = round(sqlite3_value_double(from));
      if (number > -max && number < max) return static_cast<std::int64_t>(number);
      return std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

double down(double number) {
  return std::floor(number);
}
double up(double number) {
  return std::ceil(number);
}

// Narrows a range. Values that are no numbers restrict nothing here: SQLite compares them.
void narrow(char how, sqlite3_value* by, std::int64_t& first, std::int64_t& last) {
  if (how == equal || how == greater || how == at_least) {
    if (const auto bound = bound_of(by, &up)) first = std::max(first, *bound);
  }
  if (how == equal || how == less || how == at_most) {
    if (const auto bound = bound_of(by, &down)) last = std::min(last, *bound);
  }
}

std::string text_of(sqlite3_value* from) {
  const auto* const text = reinterpret_cast<const char*>(sqlite3_value_text(from));
  return text == nullptr ? std::string()
                         : std::string(text, static_cast<std::size_t>(sqlite3_value_bytes(from)));
}

void set_text(sqlite3_value* from, std::optional<std::string>& to) {
  if (sqlite3_value_type(from) == SQLITE_TEXT) to = text_of(from);
}

}  // namespace

bool name_filter::takes(const std::string& name) const {
  switch (how) {
    case kind::like:
      return sqlite3_strlike(text.c_str(), name.c_str(), 0) == 0;
    case kind::glob:
      return sqlite3_strglob(text.c_str(), name.c_str()) == 0;
    case kind::equal:
      break;
  }
  return text == name;
}

bool choose_plan(table which, std::size_t files, sqlite3_index_info& info) {
  std::string restrictions;
  bool is_one_file = false, has_pattern = false, is_one_tick = false, is_one_kind = false;
  int bounds = 0;
  for (int i = 0; i < info.nConstraint; ++i) {
    const auto& each = info.aConstraint[i];
    const char how = comparison_of(each.op);
    const char target = target_of(which, each.iColumn, how);
    if (target == 0 || each.usable == 0) continue;
    const bool is_text = target == of_name || target == of_type || target == of_player;
    if (is_text && how == equal && !is_binary_comparison(info, i)) continue;
    // One scan for all values of a list, not one for each: the file is read once.
    if ((target == of_type || target == of_player) && sqlite3_vtab_in(&info, i, -1) != 0) continue;
    info.aConstraintUsage[i].argvIndex = static_cast<int>(restrictions.size() / 2) + 1;
    restrictions += target;
    restrictions += how;
    is_one_file = is_one_file || (target == of_name && how == equal);
    has_pattern = has_pattern || (target == of_name && is_pattern(how));
    is_one_tick = is_one_tick || ((target == of_tick || target == of_time) && how == equal);
    if (target == of_tick || target == of_time) ++bounds;
    is_one_kind = is_one_kind || target == of_type || target == of_player;
  }
  expected all = of_whole_file(which);
  double count = static_cast<double>(std::max<std::size_t>(files, 1));
  if (is_one_file) count = 1;
  if (has_pattern) count = std::max(1.0, count / 4);
  // Events of a file that was just read are kept.
  if (which == table::events && is_one_file) all.cost = 2e3;
  if (is_one_tick) {
    all = {which == table::events ? all.cost : 2e3, which == table::players ? 8.0 : 1.0};
  } else if (bounds > 0) {
    const double share = bounds > 1 ? 20 : 3;
    all.rows /= share;
    if (which != table::events) all.cost /= share;
  }
  if (is_one_kind) all.rows /= 8;
  info.estimatedCost = all.cost * count;
  info.estimatedRows = std::max<sqlite3_int64>(1, static_cast<sqlite3_int64>(all.rows * count));
  // Then SQLite sorts no rows for GROUP BY and ORDER BY. It passes only terms of the column's own collation, BINARY.
  const bool is_by_name = which != table::statistics && info.nOrderBy == 1 &&
                          info.aOrderBy[0].iColumn == recording_column && info.aOrderBy[0].desc == 0;
  if (is_by_name) info.orderByConsumed = 1;
  info.idxStr = sqlite3_mprintf("%llx%s;%s", static_cast<unsigned long long>(info.colUsed),
                                is_by_name ? "s" : "", restrictions.c_str());
  info.needToFreeIdxStr = 1;
  return info.idxStr != nullptr;
}

plan read_plan(const char* text, int count, sqlite3_value** values) {
  plan out;
  const std::string_view all = text;
  const std::size_t end = all.find(';');
  std::from_chars(all.data(), all.data() + end, out.columns, 16);
  out.is_by_name = end != 0 && all[end - 1] == 's';
  const std::string_view restrictions = all.substr(end + 1);
  std::int64_t first_tick = 0;
  std::int64_t last_tick = (std::numeric_limits<std::int64_t>::max)();
  for (int i = 0; i < count; ++i) {
    const char how = restrictions[static_cast<std::size_t>(i) * 2 + 1];
    sqlite3_value* const by = values[i];
    switch (restrictions[static_cast<std::size_t>(i) * 2]) {
      case of_name:
        out.names.push_back({how == like   ? name_filter::kind::like
                             : how == glob ? name_filter::kind::glob
                                           : name_filter::kind::equal,
                             text_of(by)});
        break;
      case of_tick:
        narrow(how, by, first_tick, last_tick);
        break;
      case of_time:
        narrow(how, by, out.within.first_ms, out.within.last_ms);
        break;
      case of_type:
        set_text(by, out.within.type);
        break;
      case of_player:
        set_text(by, out.within.player);
        break;
      default:
        break;
    }
  }
  out.within.first_tick = static_cast<std::uint64_t>(first_tick);
  // Numbers above the largest signed one are texts.
  const bool is_bounded = last_tick != (std::numeric_limits<std::int64_t>::max)();
  if (last_tick < 0) {
    out.within.first_tick = 1;
    out.within.last_tick = 0;
  } else if (is_bounded) {
    out.within.last_tick = static_cast<std::uint64_t>(last_tick);
  }
  return out;
}

}  // namespace tickreel::query
