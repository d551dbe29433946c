// SQL over recordings: one SELECT on the tables recordings, ticks, players, events and statistics, which
// docs/query.md describes. Files are read while the statement runs; the statement writes nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tickreel/files/distant_files.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::query {

// Null, a number or a text.
using value = std::variant<std::monostate, std::int64_t, double, std::string>;

struct input {
  std::string file;              // the value of the column `recording`
  bool found_in_folder = false;  // skipped without an error if it is not a recording
  // Of an object of a store, as the store lists it: whether it is the one that the library's scan read.
  std::optional<files::object_version> object = std::nullopt;
  // The recording, if it is not in a file. One thread at a time reads it, so it is the only input.
  std::optional<byte_source> bytes = std::nullopt;
};

struct options {
  std::size_t threads = 0;  // that read files; 0: the number of processors
  // Limits of the statement. 0: no limit; a longer one than 30 years is none, either.
  std::uint64_t max_duration_ms = 300'000;
  // SQLite's memory, for sorting and grouping. The limit is the process's: one statement at a time.
  std::uint64_t max_memory_bytes = std::uint64_t{1} << 30;
  // True: stop with the error interrupted. Called by several threads.
  std::function<bool()> cancelled = {};
  // Also a statement that reads no file reports those that cannot be opened.
  bool opens_all_files = false;
  // The index of a library, for the tables library_games and library_players, and for events and kept columns of files
  // that are unchanged since its scan. Empty: without it.
  file_path library = {};
  // Store the columns of ticks and players that are read from whole recordings in the index, which is otherwise only
  // read. permission_denied if it cannot be written.
  bool keeps_columns = false;
};

struct receiver {
  // Called once, before the first row. Returns false to stop.
  std::function<bool(const std::vector<std::string>& names)> columns;
  // Returns false to stop.
  std::function<bool(const std::vector<value>& row)> row;
};

// Losses in a file, or the reason why it cannot be read.
struct file_note {
  std::string file;
  std::optional<error> failure = std::nullopt;
  std::vector<std::string> losses = {};
};

// The part of a file that was read.
struct file_part {
  std::string file;
  std::uint64_t scans = 0;
  std::uint64_t index_scans = 0;  // of those: rows from the index of the library, without opening the file
  std::uint64_t rows = 0;         // given to SQLite
  std::uint64_t ticks = 0;        // of ticks and players: read from the file
  std::optional<std::uint64_t> first_tick = std::nullopt;
  std::optional<std::uint64_t> last_tick = std::nullopt;
};
// Everything that was read for one table with the same columns.
struct table_part {
  std::string table;
  std::vector<std::string> columns;
  std::vector<file_part> files;
};

// What a column of the result is in its table. Empty for the value of an expression.
struct column_origin {
  std::string type = {};   // of a fixed column: "INTEGER", "REAL" or "TEXT"
  std::string table = {};  // of a column by path
  std::string path = {};
};

struct report {
  std::uint64_t rows = 0;
  std::vector<file_note> files = {};    // in the order of the inputs; only files with losses or failures
  std::vector<std::string> notes = {};  // sentences about the statement
  std::vector<table_part> parts = {};
  std::uint64_t not_recordings = 0;         // inputs found in folders
  std::vector<column_origin> columns = {};  // of the result
};

// Runs one SELECT. `about` is complete up to the error, if one is returned: invalid_argument for a statement
// that SQLite rejects, and `problem` is then its message; timed_out, out_of_memory, over_limit for a statement
// that exceeds a limit; interrupted. The first value of out_of_memory is max_memory_bytes, or 0 if the system refused
// the memory. A file that cannot be read ends up in `about` and does not end the
// statement.
result<void> run(std::string_view sql, const std::vector<input>& inputs, const options& how,
                 const receiver& to, report& about, std::string& problem);

// Most columns by path that a statement can name.
inline constexpr std::size_t max_paths = 200;

// Whether a word is the name of a table.
[[nodiscard]] bool is_table(std::string_view word) noexcept;

// A SELECT of all columns of a table, except the JSON of its rows: one for each member, with the path as its name.
// Arrays of at most 16 values have a column per element; other arrays are JSON. Objects are JSON where there were
// more than max_paths columns otherwise. The JSON of the rows is a column, too, if a member has none: its path is too
// long, or equals another one in SQL. Reads the files to learn the members; errors as of run().
result<std::string> select_all(std::string_view table_name, const std::vector<input>& inputs,
                               const options& how, std::string& problem);

}  // namespace tickreel::query
