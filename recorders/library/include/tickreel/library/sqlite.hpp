// SQLite with results instead of codes. Values from outside are always bound, never concatenated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace tickreel::library {

// A prepared statement. step() returns rows; reset() prepares it for the next run.
class statement {
 public:
  statement() = default;
  explicit statement(sqlite3_stmt* handle) noexcept : handle_(handle) {}
  statement(statement&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  statement& operator=(statement&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~statement();

  // Places count from 1. Texts and blobs are copied. After a failed bind the next step fails.
  statement& bind(int place, std::int64_t value) noexcept;
  statement& bind(int place, std::optional<std::int64_t> value) noexcept;
  statement& bind_text(int place, std::string_view value) noexcept;
  statement& bind_blob(int place, std::string_view value) noexcept;

  // True while there is a row.
  result<bool> step() noexcept;
  // For statements without rows: steps once and resets.
  result<void> run() noexcept;
  void reset() noexcept;

  // Of the current row, counted from 0. Texts are valid until the next step.
  [[nodiscard]] std::int64_t integer(int column) const noexcept;
  [[nodiscard]] std::optional<std::int64_t> optional_integer(int column) const noexcept;
  [[nodiscard]] std::string_view text(int column) const noexcept;
  [[nodiscard]] bool is_null(int column) const noexcept;
  [[nodiscard]] int columns() const noexcept;
  [[nodiscard]] std::string_view column_name(int column) const noexcept;
  [[nodiscard]] bool only_reads() const noexcept;
  enum class kind : std::uint8_t { null, integer, real, text, blob };
  [[nodiscard]] kind kind_of(int column) const noexcept;
  [[nodiscard]] double real(int column) const noexcept;

 private:
  sqlite3_stmt* handle_ = nullptr;
  int bind_problem_ = 0;
};

class connection {
 public:
  enum class access : std::uint8_t {
    read_only,
    read_write,
    create,
    // For a file in a read-only folder: SQLite creates no files beside it, so no other program may write it
    // meanwhile.
    immutable,
    // An empty database of this connection alone; `path` is ignored.
    memory,
  };
  // Waits up to `timeout_ms` for other programs that lock the file.
  static result<connection> open(const file_path& path, access how, int timeout_ms = 30'000);

  connection(connection&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  connection& operator=(connection&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~connection();

  // Several statements without values.
  result<void> run(const char* sql) noexcept;
  // One statement; `problem` receives SQLite's message if it is invalid.
  result<statement> prepare(std::string_view sql, std::string* problem = nullptr) noexcept;
  [[nodiscard]] std::int64_t last_id() const noexcept;
  [[nodiscard]] std::int64_t changes() const noexcept;
  // The single number that a statement returns.
  result<std::int64_t> number(const char* sql) noexcept;
  // Whether the file was opened read-only, which is also the fallback for a write-protected file.
  [[nodiscard]] bool is_read_only() const noexcept;
  // From now on rejects other databases and all writes.
  void only_read() noexcept;
  // For functions of SQLite that this class lacks.
  [[nodiscard]] sqlite3* handle() const noexcept { return handle_; }

 private:
  explicit connection(sqlite3* handle) noexcept : handle_(handle) {}
  sqlite3* handle_ = nullptr;
};

// Rolls back unless committed.
class transaction {
 public:
  // Locks for writing immediately, so that two writers wait for each other instead of failing later.
  static result<transaction> begin(connection& of) noexcept;
  transaction(transaction&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
  transaction& operator=(transaction&&) = delete;
  ~transaction();
  result<void> commit() noexcept;

 private:
  explicit transaction(connection& of) noexcept : of_(&of) {}
  connection* of_ = nullptr;
};

}  // namespace tickreel::library
