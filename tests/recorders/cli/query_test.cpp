// tickreel query: its tables have what cat, events, stats and info print, for every format.
#include <simdjson.h>

#include <boost/test/unit_test.hpp>

#include "every_format.hpp"
#include "odd_name.hpp"
#include "query_rows.hpp"
#include "reel_damage.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(cli_query_tests)
BOOST_AUTO_TEST_SUITE(query_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;
namespace dom = simdjson::dom;

// The states of the lines of cat: an object without tick and time_ms. An icrep has other lines around its ticks.
std::vector<std::string> states_of(const outcome& cat) {
  std::vector<std::string> out;
  for (const std::string& line : lines_of(cat.out)) {
    const std::size_t time = line.find(",\"time_ms\":");
    if (!line.starts_with("{\"tick\":") || time == std::string::npos) continue;
    const std::size_t end = line.find_first_of(",}", time + 1);
    out.push_back("{" + line.substr(end + (line[end] == ',' ? 1 : 0)));
  }
  return out;
}

std::vector<std::string> texts_of(const std::string& json_rows, const char* name) {
  std::vector<std::string> out;
  dom::parser parser;
  for (const std::string& line : lines_of(json_rows)) {
    dom::element row;
    BOOST_REQUIRE(parser.parse(line).get(row) == simdjson::SUCCESS);
    out.emplace_back(std::string_view(row[name]));
  }
  return out;
}

// Without an icrep: the states of that one are opaque to cat.
std::vector<std::string> readable_fixtures(const scratch_folder& folder) {
  std::vector<std::string> out;
  for (const auto& each : fixtures(folder)) {
    if (run({"cat", each.string()}).code == 0) out.push_back(each.string());
  }
  BOOST_TEST(out.size() > 9u);
  return out;
}

}  // namespace

// A scan takes over equalities of texts, but only those that compare bytes.
BOOST_AUTO_TEST_CASE(collations_of_a_statement_hold) {
  const scratch_folder folder;
  const std::string match = folder / "match.butter";
  write_match(match);
  const auto count = [&](const std::string& sql) {
    const auto rows = query_rows("SELECT count(*) FROM " + sql, {match});
    BOOST_TEST_REQUIRE(rows.size() == 1u);
    return rows[0][0];
  };
  const std::string joined = count("events WHERE type = 'player_joined'");
  BOOST_TEST(joined != "0");
  BOOST_TEST(count("events WHERE type = 'Player_Joined'") == "0");
  BOOST_TEST(count("events WHERE type = 'Player_Joined' COLLATE NOCASE") == joined);
  BOOST_TEST(count("events WHERE type = 'player_joined  ' COLLATE RTRIM") == joined);
  const std::string one = "(SELECT min(player) FROM players WHERE tick = 0)";
  const std::string ticks = count("players WHERE player = " + one);
  BOOST_TEST(ticks != "0");
  BOOST_TEST(count("players WHERE player = upper(" + one + ") COLLATE NOCASE") == ticks);
  BOOST_TEST(count("ticks WHERE recording = upper((SELECT recording FROM recordings)) COLLATE NOCASE") ==
             count("ticks"));
}

BOOST_AUTO_TEST_CASE(ticks_and_events_are_those_of_cat_and_events) {
  const scratch_folder folder;
  std::size_t with_events = 0;
  for (const auto& path : fixtures(folder)) {
    const std::string file = path.string();
    BOOST_TEST_CONTEXT(path.filename().string()) {
      const outcome cat = run({"cat", file});
      const outcome ticks = run_query("SELECT state FROM ticks", {file}, {"--json"});
      BOOST_TEST(ticks.code == cat.code, ticks.err);
      BOOST_TEST((texts_of(ticks.out, "state") == states_of(cat)));

      const outcome events = run({"events", file});
      const outcome rows = run_query("SELECT event FROM events", {file}, {"--json"});
      if (events.code == 1) {
        BOOST_TEST(rows.code == 0, rows.err);
        BOOST_TEST(rows.out.empty());
        continue;
      }
      ++with_events;
      BOOST_TEST(rows.code == events.code, rows.err);
      BOOST_TEST((texts_of(rows.out, "event") == lines_of(events.out)));
    }
  }
  BOOST_TEST(with_events > 6u);
}

