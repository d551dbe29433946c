// The index of a library: the tables library_games and library_players, and events and columns of unchanged files.
//
// The statement has no access to the index: connections of their own that can only read give the rows, for the SELECTs
// of Tickreel. Another one writes columns, if the caller asks for it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rows.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/library/indexed_content.hpp"
#include "tickreel/library/sqlite.hpp"
#include "tickreel/query/query.hpp"
#include "tickreel/result.hpp"
#include "tickreel/workers/mutex.hpp"

struct sqlite3;

namespace tickreel::query {

class work;

class library_index {
 public:
  // Errors as library::open_to_read(), and as open_to_write() if it `keeps_columns`.
  static result<std::unique_ptr<library_index>> open(const file_path& database, bool keeps_columns, work& of);

  [[nodiscard]] library::connection& connection() noexcept { return connection_; }
  // At least as many as there are.
  [[nodiscard]] std::int64_t games() const noexcept { return games_; }
  // The name of an input whose path in the index this is; otherwise the path.
  [[nodiscard]] std::string_view name_of(std::string_view path) const;
  // The paths in the index that an input with this name may have.
  [[nodiscard]] std::vector<std::string> paths_of(std::string_view name) const;

  // The others are thread-safe.

  // All events of a file within the limits, and perhaps others; with their JSON, if it is needed. Null: they must be read
  // from the file.
  [[nodiscard]] std::shared_ptr<const event_list> events(const input& of, const limits& within,
                                                         bool needs_json) const;
  // Of ticks or players. Null: they must be read from the file. `open_file`: for a part of rows with losses.
  [[nodiscard]] std::unique_ptr<file_rows> open_kept_rows(const request& what, const input& from,
                                                          rows_opener open_file) const;
  // Rows of the file whose columns are kept in the index when all were read, if the caller asks for it.
  [[nodiscard]] std::unique_ptr<file_rows> keep_rows(const request& what, const input& from,
                                                     std::unique_ptr<file_rows> rows);
  // Sentences about columns that were not kept, after the statement.
  [[nodiscard]] std::vector<std::string> keeping_notes() const;

 private:
  explicit library_index(library::connection index) : connection_(std::move(index)) {}
  [[nodiscard]] library::indexed_recording recording_of(const input& from) const {
    return {paths_of(from.file), from.object};
  }

  library::connection connection_;
  // Not a unique_ptr, because builds without files lack its destructor.
  std::shared_ptr<library::indexed_content> content_;
  std::int64_t games_ = 0;
  // Of inputs.
  std::map<std::string, std::string, std::less<>> names_;       // by path
  std::multimap<std::string, std::string, std::less<>> paths_;  // by name
  struct {
    bool is_asked = false;
    workers::mutex mutex = {};
    std::set<std::string> scans = {};      // file and columns
    std::set<std::string> unindexed = {};  // files
    std::uint64_t long_columns = 0;
    std::optional<error> failure = std::nullopt;
  } keeping_;
};

[[nodiscard]] bool is_library_table(std::string_view word) noexcept;
[[nodiscard]] std::vector<std::string_view> library_table_names();

// `of` and `from` must outlive the connection `to`.
result<void> add_library_tables(sqlite3* to, work& of, library_index& from);

}  // namespace tickreel::query
