#include "tickreel/library/statistics.hpp"

#include <vector>

#include "filter.hpp"
#include "state.hpp"
#include "tickreel/files/session_choice.hpp"

namespace tickreel::library {

namespace {

std::string chosen_games(const filter& conditions) {
  // `whole` is the same number for all parts of a match: the id of its longest part.
  return "WITH fitting AS (SELECT g.id, g.map, g.duration_ms, g.file, f.format FROM games g "
         "JOIN files f ON f.id = g.file" +
         conditions.where() +
         "), chosen AS (SELECT fitting.*, counted.whole FROM fitting JOIN temp.counted_games counted "
         "ON counted.id = fitting.id) ";
}

template <class Row>
result<void> for_each_row(connection& index, const std::string& sql, const filter& conditions,
                          const Row& row) {
  auto asked = index.prepare(sql);
  if (!asked) return fail(asked.error());
  (void)conditions.bind(*asked);
  for (;;) {
    const auto more = asked->step();
    if (!more) return fail(more.error());
    if (!*more) return {};
    row(*asked);
  }
}

std::uint64_t count_at(const statement& row, int column) {
  return static_cast<std::uint64_t>(row.integer(column));
}

// Fills temp.counted_games with the games that count by files::choose_recordings(). Games without a session
// count once per content. StarCraft II names its maps in the player's language.
result<void> choose_games(connection& index, const filter& conditions) {
  std::vector<std::int64_t> ids;
  std::vector<files::session_recording> all;
  auto read =
      for_each_row(index,
                   "SELECT g.id, f.path, g.duration_ms, f.health NOT IN ('whole', 'unread'), g.cut_from, "
                   "CASE WHEN g.session <> '' THEN g.session WHEN f.hash = 0 THEN '' ELSE "
                   "'content ' || f.hash || ' ' || f.bytes || ' ' || g.place END, "
                   "CASE WHEN f.format = 'sc2replay' THEN '' ELSE g.map END, g.session <> '', g.started_ms "
                   "FROM games g JOIN files f ON f.id = g.file" +
                       conditions.where() + " ORDER BY f.path, g.place",
                   conditions, [&](const statement& row) {
                     ids.push_back(row.integer(0));
                     files::session_recording& one = all.emplace_back();
                     one.name = row.text(1);
                     one.started_ms = row.optional_integer(8);
                     one.duration_ms = row.integer(2);
                     one.has_losses = row.integer(3) != 0;
                     one.is_clip = !row.text(4).empty() ||
                                   (row.integer(7) != 0 && files::has_clip_name(file_path(one.name)));
                     one.match = files::match_key(row.text(5), row.text(6));
                   });
  if (!read) return read;
  auto made = index.run(
      "CREATE TEMP TABLE IF NOT EXISTS counted_games (id INTEGER PRIMARY KEY, whole INTEGER NOT NULL); "
      "DELETE FROM temp.counted_games;");
  if (!made) return made;
  auto put = index.prepare("INSERT INTO temp.counted_games (id, whole) VALUES (?1, ?2)");
  if (!put) return fail(put.error());
  const auto choices = files::choose_recordings(all);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i].outcome != files::choice::counts) continue;
    if (auto done = put->bind(1, ids[i]).bind(2, ids[choices[i].chosen]).run(); !done) return done;
  }
  return {};
}

}  // namespace

result<statistics> catalogue::stats(const query& what) const {
  statistics out;
  const filter conditions(what);
  const std::string chosen = chosen_games(conditions);
  connection& index = state_->index;
  if (auto counted = choose_games(index, conditions); !counted) return fail(counted.error());
  auto done = for_each_row(index, chosen + "SELECT count(DISTINCT whole), sum(duration_ms) FROM chosen",
                           conditions, [&](const statement& row) {
                             out.games = count_at(row, 0);
                             out.played_ms = row.integer(1);
                           });
  if (!done) return fail(done.error());
  done = for_each_row(index,
                      "SELECT count(*), sum(health NOT IN ('whole', 'unread')) FROM (SELECT DISTINCT f.id, "
                      "f.health FROM games g "
                      "JOIN files f ON f.id = g.file" +
                          conditions.where() + ")",
                      conditions, [&](const statement& row) {
                        out.files = count_at(row, 0);
                        out.damaged_files = count_at(row, 1);
                      });
  if (!done) return fail(done.error());
  done = for_each_row(
      index,
      chosen +
          // Several players of one name in a game have played one game; if they were on both sides, it is
          // neither won nor lost. Observers and computers are excluded.
          "SELECT max(name), count(*), sum(won > lost), sum(won < lost), sum(duration_ms) FROM "
          "(SELECT name_key, max(name) AS name, max(won) AS won, max(lost) AS lost, "
          "sum(duration_ms) AS duration_ms FROM "
          "(SELECT c.whole, p.name_key, max(p.name) AS name, coalesce(max(p.won = 1), 0) AS won, "
          "coalesce(max(p.won = 0), 0) AS lost, c.duration_ms FROM chosen c JOIN players p ON p.game = c.id "
          "WHERE p.name_key <> '' AND p.team <> 'spectator' "
          "AND instr(p.statistics, '\"type\":\"computer\"') = 0 GROUP BY c.id, p.name_key) "
          "GROUP BY whole, name_key) GROUP BY name_key ORDER BY 2 DESC, 5 DESC, 1",
      conditions, [&](const statement& row) {
        out.by_player.push_back(
            {std::string(row.text(0)), count_at(row, 1), count_at(row, 2), count_at(row, 3), row.integer(4)});
      });
  if (!done) return fail(done.error());
  out.players = out.by_player.size();
  done = for_each_row(
      index,
      chosen +
          "SELECT map, count(DISTINCT whole), sum(duration_ms) FROM chosen WHERE map <> '' GROUP BY map "
          "ORDER BY 3 DESC, 2 DESC, 1",
      conditions, [&](const statement& row) {
        out.by_map.push_back({std::string(row.text(0)), count_at(row, 1), row.integer(2), 0});
      });
  if (!done) return fail(done.error());
  // Each file counts with its bytes, and each game once, for the format of its longest recording.
  done = for_each_row(
      index,
      chosen +
          "SELECT format, sum(games), sum(played), sum(bytes) FROM (SELECT f.format, f.bytes, "
          "coalesce(sum(c.id = c.whole), 0) AS games, coalesce(sum(c.duration_ms), 0) AS played FROM files f "
          "JOIN (SELECT DISTINCT file "
          "FROM fitting) AS held ON held.file = f.id LEFT JOIN chosen c ON c.file = f.id GROUP BY f.id) "
          "GROUP BY format ORDER BY 2 DESC, 1",
      conditions, [&](const statement& row) {
        out.by_format.push_back(
            {std::string(row.text(0)), count_at(row, 1), row.integer(2), count_at(row, 3)});
      });
  if (!done) return fail(done.error());
  return out;
}

}  // namespace tickreel::library
