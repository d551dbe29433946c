#include "tickreel/library/sqlite.hpp"

#include <cstddef>

#include <sqlite3.h>

namespace tickreel::library {

namespace {

tl::unexpected<error> failure(int code) noexcept {
  // The texts of sqlite3_errstr() are static.
  const char* const detail = sqlite3_errstr(code);
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return fail(error_code::in_use, error::no_offset, detail);
    case SQLITE_FULL:
      return fail(error_code::no_space, error::no_offset, detail);
    case SQLITE_CANTOPEN:
      return fail(error_code::not_found, error::no_offset, detail);
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_AUTH:
      return fail(error_code::permission_denied, error::no_offset, detail);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return fail(error_code::malformed, error::no_offset, detail);
    case SQLITE_NOMEM:
      return fail(error_code::out_of_memory, error::no_offset, detail);
    case SQLITE_TOOBIG:
      return fail(error_code::over_limit, error::no_offset, detail);
    case SQLITE_INTERRUPT:
      return fail(error_code::interrupted);
    case SQLITE_ERROR:
    case SQLITE_RANGE:
    case SQLITE_MISUSE:
      return fail(error_code::invalid_argument, error::no_offset, detail);
    default:
      return fail(error_code::io_failed, error::no_offset, detail);
  }
}

// "file:/a%20b?immutable=1"
std::string immutable_uri(const std::string& path) {
  constexpr std::string_view plain = "/._-~:";
  std::string out = "file:";
#ifdef _WIN32
  out += "///";
#endif
  for (const char each : path) {
    const bool kept = (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
                      (each >= '0' && each <= '9') || plain.find(each) != std::string_view::npos;
#ifdef _WIN32
    if (each == '\\') {
      out += '/';
      continue;
    }
#endif
    if (kept) {
      out += each;
      continue;
    }
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto value = static_cast<unsigned char>(each);
    out += '%';
    out += digits[value >> 4];
    out += digits[value & 15];
  }
  return out + "?immutable=1";
}

int refuse_all_but_reading(void*, int action, const char*, const char* function, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      // The last one shows an address of the program.
      return function != nullptr && (std::string_view(function) == "load_extension" ||
                                     std::string_view(function) == "fts3_tokenizer")
                 ? SQLITE_DENY
                 : SQLITE_OK;
    default:
      return SQLITE_DENY;
  }
}

}  // namespace

statement::~statement() {
  sqlite3_finalize(handle_);
}

statement& statement::bind(int place, std::int64_t value) noexcept {
  if (const int code = sqlite3_bind_int64(handle_, place, value); code != SQLITE_OK) bind_problem_ = code;
  return *this;
}

statement& statement::bind(int place, std::optional<std::int64_t> value) noexcept {
  if (value) return bind(place, *value);
  if (const int code = sqlite3_bind_null(handle_, place); code != SQLITE_OK) bind_problem_ = code;
  return *this;
}

