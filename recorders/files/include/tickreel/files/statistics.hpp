// Player statistics of all formats: one row per player and match, and sums over rows.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tickreel::files {

// The columns in display order. Append new ones at the end.
enum class statistic : std::uint8_t {
  time_s,
  // Echo VR
  points,
  goals,
  goals_slam_dunk,
  goals_inside_shot,
  goals_long_shot,
  goals_bounce_shot,
  goals_long_bounce_shot,
  goals_headbutt,
  goals_long_headbutt,
  goals_bumper_shot,
  goals_long_bumper_shot,
  goals_self,
  goals_other,
  assists,
  saves,
  stuns,
  steals,
  blocks,
  interceptions,
  passes,
  catches,
  shots,
  shot_speed_mps,
  top_shot_speed_mps,
  throws,
  top_throw_speed_mps,
  possession_s,
  distance_m,
  speed_mps,
  top_speed_mps,
  fast_s,
  ping_ms,
  top_ping_ms,
  // StarCraft II and .icrep
  actions,
  apm,
  units_created,
  units_lost,
  units_killed,
  workers_created,
  top_workers,
  top_supply,
  supply_blocked_s,
  income_per_minute,
  unspent,
  spending_quotient,
  top_army_value,
  minerals_lost,
  vespene_lost,
  upgrades,
  collected,
  spent,
  // DotA
  kills,
  deaths,
  creeps,
  denies,
  neutrals,
  level,
  gold,
  item_gold,
};
inline constexpr std::size_t statistic_count = static_cast<std::size_t>(statistic::item_gold) + 1;

// How values of several rows are combined.
enum class together : std::uint8_t {
  sum,
  highest,
  mean,  // weighted by statistic_column::weight, over the rows that have both
};

struct statistic_column {
  std::string_view name;  // as in CSV and JSON; never changes
  together how = together::sum;
  statistic weight = statistic::time_s;
};
[[nodiscard]] const statistic_column& column_of(statistic which) noexcept;

// Values per minute, for charts: "apm", "workers".
using series = std::pair<std::string_view, std::vector<double>>;

struct build_entry {
  std::int64_t time_ms = 0;  // of the game clock
  double supply = 0;
  std::string_view kind;  // started, completed, morphed, researched
  std::string name;
  bool cancelled = false;
};

// One player in one match.
struct player_row {
  std::string player;
  std::string id;  // userid, handle or slot: the format's identity of a player; may be empty
  std::string team;
  std::string result;  // won, lost, tie; empty if unknown
  std::array<std::optional<double>, statistic_count> values{};
  // The recording lacks the beginning of the match: the player's counters were above 0 in its first tick.
  bool partial = false;
  // Played by the computer; sums exclude it.
  bool computer = false;
  // Values that depend on missing ticks and may be wrong.
  std::bitset<statistic_count> uncertain;
  std::vector<series> by_minute;
  std::vector<build_entry> build_order;

  void set(statistic which, double value) { values[static_cast<std::size_t>(which)] = value; }
  [[nodiscard]] const std::optional<double>& get(statistic which) const {
    return values[static_cast<std::size_t>(which)];
  }
  void doubt(statistic which) { uncertain.set(static_cast<std::size_t>(which)); }
  // Marks every existing value as uncertain.
  void doubt_all();
};

struct match_rows {
  std::string format;
  std::string session;
  bool has_match_id = false;  // `session` identifies exactly this match
  std::string map;
  std::string cut_from;                                   // of a clip: its recorded origin
  std::optional<std::int64_t> started_ms = std::nullopt;  // since 1970, by the recording's clock
  std::int64_t duration_ms = 0;
  // The clock of durations and rates, for formats with several clocks: "game time, Faster".
  std::string clock = {};
  std::vector<player_row> players;
};

// At most three decimals, without trailing zeros; empty without a value.
[[nodiscard]] std::string statistic_text(const std::optional<double>& value);
// The columns for which any row has a value, in order.
[[nodiscard]] std::vector<statistic> columns_in_use(const std::vector<const player_row*>& rows);

// Sums rows by player. Rows belong to one player if the id, or without an id the name, and the format are
// equal. Memory grows with the number of players and of matches in several parts. One thread at a time.
class statistics_sums {
 public:
  struct entry {
    player_row row;  // sums; id and team of the last row; `result` is empty
    std::string format;
    std::uint64_t games = 0;
    std::uint64_t won = 0;
    std::uint64_t lost = 0;
  };
  // `parts_of` is equal for the parts of one match in several recordings: the match counts once.
  void add(const match_rows& match, std::optional<std::size_t> parts_of = std::nullopt);
  // By number of games, descending, then by name.
  [[nodiscard]] std::vector<const entry*> by_player() const;
  // All players of all formats.
  [[nodiscard]] const entry& all() const noexcept { return all_.sums; }

 private:
  struct outcome {
    bool played = false, won = false, lost = false;
  };
  struct account {
    entry sums;
    std::array<double, statistic_count> weights{};
    std::map<std::size_t, outcome> matches;  // that have several parts
  };
  static void add_outcome(const outcome& more, entry& to);
  static void add_values(const player_row& row, account& to);
  std::map<std::pair<std::string, std::string>, account> players_;
  account all_;
};

}  // namespace tickreel::files
