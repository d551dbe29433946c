#include "tickreel/query/query.hpp"

#include <sqlite3.h>

#include <utility>

#include "checked_printf.hpp"
#include "path_values.hpp"
#include "statement_names.hpp"
#include "tickreel/library/sqlite.hpp"
#include "tickreel/text/hex.hpp"
#include "virtual_table.hpp"
#include "work.hpp"

namespace tickreel::query {

namespace {

using library::connection;
using library::statement;

struct size_limit {
  int which;
  int most;
};
// A function of SQL cannot be interrupted: its arguments must be small enough.
constexpr size_limit size_limits[] = {
    {SQLITE_LIMIT_LENGTH, static_cast<int>(max_text_bytes)},  // also of a tick as JSON
    {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
    {SQLITE_LIMIT_COLUMN, 1000},
    {SQLITE_LIMIT_EXPR_DEPTH, 200},
    {SQLITE_LIMIT_COMPOUND_SELECT, 100},
    {SQLITE_LIMIT_VDBE_OP, 250'000},
    {SQLITE_LIMIT_FUNCTION_ARG, 64},
    {SQLITE_LIMIT_ATTACHED, 0},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200},
    {SQLITE_LIMIT_WORKER_THREADS, 0},
};

// For the process, as SQLite has no other.
class memory_limit {
 public:
  explicit memory_limit(std::uint64_t bytes)
      : before_(sqlite3_hard_heap_limit64(bytes == 0 ? -1 : static_cast<sqlite3_int64>(bytes))),
        bytes_(bytes) {
    (void)highest(SQLITE_STATUS_MEMORY_USED, true);
    (void)highest(SQLITE_STATUS_MALLOC_SIZE, true);
  }
  memory_limit(const memory_limit&) = delete;
  memory_limit& operator=(const memory_limit&) = delete;
  ~memory_limit() { sqlite3_hard_heap_limit64(before_); }

  // Why SQLite has no memory. The limit refuses a request that exceeds it together with the used memory. SQLite counts
  // requests before they fail.
  [[nodiscard]] error why_no_memory() const {
    const std::uint64_t most =
        highest(SQLITE_STATUS_MEMORY_USED, false) + highest(SQLITE_STATUS_MALLOC_SIZE, false);
    if (bytes_ != 0 && most >= bytes_) {
      return {error_code::out_of_memory,
              error::no_offset,
              "the statement exceeds its limit of {} byte{s} of memory",
              {static_cast<std::int64_t>(bytes_), 0}};
    }
    return {error_code::out_of_memory, error::no_offset, "the system refused it to the statement"};
  }

 private:
  static std::uint64_t highest(int what, bool resets) {
    sqlite3_int64 now = 0;
    sqlite3_int64 most = 0;
    if (sqlite3_status64(what, &now, &most, resets ? 1 : 0) != SQLITE_OK) return 0;
    return static_cast<std::uint64_t>(most);
  }

  sqlite3_int64 before_;
  std::uint64_t bytes_;
};

// A database in memory with the tables. It cannot write: the statement has no right to, and sorting uses memory.
result<connection> make_database(work& of) {
  auto made = connection::open({}, connection::access::memory);
  if (!made) return made;
  if (auto set = made->run("PRAGMA temp_store = MEMORY"); !set) return fail(set.error());
  sqlite3* const handle = made->handle();
  for (const size_limit& each : size_limits) sqlite3_limit(handle, each.which, each.most);
  // A name in quotes that does not exist must not become a text.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  if (auto added = add_checked_printf(handle); !added) return fail(added.error());
  if (auto added = add_tables(handle, of); !added) return fail(added.error());
  if (of.library != nullptr) {
    if (auto added = add_library_tables(handle, of, *of.library); !added) return fail(added.error());
  }
  // SQLite declares a table when a statement names it for the first time, for which only_read() leaves no right.
  std::vector<std::string> sources = {"json_each('[]')", "json_tree('[]')"};
  for (const table each : all_tables) sources.emplace_back(name(each));
  if (of.library != nullptr) {
    for (const std::string_view each : library_table_names()) sources.emplace_back(each);
  }
  for (const std::string& each : sources) {
    if (auto known = made->prepare("SELECT 1 FROM " + each); !known) return fail(known.error());
  }
  watch_steps(handle, of);
  made->only_read();
  return made;
}

tl::unexpected<error> invalid_statement() {
  return fail(error_code::invalid_argument, error::no_offset, "the statement");
}

// Prepared in a database that has every column that the statement names.
struct prepared {
  connection in;
  statement what;
};

result<prepared> prepare(std::string_view sql, work& of, std::string& problem) {
  const std::vector<statement_name> names = names_in(sql);
  for (;;) {
    auto database = make_database(of);
    if (!database) {
      problem.clear();
      return fail(database.error());
    }
    auto what = database->prepare(sql, &problem);
    if (what && !what->only_reads()) problem = "not authorized";
    if (what && what->only_reads()) {
      // Its only statement.
      if (sqlite3_bind_parameter_count(sqlite3_next_stmt(database->handle(), nullptr)) != 0) {
        problem = "it has a parameter, such as ? or :name, but no value for it";
        return invalid_statement();
      }
      problem.clear();
      return prepared{std::move(*database), std::move(*what)};
    }
    if (!what && what.error().code != error_code::invalid_argument && problem != "not authorized") {
      return fail(what.error());
    }
    // The name of a table alone stands for all its columns, see select_all().
    if (problem.starts_with("near ") && names.size() == 1 && names.front().text == sql)
      problem = "no such table: " + names.front().text;
    if (problem == "not authorized") problem = "only SELECT is possible: recordings are only read";
    const auto missing = missing_column(problem, names, of.paths);
    if (!missing || of.paths.size() >= max_paths) {
      problem += hint(problem);
      return invalid_statement();
    }
    const std::string_view path = *missing;
    if (!viewer::json_values::create({&path, 1})) {
      problem += ": not the path of a value";
      return invalid_statement();
    }
    if (const auto other = other_spelling(*missing, names)) {
      problem = "\"" + *missing + "\" and \"" + *other +
                "\" are one column in SQL; write a column of the other spelling as \"[\"\"" + *other +
                "\"\"]\"";
      return invalid_statement();
    }
    of.paths.push_back(*missing);
  }
}

value value_at(const statement& row, int column) {
  switch (row.kind_of(column)) {
    case statement::kind::integer:
      return row.integer(column);
    case statement::kind::real:
      return row.real(column);
    case statement::kind::text:
      return std::string(row.text(column));
    case statement::kind::blob:
      return text::to_hex(as_bytes(row.text(column)));
    case statement::kind::null:
      break;
  }
  return {};
}

result<void> give_rows(prepared& from, const work& of, const receiver& to, report& about) {
  std::vector<std::string> names;
  sqlite3_stmt* const only = sqlite3_next_stmt(from.in.handle(), nullptr);
  for (int column = 0; column < from.what.columns(); ++column) {
    names.emplace_back(from.what.column_name(column));
    const char* const declared = sqlite3_column_decltype(only, column);
    about.columns.push_back(origin_of(declared == nullptr ? "" : declared, of.paths));
  }
  if (to.columns && !to.columns(names)) return {};
  std::vector<value> row(names.size());
  for (;;) {
    const auto more = from.what.step();
    if (!more) return fail(more.error());
    if (!*more) return {};
    for (int column = 0; column < from.what.columns(); ++column) {
      row[static_cast<std::size_t>(column)] = value_at(from.what, column);
    }
    ++about.rows;
    if (to.row && !to.row(row)) return {};
  }
}

// The reason why a statement ended, instead of SQLite's code.
error reason_of(const error& why, const work& of, const memory_limit& memory, sqlite3* in,
                std::string& problem) {
  if (why.code == error_code::interrupted && of.is_out_of_time()) {
    return {error_code::timed_out, error::no_offset, "the statement exceeds its limit of time"};
  }
  if (of.failure) return *of.failure;
  switch (why.code) {
    case error_code::interrupted:
      return why;
    case error_code::out_of_memory:
      return memory.why_no_memory();
    case error_code::over_limit:
      return {error_code::over_limit, error::no_offset, "a text of more than 16 MiB"};
    default:
      problem = sqlite3_errmsg(in);
      return {error_code::invalid_argument, error::no_offset, "the statement"};
  }
}

}  // namespace

result<void> run(std::string_view sql, const std::vector<input>& inputs, const options& how,
                 const receiver& to, report& about, std::string& problem) {
  const memory_limit memory(how.max_memory_bytes);
  work all(inputs, how);
  if (!how.library.empty()) {
    auto index = library_index::open(how.library, how.keeps_columns, all);
    if (!index) return fail(index.error());
    all.library = std::move(*index);
  }
  result<void> outcome;
  if (auto ready = prepare(sql, all, problem); ready) {
    outcome = give_rows(*ready, all, to, about);
    if (!outcome) outcome = fail(reason_of(outcome.error(), all, memory, ready->in.handle(), problem));
    ready->what = statement();  // Cursors account for what they read.
  } else {
    outcome = fail(ready.error());
    if (outcome.error().code == error_code::out_of_memory) outcome = fail(memory.why_no_memory());
  }
  if (outcome && how.opens_all_files) all.check_unread_files();
  if (all.library != nullptr) {
    for (std::string& each : all.library->keeping_notes()) all.note(std::move(each));
  }
  all.finish(about);
  return outcome;
}

}  // namespace tickreel::query
