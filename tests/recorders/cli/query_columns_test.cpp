// tickreel query --library --keep-columns: rows from kept columns are exactly those of the files.
#include <thread>

#ifndef _WIN32
#include <unistd.h>
#endif

#include "mixed_season.hpp"

BOOST_AUTO_TEST_SUITE(cli_query_tests)
BOOST_AUTO_TEST_SUITE(query_columns_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;
using access = library::connection::access;

const std::string speeds =
    "SELECT recording, max(\"session.disc.speed\") AS top FROM ticks GROUP BY recording";

// Runs the statement with and without --keep-columns, which changes nothing that it prints.
void compare_and_keep(const mixed_season& of, const std::string& sql) {
  const outcome by_files = run_query(sql, {of.address}, {"--json"});
  for (const bool keeps : {true, false}) {
    std::vector<std::string> options = {"--json"};
    if (keeps) options.emplace_back("--keep-columns");
    const outcome by_index = of.with_index(sql, options);
    BOOST_TEST(by_index.code == by_files.code, sql);
    BOOST_TEST(by_index.out == by_files.out, sql);
    BOOST_TEST(by_index.err == by_files.err, sql);
  }
}

std::string explained(const std::string& table) {
  return table == "players" ? "SELECT max(ping) FROM players"
                            : "SELECT max(\"session.disc.speed\") FROM ticks";
}

std::int64_t number(const mixed_season& of, const std::string& sql) {
  auto index = taken(library::connection::open(of.index, access::read_only));
  return taken(index.number(sql.c_str()));
}
std::int64_t kept_columns(const mixed_season& of) {
  return number(of, "SELECT count(*) FROM kept_columns");
}

void change_index(const mixed_season& of, const char* sql) {
  auto index = taken(library::connection::open(of.index, access::read_write));
  BOOST_REQUIRE(index.run(sql));
}

std::string some_columns_statement(std::mt19937_64& random) {
  const auto one_of = [&](std::initializer_list<const char*> all) {
    return std::string(std::data(all)[random() % all.size()]);
  };
  const auto below = [&](std::uint64_t most) { return std::to_string(random() % most); };
  const bool is_players = random() % 3 == 0;
  const auto restriction = [&]() -> std::string {
    switch (random() % 6) {
      case 0:
        return "tick " + one_of({"<", ">", ">=", "<=", "="}) + below(250);
      case 1:
        return "time_ms " + one_of({"<", ">", ">=", "<=", "="}) + below(8000);
      case 2:
        return "(tick = " + below(200) + " OR tick = " + below(200) + ")";
      case 3:
        return "recording LIKE '%" + one_of({"reel", "butter", "cut-%", "icrep", "match%"}) + "'";
      case 4:
        return is_players
                   ? one_of({"player = (SELECT min(player) FROM players)", "player = 'none'", "stunned"})
                   : one_of({"x > 3", "\"session.game_clock\" IS NOT NULL"});
      default:
        return "time_ms BETWEEN " + below(3000) + " AND " + std::to_string(3000 + random() % 3000);
    }
  };
  std::string sql =
      "SELECT " +
      (is_players
           ? one_of({"recording, count(*) AS n", "rowid, tick, player, team, id, ping",
                     "player, \"head.position[1]\" AS y, typeof(stunned) AS t, speed",
                     "time_ms, player, \"stats.points\" AS points"})
           : one_of({"recording, count(*) AS n", "rowid, tick, time_ms, typeof(tick) AS t",
                     "recording, tick, x, typeof(x) AS t",
                     "tick, \"session.disc.position[0]\" AS a, \"session.game_status\" AS b",
                     "\"session.disc.speed\" AS a, typeof(\"session.disc.speed\") AS b",
                     "\"session.teams[0]\" AS a, \"session.blue_points\" AS b", "recording, tick, state"}));
  const bool is_grouped = sql.ends_with(" n");
  sql += is_players ? " FROM players" : " FROM ticks";
  if (random() % 3 != 0) {
    sql += " WHERE " + restriction();
    if (random() % 2 == 0) sql += one_of({" AND ", " OR "}) + restriction();
  }
  return is_grouped ? sql + " GROUP BY recording" : sql;
}

}  // namespace