BOOST_AUTO_TEST_CASE(statistics_are_the_rows_of_stats) {
  const scratch_folder folder;
  for (const auto& path : fixtures(folder)) {
    const outcome stats = run({"stats", "--csv", path.string()});
    if (stats.code == 1) continue;
    const std::vector<cells> expected = rows_of(stats.out);
    const std::vector<cells> found = query_rows("SELECT * FROM statistics", {path.string()}, stats.code);
    BOOST_TEST_REQUIRE(found.size() == expected.size(), path);
    for (std::size_t row = 0; row < found.size(); ++row) {
      BOOST_TEST_REQUIRE(found[row].size() == expected[row].size());
      for (std::size_t at = 0; at < found[row].size(); ++at) {
        if (found[row][at] == expected[row][at]) continue;
        // "yes" and empty; numbers with three decimals.
        constexpr std::size_t partial = 11;
        if (at == partial) {
          BOOST_TEST(found[row][at] == (expected[row][at] == "yes" ? "1" : "0"));
          continue;
        }
        BOOST_TEST_REQUIRE((!found[row][at].empty() && !expected[row][at].empty()),
                           path << " column " << at << ": " << found[row][at] << ", " << expected[row][at]);
        BOOST_TEST(std::abs(std::stod(found[row][at]) - std::stod(expected[row][at])) <= 0.000501);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(recordings_are_what_info_says) {
  const scratch_folder folder;
  std::vector<std::string> files;
  for (const auto& each : fixtures(folder)) files.push_back(each.string());
  std::vector<std::string> words = {"info", "--json"};
  words.insert(words.end(), files.begin(), files.end());
  const std::vector<std::string> info = lines_of(run(words).out);
  const auto rows = query_rows(
      "SELECT recording, format, format_version, bytes, ticks, duration_ms, health "
      "FROM recordings",
      files);
  BOOST_TEST_REQUIRE(rows.size() == info.size());
  dom::parser parser;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    dom::element one;
    BOOST_REQUIRE(parser.parse(info[at]).get(one) == simdjson::SUCCESS);
    const auto number = [&](const char* key) { return std::to_string(std::int64_t(one[key])); };
    const auto text = [&](const char* key) { return std::string(std::string_view(one[key])); };
    const cells expected = {files[at],       text("format"),  number("format_version"),
                            number("bytes"), number("ticks"), number("duration_ms"),
                            text("health")};
    BOOST_TEST(rows[at] == expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(values_by_path_are_those_in_the_lines) {
  const scratch_folder folder;
  const std::string match = folder / "match.butter";
  write_match(match, {}, short_match(true));
  // A column, and the same member of the whole JSON.
  const auto differing = query_rows(
      "SELECT count(*), sum(\"session.disc.position[0]\" IS NOT state ->> '$.session.disc.position[0]'), "
      "sum(\"session.game_status\" IS NOT state ->> '$.session.game_status'), "
      "sum(json(\"session.teams[0].stats\") IS NOT json(state -> '$.session.teams[0].stats')) FROM ticks",
      {match});
  BOOST_TEST((differing ==
              std::vector<cells>{{std::to_string(lines_of(run({"cat", match}).out).size()), "0", "0", "0"}}));
  // Players, with values that are computed and values from the JSON.
  const auto players = query_rows(
      "SELECT count(*) > 0, sum(player IS NOT state ->> '$.name'), sum(id IS NOT state ->> '$.userid'), "
      "sum(\"head.position[2]\" IS NOT state ->> '$.head.position[2]'), "
      "sum(abs(speed - sqrt(\"velocity[0]\" * \"velocity[0]\" + \"velocity[1]\" * \"velocity[1]\" + "
      "\"velocity[2]\" * \"velocity[2]\")) > 0.001) FROM players",
      {match});
  BOOST_TEST((players == std::vector<cells>{{"1", "0", "0", "0", "0"}}));
  const auto counted = query_rows(
      "SELECT sum(n) FROM (SELECT json_array_length(\"session.teams[0].players\") + "
      "json_array_length(\"session.teams[1].players\") + "
      "ifnull(json_array_length(\"session.teams[2].players\"), 0) AS n FROM ticks)",
      {match});
  BOOST_TEST((counted == query_rows("SELECT count(*) FROM players", {match})));
}

BOOST_AUTO_TEST_CASE(restrictions_give_the_same_rows_as_a_whole_scan) {
  const scratch_folder folder;
  const std::vector<std::string> files = readable_fixtures(folder);
  // A plus hides a restriction from the tables.
  const std::vector<std::pair<std::string, std::string>> restrictions = {
      {"tick BETWEEN 20 AND 60", "+tick BETWEEN 20 AND 60"},
      {"tick = 33", "+tick = 33"},
      {"tick > 100.5", "+tick > 100.5"},
      {"tick < 5 OR tick > 150", "+tick < 5 OR +tick > 150"},
      {"tick = NULL", "+tick = NULL"},
      {"tick > -5 AND tick < 3", "+tick > -5 AND +tick < 3"},
      {"tick = '7'", "+tick = 7"},
      {"time_ms >= 1000 AND time_ms < 2000", "+time_ms >= 1000 AND +time_ms < 2000"},
      {"time_ms = 1000", "+time_ms = 1000"},
      {"recording LIKE '%.reel' AND tick < 9", "+recording LIKE '%.reel' AND +tick < 9"},
      {"recording GLOB '*butter'", "+recording GLOB '*butter'"},
      {"recording IN ('" + files[0] + "', '" + files[3] + "') AND tick = 1",
       "+recording IN ('" + files[0] + "', '" + files[3] + "') AND +tick = 1"}};
  for (const char* from : {"ticks", "events", "players"}) {
    for (const auto& [used, hidden] : restrictions) {
      const std::string columns = std::string("SELECT recording, tick, time_ms") +
                                  (std::string_view(from) == "events" ? ", type FROM " : " FROM ") + from;
      const auto order = " ORDER BY recording, tick, time_ms, 4";
      const std::string last =
          std::string_view(from) == "events" ? order : " ORDER BY recording, tick, time_ms";
      const auto found = query_rows(columns + " WHERE " + used + last, files);
      BOOST_TEST((found == query_rows(columns + " WHERE " + hidden + last, files)), from << " " << used);
    }
  }
  for (const char* used : {"type = 'stun'", "type IN ('stun', 'goal')", "type = 'nothing'", "type = NULL"}) {
    const std::string columns = "SELECT recording, event FROM events WHERE ";
    BOOST_TEST((query_rows(columns + used, files) == query_rows(columns + "+" + used, files)), used);
  }
}

// Numbers of players are numbers in every table.
BOOST_AUTO_TEST_CASE(identifiers_join) {
  const scratch_folder folder;
  const std::string match = folder / "match.butter";
  write_match(match);
  BOOST_TEST(query_rows("SELECT DISTINCT typeof(id) FROM statistics", {match})[0][0] == "integer");
  for (const char* sql : {"SELECT count(DISTINCT s.id) FROM statistics s JOIN players p ON p.id = s.id",
                          "SELECT count(DISTINCT s.id) FROM statistics s, players p WHERE s.id = p.id",
                          "SELECT count(DISTINCT s.id) FROM statistics s JOIN events e ON "
                          "e.\"player.userid\" = s.id",
                          "SELECT count(DISTINCT s.id) FROM events e JOIN statistics s ON "
                          "s.id = +e.\"player.userid\""}) {
    const auto rows = query_rows(sql, {match});
    BOOST_TEST(rows[0][0] != "0", sql);
  }
  // As a text, too.
  const std::string id = query_rows("SELECT id FROM statistics LIMIT 1", {match})[0][0];
  const std::string of_id = "SELECT count(*) FROM statistics WHERE id = ";
  BOOST_TEST(query_rows(of_id + id, {match})[0][0] == "1");
  BOOST_TEST(query_rows(of_id + "'" + id + "'", {match})[0][0] == "1");
  BOOST_TEST(query_rows("SELECT count(*) > 0 FROM statistics WHERE team = 'blue'", {match})[0][0] == "1");
}

// The time of a described event is that of its tick.
BOOST_AUTO_TEST_CASE(events_have_times) {
  const scratch_folder folder;
  for (const std::string& path : readable_fixtures(folder)) {
    const auto rows = query_rows(
        "SELECT count(*) FROM events e JOIN ticks t USING (recording, tick) WHERE e.time_ms IS NOT t.time_ms",
        {path});
    BOOST_TEST(rows[0][0] == "0", path);
  }
}

// Of a recording of keyframes between them, too.
BOOST_AUTO_TEST_CASE(events_between_keyframes_have_times) {
  const std::string match = TICKREEL_KEPT_RECORDINGS "/0.1.0/recordings/match.icrep";
  const std::size_t early = lines_of(run({"events", match, "--from", "0s", "--to", "3s"}).out).size();
  BOOST_TEST(early > 0u);
  BOOST_TEST(query_rows("SELECT count(*) FROM events WHERE time_ms BETWEEN 0 AND 3000", {match})[0][0] ==
             std::to_string(early));
  BOOST_TEST(query_rows("SELECT count(*) FROM events WHERE time_ms IS NULL", {match})[0][0] == "0");
}

BOOST_AUTO_TEST_CASE(a_file_is_read_once) {
  const scratch_folder folder;
  const std::string walk = folder / "walk.rec";
  write_file(walk, a_walk());
  const std::string all = folder.path().string();
  const std::string other = (folder.path() / "." / "walk.rec").string();
  for (const std::vector<std::string>& files : std::vector<std::vector<std::string>>{
           {walk, walk}, {walk, other}, {walk, all}, {all, walk}, {all, all}}) {
    const outcome said = run_query("SELECT count(*) FROM recordings", files, {"--csv"});
    BOOST_TEST(said.code == 0, said.err);
    BOOST_TEST(said.out == "count(*)\n1\n");
    BOOST_TEST(said.says("more than once"), said.err);
  }
  // A file that was named must be a recording, even if a folder contains it.
  const std::string text = folder / "notes.txt";
  write_file(text, as_bytes(std::string_view("no recording\n")));
  BOOST_TEST(run_query("SELECT count(*) FROM recordings", {all}).code == 0);
  BOOST_TEST(run_query("SELECT count(*) FROM recordings", {all, text}).code == 1);
}

BOOST_AUTO_TEST_CASE(outputs) {
  const scratch_folder folder;
  const std::string walk = folder / "walk.rec";
  write_file(walk, a_walk());
  const std::string sql =
      "SELECT 1 AS n, 0.5 AS x, 'a,\"b' AS t, NULL AS empty, x'0aff' AS bytes, '=1+2' AS formula";
  BOOST_TEST(
      run_query(sql, {walk}, {"--json"}).out ==
      "{\"n\":1,\"x\":0.5,\"t\":\"a,\\\"b\",\"empty\":null,\"bytes\":\"0aff\",\"formula\":\"=1+2\"}\n");
  BOOST_TEST(run_query(sql, {walk}, {"--csv"}).out ==
             "n,x,t,empty,bytes,formula\n1,0.5,\"a,\"\"b\",,0aff,'=1+2\n");
  BOOST_TEST(run_query(sql, {walk}).out ==
             "n  x    t     empty  bytes  formula\n1  0.5  a,\"b         0aff   =1+2\n");
  BOOST_TEST(run_query("SELECT 1 WHERE 0", {walk}).out == "");
  for (const char* twice : {"SELECT 1 AS n, 2 AS n", "SELECT 1 AS n, 2 AS n WHERE 0"}) {
    const outcome said = run_query(twice, {walk}, {"--json"});
    BOOST_TEST(said.code == 2);
    BOOST_TEST(said.out == "");
    BOOST_TEST(said.says("AS gives"), said.err);
    BOOST_TEST(run_query(twice, {walk}, {"--csv"}).code == 0);
  }
  BOOST_TEST(run_query("SELECT 1 AS n WHERE 0", {walk}, {"--csv"}).out == "n\n");
}

// Files are scanned in the order of their names, so groups of them need no sorting, whose rows would exceed the limit.
BOOST_AUTO_TEST_CASE(a_group_of_each_file_needs_no_memory) {
  const scratch_folder folder;
  auto match = short_match();
  match.match_seconds = 60;
  std::vector<std::string> files;
  for (const char* const name : {"b.reel", "a.butter", "c.reel"}) {
    files.push_back(folder / name);
    match.seed = static_cast<std::uint64_t>(name[0]);
    write_match(files.back(), {}, match);
  }
  const std::string sql = "SELECT recording, count(*), max(length(state)) FROM ticks GROUP BY recording";
  const outcome said = run_query(sql, files, {"--csv"});
  BOOST_TEST(said.code == 0, said.err);
  const auto rows = rows_of(said.out);
  BOOST_TEST_REQUIRE(rows.size() == 3u);
  for (std::size_t at = 0; at < 3; ++at) {
    const std::string& name = files[at == 0 ? 1 : at == 1 ? 0 : 2];
    BOOST_TEST(rows[at][0] == name);
    BOOST_TEST(query_rows("SELECT count(*) FROM ticks", {name})[0][0] == rows[at][1]);
  }
  // The states are 5 MB.
  const std::string texts = "SELECT recording, max(state) FROM ticks GROUP BY recording";
  BOOST_TEST(run_query(texts, files, {"--csv", "--memory", "3MiB"}).code == 0);
  BOOST_TEST(run_query(texts + " HAVING count(*) > 1 ORDER BY recording", files, {"--memory", "3MiB"}).code ==
             0);
  BOOST_TEST(run_query("SELECT recording FROM ticks ORDER BY recording DESC LIMIT 1", files, {"--csv"}).out ==
             "recording\n" + files[2] + "\n");
}

BOOST_AUTO_TEST_CASE(names_of_files_and_folders) {
  const scratch_folder folder;
  const std::string odd = folder / odd_name("it's \"a\" <match>.butter");
  write_match(odd);
  write_file(folder.path() / "notes.txt", as_bytes(std::string_view("no recording\n")));
  const outcome said = run_query("SELECT recording FROM recordings", {folder.path().string()}, {"--json"});
  BOOST_TEST(said.code == 0, said.err);
  BOOST_TEST(lines_of(said.out).size() == 1u);
  BOOST_TEST(said.says("1 file in a folder was skipped"), said.err);
  std::string quoted;
  for (const char each : odd) quoted.append(each == '\'' ? 2 : 1, each);
  BOOST_TEST((query_rows("SELECT count(*) FROM ticks WHERE recording = '" + quoted + "' AND tick < 10",
                         {odd}) == std::vector<cells>{{"10"}}));
  // A file that was named must be a recording, and the others are read.
  const outcome named =
      run_query("SELECT count(*) FROM ticks WHERE tick < 10", {folder / "notes.txt", odd}, {"--csv"});
  BOOST_TEST(named.code == 1);
  BOOST_TEST(named.out == "count(*)\n10\n");
  BOOST_TEST(named.says("notes.txt"), named.err);
  const scratch_folder empty;
  const outcome nothing = run_query("SELECT count(*) FROM ticks", {empty.path().string()});
  BOOST_TEST(nothing.code == 1);
  BOOST_TEST(nothing.says("found no files"), nothing.err);
  BOOST_TEST(run_query("SELECT 1", {folder / "missing"}).code == 0);
  BOOST_TEST(run_query("SELECT * FROM ticks", {folder / "missing"}).code == 1);
}

BOOST_AUTO_TEST_CASE(columns_that_do_not_exist) {
  const scratch_folder folder;
  const std::string match = folder / "match.butter";
  write_match(match);
  const outcome said = run_query("SELECT sped FROM events", {match}, {"--csv"});
  BOOST_TEST(said.code == 0);
  BOOST_TEST(said.says("no value is called \"sped\""), said.err);
  BOOST_TEST(run_query("SELECT \"player.name\" FROM events", {match}).err == "");
  // A text in double quotes is a column, too.
  BOOST_TEST(run_query("SELECT 1 FROM events WHERE type = \"goal\"", {match}).says("single quotes"));
  BOOST_TEST(run_query("SELECT \"a[\" FROM ticks", {match}).code == 2);
  BOOST_TEST(run_query("SELECT s.nothing FROM statistics s", {match}).code == 2);
  const outcome spelled =
      run_query("SELECT \"session.disc.speed\", \"session.Disc.speed\" FROM ticks", {match});
  BOOST_TEST(spelled.code == 2);
  BOOST_TEST(spelled.says("one column in SQL"), spelled.err);
  // Keywords, functions and tables are no columns.
  const outcome keywords = run_query(
      "SELECT \"from\", \"Count\", \"Events\", count(*) AS n FROM events GROUP BY \"group\"", {match});
  BOOST_TEST(keywords.code == 0, keywords.err);
  BOOST_TEST(!keywords.says("one column in SQL"), keywords.err);
  for (const char* sql : {"SELECT session.disc.speed FROM ticks", "SELECT stats.points FROM players",
                          "SELECT session.disc.position[0] FROM ticks", "SELECT session.a[0].x FROM ticks",
                          "SELECT 1 FROM ticks.session"}) {
    const outcome bare = run_query(sql, {match});
    BOOST_TEST(bare.code == 2);
    BOOST_TEST(bare.says("double quotes"), sql << bare.err);
  }
  BOOST_TEST(!run_query("SELECT nothing FROM statistics", {match}).says("double quotes"));
  for (const char* sql : {"SELECT * FROM nosuch", "nosuch"}) {
    const outcome unknown = run_query(sql, {match});
    BOOST_TEST(unknown.code == 2);
    BOOST_TEST(unknown.says(
                   "no such table: nosuch; the tables are recordings, ticks, players, events and statistics"),
               unknown.err);
  }
  // Names of results are no columns.
  BOOST_TEST(
      query_rows("SELECT type, count(*) AS n FROM events GROUP BY type HAVING n > 0 ORDER BY n", {match})
          .size() > 1u);
  const outcome both = run_query("SELECT speed FROM events e JOIN ticks t USING (recording, tick)", {match});
  BOOST_TEST(both.code == 2);
  BOOST_TEST(both.says("ambiguous"), both.err);
}

BOOST_AUTO_TEST_CASE(statistics_count_each_match_once) {
  const scratch_folder folder;
  write_match(folder.path() / "a.butter");
  write_match(folder.path() / "b.reel");
  const outcome said =
      run_query("SELECT DISTINCT recording FROM statistics", {folder.path().string()}, {"--csv"});
  BOOST_TEST(rows_of(said.out).size() == 1u);
  BOOST_TEST(said.says("b.reel"), said.err);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
