#include "virtual_table.hpp"

#include <sqlite3.h>

#include <memory>
#include <string>

#include "guarded.hpp"
#include "plan.hpp"
#include "table_scan.hpp"
#include "tables.hpp"
#include "work.hpp"

namespace tickreel::query {

namespace {

// One of the tables, as sqlite3_create_module() gets it.
struct table_source {
  work* of = nullptr;
  table which = table::ticks;
};

struct table_instance : sqlite3_vtab {
  table_source source;
};

struct table_cursor : sqlite3_vtab_cursor {
  std::unique_ptr<table_scan> scan;
};

table_instance& instance_of(sqlite3_vtab* from) {
  return *static_cast<table_instance*>(from);
}
table_cursor& cursor_of(sqlite3_vtab_cursor* from) {
  return *static_cast<table_cursor*>(from);
}

int connect(sqlite3* to, void* source, int, const char* const*, sqlite3_vtab** out, char**) {
  return guarded([&] {
    const auto& from = *static_cast<table_source*>(source);
    const int code = sqlite3_declare_vtab(to, declaration(from.which, from.of->paths).c_str());
    if (code != SQLITE_OK) return code;
    auto made = std::make_unique<table_instance>();
    *static_cast<sqlite3_vtab*>(made.get()) = {};
    made->source = from;
    *out = made.release();
    return SQLITE_OK;
  });
}

int disconnect(sqlite3_vtab* of) {
  delete &instance_of(of);
  return SQLITE_OK;
}

int best_index(sqlite3_vtab* of, sqlite3_index_info* info) {
  return guarded([&] {
    const table_source& from = instance_of(of).source;
    return choose_plan(from.which, from.of->inputs().size(), *info) ? SQLITE_OK : SQLITE_NOMEM;
  });
}

int open(sqlite3_vtab* of, sqlite3_vtab_cursor** out) {
  return guarded([&] {
    auto made = std::make_unique<table_cursor>();
    *static_cast<sqlite3_vtab_cursor*>(made.get()) = {};
    const table_source& from = instance_of(of).source;
    made->scan = std::make_unique<table_scan>(*from.of, from.which);
    *out = made.release();
    return SQLITE_OK;
  });
}

int close(sqlite3_vtab_cursor* of) {
  delete &cursor_of(of);
  return SQLITE_OK;
}

// The work keeps the error itself.
int code_of(const result<void>& outcome, sqlite3_vtab* of) {
  if (outcome) return SQLITE_OK;
  if (outcome.error().code == error_code::interrupted) return SQLITE_INTERRUPT;
  work& at = *instance_of(of).source.of;
  if (!at.failure) at.failure = outcome.error();
  return SQLITE_ERROR;
}

int filter(sqlite3_vtab_cursor* of, int, const char* plan, int count, sqlite3_value** values) {
  return guarded(
      [&] { return code_of(cursor_of(of).scan->begin(read_plan(plan, count, values)), of->pVtab); });
}

int next(sqlite3_vtab_cursor* of) {
  return guarded([&] { return code_of(cursor_of(of).scan->next(), of->pVtab); });
}

int eof(sqlite3_vtab_cursor* of) {
  return cursor_of(of).scan->is_at_end() ? 1 : 0;
}

int column(sqlite3_vtab_cursor* of, sqlite3_context* to, int number) {
  if (number == recording_column) {
    // Without a copy: the inputs outlive the statement.
    const std::string& file = cursor_of(of).scan->file();
    sqlite3_result_text64(to, file.data(), file.size(), SQLITE_STATIC, SQLITE_UTF8);
    return SQLITE_OK;
  }
  const value* const found = cursor_of(of).scan->at(number);
  if (found == nullptr) return SQLITE_OK;
  if (const auto* const real = std::get_if<double>(found)) {
    sqlite3_result_double(to, *real);
  } else if (const auto* const whole = std::get_if<std::int64_t>(found)) {
    sqlite3_result_int64(to, *whole);
  } else if (const auto* const text = std::get_if<std::string>(found)) {
    sqlite3_result_text64(to, text->data(), text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
  return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* of, sqlite3_int64* out) {
  *out = cursor_of(of).scan->row_id();
  return SQLITE_OK;
}

sqlite3_module module_of_tables() {
  sqlite3_module out{};
  // Without xCreate the table exists under the module's name in every connection, and no statement makes another.
  out.xConnect = &connect;
  out.xBestIndex = &best_index;
  out.xDisconnect = &disconnect;
  out.xOpen = &open;
  out.xClose = &close;
  out.xFilter = &filter;
  out.xNext = &next;
  out.xEof = &eof;
  out.xColumn = &column;
  out.xRowid = &row_id;
  return out;
}

}  // namespace

result<void> add_tables(sqlite3* to, work& of) {
  static const sqlite3_module module = module_of_tables();
  for (const table each : all_tables) {
    const int code =
        sqlite3_create_module_v2(to, std::string(name(each)).c_str(), &module, new table_source{&of, each},
                                 [](void* source) { delete static_cast<table_source*>(source); });
    if (code != SQLITE_OK) return fail(error_code::out_of_memory, error::no_offset, sqlite3_errstr(code));
  }
  return {};
}

}  // namespace tickreel::query