BOOST_AUTO_TEST_CASE(rows_of_kept_columns_are_those_of_the_files) {
  auto random = seeded_random("kept columns");
  const mixed_season of(random);
  of.scan();
  BOOST_TEST(of.from_index(explained("ticks")) == 0u);
  compare_and_keep(of, some_columns_statement(random));
  compare_and_keep(of, "SELECT tick, time_ms, x, \"session.disc.speed\" AS speed FROM ticks");
  compare_and_keep(of, "SELECT player, ping, stunned FROM players");
  for (const char* const table : {"ticks", "players"})
    BOOST_TEST(of.from_index(explained(table)) > 4u, table);
  for (int each = 0; each < 3; ++each) of.compare(some_columns_statement(random));
  of.compare(
      "SELECT e.tick, e.type, t.x, t.\"session.disc.speed\" AS speed FROM events e JOIN ticks t USING "
      "(recording, tick)");
  of.compare(
      "SELECT a.tick, b.x FROM ticks a JOIN ticks b ON b.recording = a.recording AND b.tick = a.tick + 1 "
      "WHERE a.x IS NOT NULL AND a.tick < 40");
  of.compare(
      "SELECT t.tick, p.player, p.ping FROM ticks t JOIN players p USING (recording, tick) WHERE t.tick < 40 "
      "AND recording LIKE '%match.reel'");
  // A missing value is reported, whichever part was read.
  compare_and_keep(of, "SELECT max(nowhere) FROM ticks");
}

BOOST_AUTO_TEST_CASE(columns_of_changed_and_removed_files_are_not_used) {
  auto random = seeded_random("changed files of columns");
  const mixed_season of(random);
  of.scan();
  compare_and_keep(of, speeds);
  const std::size_t before = of.from_index(explained("ticks"));
  BOOST_TEST(before > 4u);
  const auto season = std::filesystem::path(of.season);
  // The same name, another content; only another time; a removed file; a new one; another name.
  auto other = short_match();
  other.seed = 99;
  std::filesystem::remove(season / "match.reel");
  write_match(season / "match.reel", {}, other);
  of.compare(speeds);
  change_time(season / "match.butter");
  of.compare(speeds);
  BOOST_TEST(of.from_index(explained("ticks")) == before - 2);
  // A file that is not as the scan read it is not kept, either.
  const outcome unindexed = of.with_index(speeds, {"--json", "--keep-columns"});
  BOOST_TEST(unindexed.says("2 recordings are not in the index as they are now"), unindexed.err);
  BOOST_TEST(of.from_index(explained("ticks")) == before - 2);
  std::filesystem::remove(season / "plain.echoreplay");
  write_match(season / "late.butter");
  of.compare(speeds);
  std::filesystem::rename(season / "bells.reel", season / "rung.reel");
  of.compare(speeds);
  BOOST_TEST(of.from_index(explained("ticks")) == before - 4);
  const auto columns_of = [&](const std::string& name) {
    const std::string path = static_cast<char>(std::filesystem::path::preferred_separator) + name;
    return number(
        of,
        "SELECT count(*) FROM kept_columns JOIN files ON files.id = file WHERE CAST(path AS TEXT) LIKE '%" +
            path + "'");
  };
  BOOST_TEST(columns_of("plain.echoreplay") == 2);
  BOOST_TEST(columns_of("match.reel") == 2);
  of.scan();
  BOOST_TEST(columns_of("plain.echoreplay") == 0);
  BOOST_TEST(columns_of("match.reel") == 0);
  // The renamed file keeps its columns.
  BOOST_TEST(of.from_index(explained("ticks")) == before - 3);
  compare_and_keep(of, speeds);
  BOOST_TEST(of.from_index(explained("ticks")) == before);
}

// 3000 ticks, of which one chunk in the middle is damaged.
void write_damaged_bells(const std::string& path) {
  {
    auto out = record<indexed_token>(path, short_chunks());
    BOOST_REQUIRE(out);
    for (int tick = 0; tick < 3000; ++tick) {
      BOOST_REQUIRE(out->push({static_cast<float>(tick)}));
      (void)out->pump();
    }
    BOOST_REQUIRE(out->close());
  }
  byte_vector bytes = read_file(path);
  for (std::size_t at = bytes.size() / 2; at < bytes.size() / 2 + 4; ++at) bytes[at] ^= std::byte{0x55};
  write_file(path, bytes);
}