statement& statement::bind_text(int place, std::string_view value) noexcept {
  const int code = sqlite3_bind_text64(handle_, place, value.data() == nullptr ? "" : value.data(),
                                       value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  if (code != SQLITE_OK) bind_problem_ = code;
  return *this;
}

statement& statement::bind_blob(int place, std::string_view value) noexcept {
  const int code = sqlite3_bind_blob64(handle_, place, value.data() == nullptr ? "" : value.data(),
                                       value.size(), SQLITE_TRANSIENT);
  if (code != SQLITE_OK) bind_problem_ = code;
  return *this;
}

result<bool> statement::step() noexcept {
  if (bind_problem_ != 0) return failure(std::exchange(bind_problem_, 0));
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return failure(code);
}

result<void> statement::run() noexcept {
  const auto done = step();
  reset();
  if (!done) return fail(done.error());
  return {};
}

void statement::reset() noexcept {
  sqlite3_reset(handle_);
}

std::int64_t statement::integer(int column) const noexcept {
  return sqlite3_column_int64(handle_, column);
}
std::optional<std::int64_t> statement::optional_integer(int column) const noexcept {
  if (is_null(column)) return std::nullopt;
  return integer(column);
}
std::string_view statement::text(int column) const noexcept {
  // The bytes of a blob, unchanged.
  const void* const bytes = sqlite3_column_blob(handle_, column);
  const int size = sqlite3_column_bytes(handle_, column);
  return bytes == nullptr ? std::string_view()
                          : std::string_view(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
}
bool statement::is_null(int column) const noexcept {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}
int statement::columns() const noexcept {
  return sqlite3_column_count(handle_);
}
std::string_view statement::column_name(int column) const noexcept {
  const char* const name = sqlite3_column_name(handle_, column);
  return name == nullptr ? std::string_view() : name;
}
bool statement::only_reads() const noexcept {
  return sqlite3_stmt_readonly(handle_) != 0;
}

statement::kind statement::kind_of(int column) const noexcept {
  switch (sqlite3_column_type(handle_, column)) {
    case SQLITE_INTEGER:
      return kind::integer;
    case SQLITE_FLOAT:
      return kind::real;
    case SQLITE_TEXT:
      return kind::text;
    case SQLITE_BLOB:
      return kind::blob;
    default:
      return kind::null;
  }
}
double statement::real(int column) const noexcept {
  return sqlite3_column_double(handle_, column);
}

result<connection> connection::open(const file_path& path, access how, int timeout_ms) {
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  std::string name = path.utf8();
  switch (how) {
    case access::read_only:
      flags |= SQLITE_OPEN_READONLY;
      break;
    case access::read_write:
      flags |= SQLITE_OPEN_READWRITE;
      break;
    case access::create:
      flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
      break;
    case access::immutable:
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
      name = immutable_uri(name);
      break;
    case access::memory:
      flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY;
      name = ":memory:";
      break;
  }
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
  connection out(handle);
  if (code != SQLITE_OK) return failure(code);
  sqlite3_busy_timeout(handle, timeout_ms);
  return out;
}

bool connection::is_read_only() const noexcept {
  return sqlite3_db_readonly(handle_, "main") == 1;
}

connection::~connection() {
  sqlite3_close_v2(handle_);
}

result<void> connection::run(const char* sql) noexcept {
  const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return failure(code);
  return {};
}

result<statement> connection::prepare(std::string_view sql, std::string* problem) noexcept {
  sqlite3_stmt* handle = nullptr;
  const char* rest = nullptr;
  const int code = sqlite3_prepare_v2(handle_, sql.data(), static_cast<int>(sql.size()), &handle, &rest);
  if (code != SQLITE_OK) {
    if (problem != nullptr) *problem = sqlite3_errmsg(handle_);
    return failure(code);
  }
  statement out(handle);
  const std::string_view remaining = sql.substr(static_cast<std::size_t>(rest - sql.data()));
  const bool more = remaining.find_first_not_of(" \t\r\n;") != std::string_view::npos;
  if (handle == nullptr || more) {
    if (problem != nullptr)
      *problem = handle == nullptr ? "there is no statement" : "more than one statement";
    return fail(error_code::invalid_argument, error::no_offset, "not one statement");
  }
  return out;
}

std::int64_t connection::last_id() const noexcept {
  return sqlite3_last_insert_rowid(handle_);
}
std::int64_t connection::changes() const noexcept {
  return sqlite3_changes64(handle_);
}

result<std::int64_t> connection::number(const char* sql) noexcept {
  auto asked = prepare(sql);
  if (!asked) return fail(asked.error());
  const auto row = asked->step();
  if (!row) return fail(row.error());
  return *row ? asked->integer(0) : 0;
}

void connection::only_read() noexcept {
  sqlite3_set_authorizer(handle_, &refuse_all_but_reading, nullptr);
}

result<transaction> transaction::begin(connection& of) noexcept {
  if (auto begun = of.run("BEGIN IMMEDIATE"); !begun) return fail(begun.error());
  return transaction(of);
}

transaction::~transaction() {
  if (of_ != nullptr) (void)of_->run("ROLLBACK");
}

result<void> transaction::commit() noexcept {
  auto done = of_->run("COMMIT");
  // Still open if another program locked the file too long; the destructor then rolls back.
  if (done) of_ = nullptr;
  return done;
}

}  // namespace tickreel::library
