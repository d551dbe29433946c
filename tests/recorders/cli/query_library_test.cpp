// tickreel query --library: the index of a library joins with the recordings, and no statement changes it.
#include <boost/test/unit_test.hpp>

#include "fixtures.hpp"
#include "query_rows.hpp"
#include "tickreel/library/sqlite.hpp"

BOOST_AUTO_TEST_SUITE(cli_query_tests)
BOOST_AUTO_TEST_SUITE(query_library_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

// Three matches with names that need care, and their index.
struct indexed_season {
  scratch_folder folder;
  std::string season;
  std::string index;
  std::vector<std::string> names;

  indexed_season() : season(folder / "season"), index(folder / "index.db") {
    std::filesystem::create_directory(season);
#ifdef _WIN32
    names = {"a.butter", "it's b.echoreplay", "c.reel"};
#else
    names = {"a.butter", "it's \"b\"\n;--.echoreplay", "c.reel"};
#endif
    for (std::size_t at = 0; at < names.size(); ++at) {
      auto match = short_match();
      match.seed = at + 2;
      write_match(std::filesystem::path(season) / names[at], {}, match);
    }
    BOOST_REQUIRE(run({"library", "scan", season, "--db", index}).code == 0);
  }
  [[nodiscard]] std::vector<std::string> options(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--library", "--db", index, "--csv"});
    return more;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(games_and_players_are_those_of_the_index) {
  const indexed_season of;
  for (const bool with_files : {false, true}) {
    std::vector<std::string> files;
    if (with_files) files.push_back(of.season);
    const outcome games = run_query(
        "SELECT g.recording, g.ticks, r.ticks FROM library_games g JOIN recordings r USING (recording)",
        files, of.options());
    BOOST_TEST(games.code == 0, games.err);
    const auto rows = rows_of(games.out);
    BOOST_TEST_REQUIRE(rows.size() == 3u);
    for (const cells& each : rows) BOOST_TEST(each[1] == each[2]);
    // Their numbers are those of the statistics of the same files.
    const outcome players = run_query(
        "SELECT count(*), count(s.player) FROM library_players p LEFT JOIN statistics s "
        "ON s.recording = p.recording AND s.player = p.player WHERE p.team <> 'spectator'",
        files, of.options());
    BOOST_TEST(players.code == 0, players.err);
    const auto counts = rows_of(players.out);
    BOOST_TEST(counts[0][0] != "0");
    BOOST_TEST(counts[0][0] == counts[0][1]);
  }
}

BOOST_AUTO_TEST_CASE(only_files_that_the_index_selects_are_read) {
  const indexed_season of;
  const outcome said = run_query(
      "SELECT max(\"session.disc.speed\") FROM library_games g JOIN ticks USING (recording) "
      "WHERE g.recording LIKE '%c.reel'",
      {of.season}, of.options({"--explain"}));
  BOOST_TEST(said.code == 0, said.err);
  const auto rows = rows_of(said.out);
  BOOST_TEST_REQUIRE(rows.size() == 1u, said.out);
  BOOST_TEST(rows[0][1].ends_with("c.reel"));
}

BOOST_AUTO_TEST_CASE(equalities_select_as_sql_does) {
  const indexed_season of;
  const auto count = [&](const std::string& where) {
    const outcome said =
        run_query("SELECT count(*) AS n FROM library_games WHERE " + where, {of.season}, of.options());
    BOOST_TEST(said.code == 0, where << said.err);
    return said.out;
  };
  const auto several = [](int number) { return "n\n" + std::to_string(number) + "\n"; };
  BOOST_TEST(count("game = 1") == several(1));
  BOOST_TEST(count("game = 1.0") == several(1));
  BOOST_TEST(count("game = '1'") == several(1));
  BOOST_TEST(count("game = 1.5") == several(0));
  BOOST_TEST(count("game = NULL") == several(0));
  BOOST_TEST(count("game IN (1, 2, 9)") == several(2));
  BOOST_TEST(count("game = 1 OR map IS NOT NULL") == several(3));
  BOOST_TEST(count("map = (SELECT upper(map) FROM library_games LIMIT 1)") == several(0));
  BOOST_TEST(count("map = (SELECT upper(map) FROM library_games LIMIT 1) COLLATE NOCASE") == several(3));
  BOOST_TEST(count("recording = 'none'") == several(0));
  BOOST_TEST(count("recording IN (SELECT recording FROM recordings)") == several(3));
  BOOST_TEST(
      count("health = 'whole' AND place = 0 AND started IS NOT NULL AND recording = (SELECT min(recording) "
            "FROM recordings)") == several(1));
}

BOOST_AUTO_TEST_CASE(no_statement_changes_or_reads_more_than_the_tables) {
  const indexed_season of;
  const std::string before = text_of_file(of.index);
  const std::string other = of.folder / "other.db";
  for (const std::string& sql :
       {std::string("DELETE FROM library_games"), std::string("UPDATE library_games SET map = 'x'"),
        std::string("INSERT INTO library_players VALUES (1,2,3,4,5,6,7,8)"),
        std::string("DROP TABLE library_games"), std::string("CREATE TABLE t (a)"),
        std::string("PRAGMA query_only = OFF"), std::string("SELECT * FROM files"),
        std::string("SELECT * FROM games"), std::string("SELECT * FROM library.files"),
        std::string("SELECT * FROM cache_items"), "ATTACH '" + of.index + "' AS a",
        "ATTACH '" + other + "' AS a", "VACUUM INTO '" + other + "'",
        std::string("SELECT load_extension('x') FROM library_games"),
        std::string("SELECT readfile('/etc/passwd') FROM library_games"),
        std::string("SELECT * FROM pragma_database_list, library_games"),
        std::string("SELECT 1 FROM library_games; DELETE FROM library_games")}) {
    const outcome said = run_query(sql, {of.season}, of.options());
    BOOST_TEST(said.code == 2, sql << said.out << said.err);
    BOOST_TEST(said.out.empty(), sql);
  }
  BOOST_TEST((text_of_file(of.index) == before));
  BOOST_TEST(!std::filesystem::exists(other));
  // Nor is it replaced by an output.
  const std::string renamed = of.folder / "index.arrow";
  std::filesystem::rename(of.index, renamed);
  const outcome said = run_query("SELECT game FROM library_games", {of.season},
                                 {"--library", "--db", renamed, "-o", renamed, "--force"});
  BOOST_TEST(said.code == 2);
  BOOST_TEST(said.says("outputs are the same file"), said.err);
  BOOST_TEST((text_of_file(renamed) == before));
  std::size_t entries = 0;
  for (const auto& each : std::filesystem::directory_iterator(of.folder.path())) {
    (void)each;
    ++entries;
  }
  BOOST_TEST(entries == 2u);  // the season and the index
}

BOOST_AUTO_TEST_CASE(a_missing_or_broken_index_is_an_error) {
  const indexed_season of;
  const auto asked = [&](const std::string& index, const std::vector<std::string>& more = {}) {
    std::vector<std::string> options = {"--library", "--db", index, "--csv"};
    options.insert(options.end(), more.begin(), more.end());
    return run_query("SELECT count(*) FROM library_games", {of.season}, options);
  };
  const outcome missing = asked(of.folder / "none.db");
  BOOST_TEST(missing.code == 1);
  BOOST_TEST(missing.says("none.db: the index does not exist"), missing.err);
  BOOST_TEST(!std::filesystem::exists(of.folder / "none.db"));
  const outcome text = asked(of.season + "/" + of.names[0]);
  BOOST_TEST(text.code == 1);
  const std::string cut = of.folder / "cut.db";
  byte_vector bytes = read_file(of.index);
  bytes.resize(bytes.size() / 2);
  write_file(cut, bytes);
  BOOST_TEST(asked(cut).code == 1);
  const outcome none = run_query("SELECT count(*) FROM library_games", {of.season});
  BOOST_TEST(none.code == 2);
  BOOST_TEST(none.says("--library adds it"), none.err);
  // An index whose table never ends.
  const std::string endless = of.folder / "endless.db";
  write_file(endless, read_file(of.index));
  {
    auto index = library::connection::open(endless, library::connection::access::read_write);
    BOOST_REQUIRE(index);
    BOOST_REQUIRE(
        index->run("PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON; ALTER TABLE games RENAME TO g;"
                   "CREATE VIEW games AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                   "SELECT g.* FROM g, n WHERE n.i < 0"));
  }
  const outcome ended = asked(endless, {"--timeout", "1"});
  BOOST_TEST(ended.code == 1, ended.out << ended.err);
  // The same of its events, and none.
  const auto asked_for_events = [&](const char* change, const std::vector<std::string>& more = {}) {
    write_file(endless, read_file(of.index));
    {
      auto index = library::connection::open(endless, library::connection::access::read_write);
      BOOST_REQUIRE(index);
      BOOST_REQUIRE(index->run(change));
    }
    std::vector<std::string> options = {"--library", "--db", endless, "--csv"};
    options.insert(options.end(), more.begin(), more.end());
    return run_query("SELECT count(*) FROM events", {of.season}, options);
  };
  const outcome many = asked_for_events(
      "PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON; ALTER TABLE events RENAME TO e;"
      "CREATE VIEW events AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
      "SELECT e.* FROM e, n WHERE n.i < 0",
      {"--timeout", "1"});
  BOOST_TEST(many.code == 1, many.out);
  BOOST_TEST(many.says("exceeds its limit"), many.err);
  const outcome none_there = asked_for_events("DROP TABLE events");
  BOOST_TEST(none_there.code == 1, none_there.out);
  BOOST_TEST(none_there.says("lacks a table"), none_there.err);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