BOOST_AUTO_TEST_CASE(losses_of_kept_columns_are_those_of_the_files) {
  auto random = seeded_random("losses of columns");
  const mixed_season of(random);
  const std::string damaged = of.season + "/damaged.reel";
  write_damaged_bells(damaged);
  of.scan();
  for (const char* const sql :
       {"SELECT tick, x FROM ticks", "SELECT \"session.disc.speed\" AS speed FROM ticks",
        "SELECT player, ping FROM players", "SELECT tick, state FROM ticks",
        "SELECT count(*) AS n FROM ticks"})
    compare_and_keep(of, sql);
  // The same columns, parts of them, and parts of the rows.
  for (const char* const sql :
       {"SELECT tick, x FROM ticks LIMIT 10", "SELECT x, tick FROM ticks LIMIT 1100 OFFSET 300",
        "SELECT tick, x FROM ticks WHERE tick < 700", "SELECT tick, x FROM ticks WHERE tick > 2900",
        "SELECT x FROM ticks",
        "SELECT a.tick, b.x FROM ticks a JOIN ticks b USING (recording, tick) WHERE "
        "a.x < 5"}) {
    of.compare(sql);
    const std::vector<std::string> indexed = {"--json", "--library", "--db", of.index};
    const outcome by_file = run_query(sql, {damaged}, {"--json"});
    const outcome by_index = run_query(sql, {damaged}, indexed);
    BOOST_TEST(by_index.code == by_file.code, sql);
    BOOST_TEST(by_index.out == by_file.out, sql);
    BOOST_TEST(by_index.err == by_file.err, sql);
  }
  const outcome all =
      run_query("SELECT tick, x FROM ticks", {damaged}, {"--json", "--library", "--db", of.index});
  BOOST_TEST(all.code == 3);
  BOOST_TEST(!all.err.empty());
  const auto source_of = [&](const std::string& sql, const std::string& file) {
    return rows_of(run_query(sql, {file}, {"--explain", "--csv", "--library", "--db", of.index}).out)
        .at(0)[2];
  };
  BOOST_TEST(source_of("SELECT tick, x FROM ticks", damaged) == "index");
  BOOST_TEST(source_of("SELECT tick, x FROM ticks", of.season + "/cut-match.butter") == "index");
  BOOST_TEST(source_of("SELECT x FROM ticks", damaged) == "file");
  BOOST_TEST(source_of("SELECT tick, x FROM ticks WHERE tick < 700", damaged) == "file");
}

BOOST_AUTO_TEST_CASE(only_columns_of_complete_reads_are_kept) {
  auto random = seeded_random("parts of recordings");
  const mixed_season of(random);
  of.scan();
  const std::string one = of.season + "/match.butter";
  const std::vector<std::string> keeping = {"--json", "--library", "--keep-columns", "--db", of.index};
  for (const char* const sql :
       {"SELECT x FROM ticks WHERE tick < 30", "SELECT x FROM ticks WHERE time_ms >= 100",
        "SELECT * FROM events", "SELECT count(*) FROM recordings", "SELECT count(*) FROM statistics",
        "SELECT ping FROM players WHERE player = 'Alice'"}) {
    (void)run_query(sql, {one}, keeping);
    BOOST_TEST(kept_columns(of) == 0, sql);
  }
  (void)run_query("SELECT time_ms FROM ticks LIMIT 1", {of.season + "/ints.reel"}, keeping);
  BOOST_TEST(kept_columns(of) == 0);
  // An interrupted statement: complete columns, or none.
  (void)run_query("SELECT count(*) FROM ticks a, ticks b, ticks c WHERE a.x + b.x > c.x", {of.season},
                  {"--library", "--keep-columns", "--db", of.index, "--timeout", "1"});
  of.compare("SELECT x FROM ticks");
  BOOST_TEST(
      number(of,
             "SELECT count(*) FROM kept_columns a WHERE NOT EXISTS (SELECT 1 FROM kept_columns b WHERE "
             "b.file = a.file AND b.source = a.source AND b.name = 'rowid' AND b.rows = a.rows)") == 0);
  const outcome wrong = run_query("SELECT x FROM ticks", {of.season}, {"--keep-columns"});
  BOOST_TEST(wrong.code == 2);
}

