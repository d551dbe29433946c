// The tables and their fixed columns. Other columns are paths: members of the JSON of a row.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tickreel/query/query.hpp"

namespace tickreel::query {

enum class table : std::uint8_t { recordings, ticks, players, events, statistics };
inline constexpr std::array all_tables = {table::recordings, table::ticks, table::players, table::events,
                                          table::statistics};
[[nodiscard]] std::string_view name(table which) noexcept;
[[nodiscard]] std::optional<table> find_table(std::string_view word) noexcept;
// Whether it has columns by path.
[[nodiscard]] constexpr bool has_paths(table which) noexcept {
  return which != table::statistics;
}

struct fixed_column {
  std::string_view name;
  std::string_view type;  // of SQL
};
[[nodiscard]] std::span<const fixed_column> fixed_columns(table which);

// The numbers of fixed columns.
namespace recordings_column {
enum : int {
  recording,
  format,
  format_version,
  bytes,
  ticks,
  duration_ms,
  started,
  session,
  map,
  mode,
  result,
  health,
  info
};
}
namespace ticks_column {
enum : int { recording, tick, time_ms, state };
}
namespace players_column {
enum : int { recording, tick, time_ms, team, player, id, state };
}
namespace events_column {
enum : int { recording, tick, time_ms, type, event };
}
namespace statistics_column {
enum : int {
  recording,
  match,
  format,
  session,
  map,
  started,
  duration_ms,
  player,
  id,
  team,
  result,
  partial,
  uncertain,
  first_statistic
};
}
// The same in every table that has ticks.
inline constexpr int recording_column = 0;
inline constexpr int tick_column = 1;
inline constexpr int time_column = 2;

// CREATE TABLE for SQLite. `paths`: the names of further columns.
[[nodiscard]] std::string declaration(table which, std::span<const std::string> paths);
// The column of a table that a column of a result is, from its type in SQL.
[[nodiscard]] column_origin origin_of(std::string_view declared, std::span<const std::string> paths);
// The name of a column, fixed or path.
[[nodiscard]] std::string column_name(table which, int column, std::span<const std::string> paths);

}  // namespace tickreel::query
