// The tables library_games and library_players, which are read from the index of a library.
//
// The statement has no access to the index: a connection of its own that can only read gives the rows, for the SELECT
// of this file.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/io/path.hpp"
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

 private:
  explicit library_index(library::connection index) : connection_(std::move(index)) {}

  library::connection connection_;
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