BOOST_AUTO_TEST_CASE(damaged_columns_are_not_used) {
  auto random = seeded_random("damaged columns");
  const mixed_season of(random);
  of.scan();
  const std::string sql = "SELECT tick, time_ms, \"session.game_status\" AS status, x FROM ticks";
  const std::vector<std::string> files = {of.season + "/match.butter", of.season + "/bells.reel"};
  const outcome by_files = run_query(sql, files, {"--json"});
  (void)run_query(sql, files, {"--library", "--keep-columns", "--db", of.index});
  BOOST_TEST(kept_columns(of) == 10);
  const byte_vector sound = read_file(of.index);
  for (const char* const damage :
       {"UPDATE kept_columns SET content = x''", "UPDATE kept_columns SET content = x'03' || randomblob(50)",
        "UPDATE kept_columns SET content = zeroblob(50000000)",
        "UPDATE kept_columns SET content = content || x'00'",
        "UPDATE kept_columns SET content = substr(content, 1, length(content) - 3) WHERE name <> 'rowid'",
        "UPDATE kept_columns SET content = x'00' WHERE name = 'tick'",
        "UPDATE kept_columns SET content = x'0000000000' WHERE name = 'tick'",
        "DELETE FROM kept_columns WHERE name = 'rowid'"}) {
    change_index(of, damage);
    const outcome by_index = run_query(sql, files, {"--json", "--library", "--db", of.index});
    BOOST_TEST(by_index.code == by_files.code, damage);
    BOOST_TEST(by_index.out == by_files.out, damage);
    BOOST_TEST(by_index.err == by_files.err, damage);
    write_file(of.index, sound);
  }
  // Without compression no checksum detects it: 60 rows whose values are missing.
  change_index(
      of,
      "UPDATE kept_columns SET content = x'00' || x'3c000000' || replace(hex(zeroblob(60)), '00', char(2)) "
      "WHERE name = 'x' AND rows = 60");
  const outcome hostile = run_query("SELECT x FROM ticks", {of.season + "/bells.reel"},
                                    {"--json", "--library", "--db", of.index});
  BOOST_TEST(hostile.code == 1, hostile.out);
  BOOST_TEST(hostile.says("its columns in the index"), hostile.err);
}

BOOST_AUTO_TEST_CASE(older_and_write_protected_indexes) {
  auto random = seeded_random("older index of columns");
  const mixed_season of(random);
  of.scan();
  change_index(of, "DROP TABLE kept_columns; PRAGMA user_version = 7");
  BOOST_TEST(of.with_index(speeds).says("index version 7 needs an upgrade to 8"));
  // Writing migrates it.
  BOOST_TEST(of.with_index(speeds, {"--json", "--keep-columns"}).out ==
             run_query(speeds, {of.season}, {"--json"}).out);
  of.compare(speeds);
  const std::size_t before = of.from_index(explained("ticks"));
  BOOST_TEST(before > 4u);
  // Of another program, which read other rows.
  change_index(of, "UPDATE kept_columns SET rows = -1");
  (void)of.with_index("SELECT x FROM ticks", {"--keep-columns"});
  BOOST_TEST(number(of, "SELECT count(*) FROM kept_columns WHERE rows = -1 AND source = 'ticks'") == 0);
#ifndef _WIN32
  if (::geteuid() == 0) return;
  std::filesystem::permissions(of.index, std::filesystem::perms::owner_read);
  const outcome refused = of.with_index(speeds, {"--json", "--keep-columns"});
  BOOST_TEST(refused.code == 1);
  BOOST_TEST(refused.out.empty());
  BOOST_TEST(refused.says("index.db: "), refused.err);
#endif
}

BOOST_AUTO_TEST_CASE(several_programs_keep_columns_at_the_same_time) {
  auto random = seeded_random("columns of several programs");
  const mixed_season of(random);
  of.scan();
  std::vector<outcome> said(4);
  std::vector<std::thread> all;
  for (outcome& each : said) {
    all.emplace_back([&] { each = of.with_index(speeds, {"--json", "--keep-columns"}); });
  }
  for (std::thread& each : all) each.join();
  for (const outcome& each : said) {
    BOOST_TEST(each.out == said[0].out);
    BOOST_TEST(each.err == said[0].err);
  }
  BOOST_TEST(number(of, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'") == 1);
  BOOST_TEST(of.from_index(explained("ticks")) > 4u);
  of.compare(speeds);
}

#ifndef _WIN32
BOOST_AUTO_TEST_CASE(columns_of_objects_are_kept) {
  auto random = seeded_random("columns of objects");
  mixed_season of(random);
  of.move_to_store();
  of.scan();
  compare_and_keep(of, speeds);
  const std::size_t before = of.from_index(explained("ticks"));
  BOOST_TEST(before > 4u);
  // Nothing but the list is fetched.
  const std::uint64_t requests = of.s3->requests();
  const outcome one = run_query(speeds, {of.address + "/match.butter"}, {"--library", "--db", of.index});
  BOOST_TEST(one.code == 0, one.err);
  BOOST_TEST(of.s3->requests() == requests + 1);
  byte_vector changed = read_file(std::filesystem::path(of.season) / "match.butter");
  changed[changed.size() / 2] ^= std::byte{1};
  of.s3->put("season/match.butter", std::string(as_text(changed)));
  of.compare(speeds);
  BOOST_TEST(of.from_index(explained("ticks")) == before - 1);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
