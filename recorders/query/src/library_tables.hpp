// What the index of a library gives: the tables library_games and library_players, and events of unchanged files.
//
// The statement has no access to the index: connections of their own that can only read give the rows, for the SELECTs
// of Tickreel.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rows.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/library/index_reader.hpp"
#include "tickreel/library/sqlite.hpp"
#include "tickreel/query/query.hpp"
#include "tickreel/result.hpp"

struct sqlite3;

namespace tickreel::query {

class work;

class library_index {
 public:
  // Errors as library::open_to_read().
  static result<std::unique_ptr<library_index>> open(const file_path& database, work& of);

  [[nodiscard]] library::connection& connection() noexcept { return connection_; }
  // At least as many as there are.
  [[nodiscard]] std::int64_t games() const noexcept { return games_; }
  // The name of an input whose path in the index this is; otherwise the path.
  [[nodiscard]] std::string_view name_of(std::string_view path) const;
  // The paths in the index that an input with this name may have.
  [[nodiscard]] std::vector<std::string> paths_of(std::string_view name) const;
  // See request::indexed_events. Thread-safe.
  [[nodiscard]] std::shared_ptr<const event_list> events(const input& of, const limits& within,
                                                         bool needs_json) const;

 private:
  explicit library_index(library::connection index) : connection_(std::move(index)) {}

  library::connection connection_;
  std::unique_ptr<library::indexed_events> events_;
  std::int64_t games_ = 0;
  // Of inputs.
  std::map<std::string, std::string, std::less<>> names_;       // by path
  std::multimap<std::string, std::string, std::less<>> paths_;  // by name
};

[[nodiscard]] bool is_library_table(std::string_view word) noexcept;
[[nodiscard]] std::vector<std::string_view> library_table_names();

// `of` and `from` must outlive the connection `to`.
result<void> add_library_tables(sqlite3* to, work& of, library_index& from);

}  // namespace tickreel::query
