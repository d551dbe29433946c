#include "checked_printf.hpp"

#include <sqlite3.h>

#include <map>
#include <memory>
#include <string>

#include "guarded.hpp"
#include "rows.hpp"
#include "tickreel/library/sqlite.hpp"

namespace tickreel::query {

namespace {

struct statement_deleter {
  void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
};

// Calls the function of SQLite in a database of its own.
class sqlite_printf {
 public:
  static void call(sqlite3_context* context, int count, sqlite3_value** arguments) {
    const int code = guarded([&] {
      answer(context, count, arguments);
      return SQLITE_OK;
    });
    if (code != SQLITE_OK) sqlite3_result_error_code(context, code);
  }

 private:
  static void answer(sqlite3_context* context, int count, sqlite3_value** arguments) {
    // As SQLite, which returns NULL for an empty format, too.
    if (count == 0 || sqlite3_value_bytes(arguments[0]) == 0) return sqlite3_result_null(context);
    auto& self = *static_cast<sqlite_printf*>(sqlite3_user_data(context));
    sqlite3_stmt* const statement = self.prepared(count);
    if (statement == nullptr) return sqlite3_result_error_nomem(context);
    int code = SQLITE_OK;
    for (int i = 0; i < count && code == SQLITE_OK; ++i)
      code = sqlite3_bind_value(statement, i + 1, arguments[i]);
    if (code == SQLITE_OK) code = sqlite3_step(statement);
    if (code != SQLITE_ROW) {
      sqlite3_result_error_code(context, code);
    } else if (sqlite3_column_type(statement, 0) == SQLITE_NULL) {
      sqlite3_result_error_toobig(context);
    } else {
      const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
      const int bytes = sqlite3_column_bytes(statement, 0);
      sqlite3_result_text(context, text + added_bytes, bytes - added_bytes, SQLITE_TRANSIENT);
    }
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
  }

  // Of the character that is put before the format: the result is never empty, so NULL means that it is too long.
  static constexpr int added_bytes = 1;

  // Null without memory.
  sqlite3_stmt* prepared(int count) {
    auto& known = by_count_[count];
    if (known) return known.get();
    if (!in_) {
      auto made = library::connection::open({}, library::connection::access::memory);
      if (!made) return nullptr;
      in_ = std::make_unique<library::connection>(std::move(*made));
      sqlite3_limit(in_->handle(), SQLITE_LIMIT_LENGTH, static_cast<int>(max_text_bytes) + added_bytes);
    }
    std::string sql = "SELECT printf('x' || ?";
    for (int i = 1; i < count; ++i) sql += ",?";
    sql += ')';
    sqlite3_stmt* made = nullptr;
    if (sqlite3_prepare_v2(in_->handle(), sql.c_str(), -1, &made, nullptr) != SQLITE_OK) return nullptr;
    known.reset(made);
    return made;
  }

  std::unique_ptr<library::connection> in_;
  std::map<int, std::unique_ptr<sqlite3_stmt, statement_deleter>> by_count_;  // before `in_` is closed
};

}  // namespace

result<void> add_checked_printf(sqlite3* to) {
  for (const char* const name : {"printf", "format"}) {
    // SQLite deletes it, also if this fails.
    const int code = sqlite3_create_function_v2(
        to, name, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, new sqlite_printf,
        &sqlite_printf::call, nullptr, nullptr, [](void* self) { delete static_cast<sqlite_printf*>(self); });
    if (code != SQLITE_OK) return fail(error_code::out_of_memory, error::no_offset, sqlite3_errstr(code));
  }
  return {};
}

}  // namespace tickreel::query
