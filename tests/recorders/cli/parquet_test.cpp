// tickreel query --output and convert: a Parquet file has the rows of the statement.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>

#include "fixtures.hpp"
#include "independent_reader.hpp"
#include "query_rows.hpp"
#include "reel_damage.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(cli_query_tests)
BOOST_AUTO_TEST_SUITE(parquet_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct place {
  double x = 0;
  float y = 0;
};
TICKREEL_DESCRIBE(place, x, y);

struct lamp {
  place at;
  bool lit = false;
  std::int32_t height = 0;
  std::uint64_t recording = 0;  // as a column that every table has
};
TICKREEL_DESCRIBE(lamp, at, lit, height, recording);

struct three_spellings {
  std::int32_t AB = 1;
  std::int32_t Ab = 2;
  std::int32_t aB = 3;
};
TICKREEL_DESCRIBE(three_spellings, AB, Ab, aB);

struct rover {
  double height = 0;
  std::array<float, 3> facing = {1, 0, 0};
  std::array<float, 2> at = {};
};
TICKREEL_DESCRIBE(rover, height, facing, at);
TICKREEL_DECLARE(rover, (height, unit_name("m")), (facing, unit_vector), (at, unit_name("km")));

struct jump {
  float rise = 0;
  float depth = 0;
};
TICKREEL_DESCRIBE(jump, rise, depth);
TICKREEL_DECLARE(jump, (rise, unit_name("m")), (depth, unit_name("m")));
struct fall {
  float rise = 0;
  float depth = 0;
};
TICKREEL_DESCRIBE(fall, rise, depth);
TICKREEL_DECLARE(fall, (rise, unit_name("m")), (depth, unit_name("ft")));

struct old_rover {
  double height = 0;
};
TICKREEL_DESCRIBE(old_rover, height);
TICKREEL_DECLARE(old_rover, (height, unit_name("ft")));

template <class State>
void record_one(const std::string& path, const State& state = {}) {
  auto out = record<State>(path, short_chunks());
  BOOST_REQUIRE(out);
  BOOST_REQUIRE(out->push(state));
  BOOST_REQUIRE(out->close());
}

constexpr std::uint64_t recorded = 100;

void record_lamps(const std::filesystem::path& path) {
  auto out = record<lamp>(path.string(), short_chunks());
  BOOST_REQUIRE(out);
  lamp now;
  for (std::uint64_t tick = 0; tick < recorded; ++tick) {
    now.at = {static_cast<double>(tick) / 4, -1.5f};
    now.lit = tick % 3 == 0;
    now.height = static_cast<std::int32_t>(tick) - 50;
    now.recording = tick * 2;
    BOOST_REQUIRE(out->push(now));
    (void)out->pump();
  }
  BOOST_REQUIRE(out->close());
}

bool is_parquet(const std::string& file) {
  const std::string text = text_of_file(file);
  return text.starts_with("PAR1") && text.ends_with("PAR1") && text.size() > 12;
}

// Nothing but these files is in a folder.
void check_names(const scratch_folder& folder, std::vector<std::string> expected) {
  std::vector<std::string> found;
  for (const auto& each : std::filesystem::directory_iterator(folder.path())) {
    found.push_back(each.path().filename().string());
  }
  std::ranges::sort(found);
  std::ranges::sort(expected);
  BOOST_TEST(found == expected, boost::test_tools::per_element());
}

// Facts about the file are its last lines.
constexpr std::size_t fact_count = 5;

std::string fact(const std::vector<std::string>& lines, const std::string& key) {
  for (const std::string& each : lines) {
    if (each.starts_with(key + "=")) return each.substr(key.size() + 1);
  }
  return {};
}

// The cells between head and facts.
std::vector<cells> rows_in(const std::vector<std::string>& lines) {
  std::vector<cells> out;
  for (std::size_t at = 2; at + fact_count < lines.size(); ++at) {
    cells row;
    for (std::size_t begin = 0; begin <= lines[at].size();) {
      const std::size_t end = std::min(lines[at].find('\t', begin), lines[at].size());
      row.push_back(lines[at].substr(begin, end - begin));
      begin = end + 1;
    }
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_file_is_written_whole_or_not_at_all) {
  const scratch_folder folder;
  const std::string reel = folder / "a.reel";
  const std::string file = folder / "a.parquet";
  record_lamps(reel);
  const outcome said = run_query("SELECT tick, height FROM ticks", {reel}, {"-o", file});
  BOOST_TEST(said.code == 0, said.err);
  BOOST_TEST(said.out == file + "\n");
  BOOST_TEST(said.says("100 rows"), said.err);
  BOOST_TEST(is_parquet(file));
  const std::string before = text_of_file(file);

  BOOST_TEST(run_query("SELECT 1 AS a FROM ticks", {reel}, {"-o", file}).code == 1);  // it exists
  BOOST_TEST((text_of_file(file) == before));
  BOOST_TEST(run_query("SELECT 1 AS a FROM ticks", {reel}, {"-o", file, "--force"}).code == 0);
  BOOST_TEST((text_of_file(file) != before));
  std::filesystem::remove(file);

  const outcome twice = run_query("SELECT tick, tick FROM ticks", {reel}, {"-o", file});
  BOOST_TEST(twice.code == 2);
  BOOST_TEST(twice.says("AS gives a column another name"), twice.err);
  BOOST_TEST(run_query("SELECT", {reel}, {"-o", file}).code == 2);
  BOOST_TEST(
      run_query("SELECT 1 AS \"\" FROM ticks", {reel}, {"-o", file}).says("AS gives a column another name"));
  BOOST_TEST(run_query("SELECT tick FROM ticks", {folder / "none.reel"}, {"-o", file}).code == 1);
  BOOST_TEST(run_query("SELECT tick FROM ticks", {reel}, {"-o", folder / "a.csv"}).code == 2);
  BOOST_TEST(run_query("SELECT tick FROM ticks", {reel}, {"-o", file, "--csv"}).code == 2);
  check_names(folder, {"a.reel"});
}

BOOST_AUTO_TEST_CASE(a_parquet_file_is_only_written) {
  const scratch_folder folder;
  const std::string reel = folder / "a.reel";
  const std::string file = folder / "a.parquet";
  record_lamps(reel);
  const outcome said = run({"convert", reel, file});
  BOOST_TEST(said.code == 0, said.err);
  BOOST_TEST(said.says("100 ticks"), said.err);
  BOOST_TEST(is_parquet(file));
  const outcome info = run({"info", file});
  BOOST_TEST(info.code == 1);
  BOOST_TEST(info.says("only writes .parquet and .arrow files"), info.err);
  // Neither a recording without rows nor one of another game.
  for (const char* table : {"ticks", "players", "events", "statistics", "recordings"}) {
    const outcome asked = run_query(table, {file}, {"--csv"});
    BOOST_TEST(asked.code == 1, table);
    BOOST_TEST(asked.says("only writes .parquet and .arrow files"), table << ": " << asked.err);
  }
  BOOST_TEST(run({"convert", file, folder / "b.butter"}).says("only writes .parquet and .arrow files"));
  const outcome folders = run_query("SELECT count(*) FROM ticks", {folder.path().string()}, {"--csv"});
  BOOST_TEST(folders.code == 0, folders.err);
  BOOST_TEST(folders.says("1 file in a folder was skipped"), folders.err);
  BOOST_TEST(run({"convert", reel, folder / "b.parquet", "--from", "0.1s", "--to", "0.2s"})
                 .says("WHERE tick BETWEEN"));
  BOOST_TEST(run({"convert", reel, folder / "b.parquet", "--codec", "lz4"}).says("none, gzip and zstd"));
}

BOOST_AUTO_TEST_CASE(the_name_of_a_table_selects_all_members) {
  const scratch_folder folder;
  const std::string reel = folder / "a.reel";
  record_lamps(reel);
  const outcome said = run_query("ticks", {reel}, {"--csv"});
  BOOST_TEST(said.code == 0, said.err);
  BOOST_TEST(lines_of(said.out)[0] == "recording,tick,time_ms,at.x,at.y,lit,height,\"[\"\"recording\"\"]\"");
  const auto rows = rows_of(said.out);
  BOOST_TEST(rows.size() == recorded);
  BOOST_TEST(rows[3][1] == "3");
  BOOST_TEST(rows[3][3] == "0.75");
  BOOST_TEST(rows[3][5] == "1");
  BOOST_TEST(rows[3][7] == "6");
}

BOOST_AUTO_TEST_CASE(no_member_is_left_out_because_of_its_name) {
  const scratch_folder folder;
  const std::string reel = folder / "a.reel";
  {
    auto out = record<three_spellings>(reel);
    BOOST_REQUIRE(out);
    BOOST_REQUIRE(out->push(three_spellings{}));
    BOOST_REQUIRE(out->close());
  }
  const outcome said = run_query("ticks", {reel}, {"--csv"});
  BOOST_TEST(said.code == 0, said.err);
  // Without a spelling of its own in SQL, the last one is in the JSON.
  BOOST_TEST(lines_of(said.out)[0] == "recording,tick,time_ms,AB,\"[\"\"Ab\"\"]\",state");
  const auto rows = rows_of(said.out);
  BOOST_REQUIRE(rows.size() == 1u);
  BOOST_TEST(rows[0][3] == "1");
  BOOST_TEST(rows[0][4] == "2");
  BOOST_TEST(rows[0][5].find("\"aB\":3") != std::string::npos, rows[0][5]);
}

BOOST_AUTO_TEST_CASE(texts_that_are_not_utf8_are_repaired_and_counted, *with_hyparquet) {
  const scratch_folder folder;
  const std::string reel = folder / "a.reel";
  const std::string file = folder / "a.parquet";
  record_lamps(reel);
  const outcome said = run_query("SELECT CAST(x'61ff' AS TEXT) AS a FROM recordings", {reel}, {"-o", file});
  BOOST_TEST(said.code == 0, said.err);
  BOOST_TEST(said.says("1 text not UTF-8"), said.err);
  BOOST_TEST(rows_in(read_parquet(file))[0][0] == cell_of(std::string_view("a\xEF\xBF\xBD")));
}

// 1e999 is a JSON number, but no double holds it. Integers keep their digits.
BOOST_AUTO_TEST_CASE(numbers_that_no_cell_holds_are_null_and_reported, *with_hyparquet) {
  const scratch_folder folder;
  const std::string match = folder / "match.echoreplay";
  const std::string file = folder / "a.parquet";
  write_match(folder.path() / "whole.echoreplay");
  BOOST_REQUIRE(run({"convert", folder / "whole.echoreplay", match, "--codec", "none"}).code == 0);
  std::string text = text_of_file(match);
  std::size_t line = 0;
  for (int number = 0; number < 5; ++number) line = text.find('\n', line) + 1;
  text.insert(text.find('{', line) + 1, "\"x\":1e999,\"y\":-123456789012345678901,\"z\":\"\\\"1e999\",");
  write_file(match, as_bytes(text));
  const outcome said = run_query(
      R"(SELECT "session.x", "session.y", "session.z", "session.disc.bounce_count" IS NULL FROM ticks)"
      " WHERE tick = 5",
      {match});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.says("match.echoreplay: 1 tick has numbers larger than 1.8e308, tick 5 is the first"),
             said.err);
  BOOST_TEST(said.out.find("-123456789012345678901  \"1e999") != std::string::npos, said.out);
  const outcome players = run_query("SELECT count(*), count(\"ping\") FROM players WHERE tick = 5", {match});
  BOOST_TEST(players.code == 3);
  const outcome whole = run({"convert", match, file});
  BOOST_TEST(whole.code == 3);
  BOOST_TEST(whole.says("tick 5 is the first"), whole.err);
  BOOST_TEST(rows_in(read_parquet(file)).size() == static_cast<std::size_t>(std::ranges::count(text, '\n')));
}

BOOST_AUTO_TEST_CASE(the_output_is_not_an_input) {
  const scratch_folder folder;
  const std::string file = folder / "a.parquet";  // a reel
  record_lamps(file);
  const std::string before = text_of_file(file);
  const outcome said = run_query("SELECT tick FROM ticks", {file}, {"-o", file, "--force"});
  BOOST_TEST(said.code == 2);
  BOOST_TEST(said.says("input and output are the same file"), said.err);
  BOOST_TEST(run({"convert", file, file, "--to", "parquet", "--force"}).code != 0);
  BOOST_TEST((text_of_file(file) == before));
}

BOOST_AUTO_TEST_CASE(losses_are_in_the_file, *with_hyparquet) {
  const scratch_folder folder;
  const std::string reel = folder / "a.reel";
  record_lamps(reel);
  byte_vector bytes = read_file(reel);
  bytes[bytes.size() / 2] ^= std::byte{0x10};
  write_file(reel, bytes);
  const std::string file = folder / "a.parquet";
  const outcome said = run({"convert", reel, file});
  BOOST_TEST(said.code == 3, said.err);
  const auto lines = read_parquet(file);
  const std::string losses = fact(lines, "tickreel.losses");
  BOOST_TEST(losses.starts_with("[{\"file\":"), losses);
  BOOST_TEST(losses.find("\"lost\":[\"") != std::string::npos, losses);
}

BOOST_AUTO_TEST_CASE(declared_units_are_in_the_file, *with_hyparquet) {
  const scratch_folder folder;
  const std::string reel = folder / "a.reel";
  const std::string file = folder / "a.parquet";
  record_one<rover>(reel);
  BOOST_REQUIRE(run({"convert", reel, file}).code == 0);
  auto lines = read_parquet(file);
  BOOST_TEST(fact(lines, "tickreel.units") == R"({"height":"m","at[0]":"km","at[1]":"km"})");
  BOOST_TEST(fact(lines, "tickreel.meanings") ==
             R"({"facing[0]":"direction","facing[1]":"direction","facing[2]":"direction"})");
  // A column keeps its unit under another name; an expression has none.
  const outcome said = run_query(
      "SELECT h AS \"up \"\"\", \"[\"\"at\"\"][0]\" AS x, h * 2 AS twice, tick "
      "FROM (SELECT height AS h, \"[\"\"at\"\"][0]\", tick FROM ticks)",
      {reel}, {"-o", file, "--force"});
  BOOST_TEST(said.code == 0, said.err);
  lines = read_parquet(file);
  BOOST_TEST(fact(lines, "tickreel.units") == R"({"up \"":"m","x":"km"})");
  BOOST_TEST(fact(lines, "tickreel.meanings") == "{}");
}

BOOST_AUTO_TEST_CASE(a_column_with_two_units_has_none, *with_hyparquet) {
  const scratch_folder folder;
  const std::string file = folder / "a.parquet";
  record_one<rover>(folder / "a.reel");
  record_one<old_rover>(folder / "b.reel");
  const outcome said =
      run_query("SELECT height FROM ticks", {folder / "a.reel", folder / "b.reel"}, {"-o", file});
  BOOST_TEST(said.code == 0, said.err);
  BOOST_TEST(said.says("column \"height\" has no unit, because the recordings have different ones"),
             said.err);
  BOOST_TEST(fact(read_parquet(file), "tickreel.units") == "{}");
  // Only recordings that were read count.
  BOOST_REQUIRE(run_query("SELECT height FROM ticks WHERE recording LIKE '%b.reel'",
                          {folder / "a.reel", folder / "b.reel"}, {"-o", file, "--force"})
                    .code == 0);
  BOOST_TEST(fact(read_parquet(file), "tickreel.units") == R"({"height":"ft"})");
}

BOOST_AUTO_TEST_CASE(units_of_echo_vr_are_in_the_file, *with_hyparquet) {
  const scratch_folder folder;
  const std::string match = folder / "match.butter";
  const std::string file = folder / "a.parquet";
  write_match(match);
  BOOST_REQUIRE(
      run_query("SELECT player, ping, speed AS v, \"head.position[1]\" AS y, \"velocity[0]\" FROM players "
                "WHERE tick < 3",
                {match}, {"-o", file})
          .code == 0);
  BOOST_TEST(fact(read_parquet(file), "tickreel.units") ==
             R"({"ping":"ms","v":"m/s","y":"m","velocity[0]":"m/s"})");
  BOOST_REQUIRE(
      run_query(
          "SELECT \"session.game_clock\", \"session.disc.speed\" AS v, \"session.blue_points\" FROM ticks "
          "WHERE tick < 3",
          {match}, {"-o", file, "--force"})
          .code == 0);
  BOOST_TEST(fact(read_parquet(file), "tickreel.units") == R"({"session.game_clock":"s","v":"m/s"})");
}

BOOST_AUTO_TEST_CASE(units_of_events_are_in_the_file, *with_hyparquet) {
  const scratch_folder folder;
  const std::string file = folder / "a.parquet";
  const std::string match = folder / "match.butter";
  write_match(match);
  BOOST_REQUIRE(
      run_query("SELECT type, speed AS v, \"player.name\" AS who FROM events", {match}, {"-o", file}).code ==
      0);
  BOOST_TEST(fact(read_parquet(file), "tickreel.units") == R"({"v":"m/s"})");
  // Kinds of events with the same unit, and with different ones.
  const std::string reel = folder / "a.reel";
  {
    auto out = tickreel::record<rover>(reel, {.ticks_per_second = 60});
    BOOST_REQUIRE(out);
    BOOST_TEST(out->push(rover{}));
    BOOST_TEST(out->event(jump{}));
    BOOST_TEST(out->event(fall{}));
    BOOST_REQUIRE(out->close());
  }
  BOOST_REQUIRE(run_query("SELECT type, rise, depth FROM events", {reel}, {"-o", file, "--force"}).code == 0);
  BOOST_TEST(fact(read_parquet(file), "tickreel.units") == R"({"rise":"m"})");
}

// Each row of a file, with its columns' names. Without nulls, which a file of fewer members lacks.
std::vector<std::map<std::string, std::string>> named_rows(const std::vector<std::string>& lines) {
  cells names = rows_in({lines[0], lines[1], lines[1], "", "", "", "", ""})[0];
  for (std::string& each : names) each.resize(each.rfind(':'));
  std::vector<std::map<std::string, std::string>> out;
  for (const cells& row : rows_in(lines)) {
    auto& made = out.emplace_back();
    for (std::size_t at = 0; at < row.size(); ++at) {
      if (row[at] != "n") made[names[at]] = row[at];
    }
  }
  return out;
}

BOOST_AUTO_TEST_CASE(files_of_single_recordings_are_one_data_set, *with_hyparquet) {
  const scratch_folder folder;
  const std::filesystem::path season = folder.path() / "season";
  std::filesystem::create_directory(season);
  record_one<rover>((season / "a b.reel").string(), {.height = 0.5, .facing = {0, 1, 0}});
  record_one<old_rover>((season / "it's.reel").string(), {.height = 7});
  BOOST_REQUIRE(run_query("ticks", {season.string()}, {"-o", folder / "one.parquet"}).code == 0);
  auto expected = named_rows(read_parquet(folder / "one.parquet"));
  std::vector<std::map<std::string, std::string>> found;
  for (const char* const name : {"a b.reel", "it's.reel"}) {
    BOOST_REQUIRE(run({"convert", (season / name).string(), folder / "part.parquet", "--force"}).code == 0);
    for (auto& row : named_rows(read_parquet(folder / "part.parquet"))) found.push_back(std::move(row));
  }
  // `height` is a real in one recording and an integer in the other one: a real in one file.
  BOOST_TEST_REQUIRE(found.size() == 2u);
  BOOST_TEST(found[1]["height"] == cell_of(std::int64_t{7}));
  found[1]["height"] = cell_of(7.0);
  BOOST_TEST((found == expected));
}

BOOST_AUTO_TEST_CASE(columns_have_the_types_of_their_values, *with_hyparquet) {
  const scratch_folder folder;
  const std::string reel = folder / "a.reel";
  const std::string file = folder / "a.parquet";
  record_lamps(reel);
  const outcome said = run_query(
      "WITH t(whole, real, widened, large, mixed, absent, words) AS (VALUES "
      "(1, 0.5, 1, 9007199254740993, 'a', NULL, 'b'), (-2, -1e300, 2.5, 0.5, 7, NULL, ''), "
      "(NULL, NULL, NULL, NULL, NULL, NULL, NULL)) "
      "SELECT t.*, statistics.apm, statistics.id FROM t, recordings LEFT JOIN statistics ON 0",
      {reel}, {"-o", file});
  BOOST_TEST(said.code == 0, said.err);
  BOOST_TEST(said.says("column \"large\" is a text, because it has reals and integers above 2^53"), said.err);
  BOOST_TEST(said.says("column \"mixed\" is a text, because it has texts and numbers"), said.err);
  const auto lines = read_parquet(file);
  BOOST_TEST(
      lines[1] ==
      "whole:INT64\treal:DOUBLE\twidened:DOUBLE\tlarge:BYTE_ARRAY\tmixed:BYTE_ARRAY\tabsent:BYTE_ARRAY\t"
      "words:BYTE_ARRAY\tapm:DOUBLE\tid:BYTE_ARRAY");
  const auto rows = rows_in(lines);
  BOOST_TEST_REQUIRE(rows.size() == 3u);
  const auto text = [](std::string_view of) { return cell_of(of); };
  const cells first = {"i:1",     cell_of(0.5), cell_of(1.0), text("9007199254740993"), text("a"), "n",
                       text("b"), "n",          "n"};
  const cells second = {"i:-2", cell_of(-1e300), cell_of(2.5), text("0.5"), text("7"),
                        "n",    text(""),        "n",          "n"};
  BOOST_TEST(rows[0] == first, boost::test_tools::per_element());
  BOOST_TEST(rows[1] == second, boost::test_tools::per_element());
  BOOST_TEST(rows[2] == cells(9, "n"), boost::test_tools::per_element());
}

// More rows than memory holds as one group: they wait in a file beside the output.
BOOST_AUTO_TEST_CASE(many_rows_are_several_groups, *with_hyparquet) {
  const scratch_folder folder;
  const std::string reel = folder / "a.reel";
  const std::string file = folder / "a.parquet";
  record_lamps(reel);
  // The last row changes the type of the groups before.
  const outcome said = run_query(
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 299999) "
      "SELECT i, CASE WHEN i = 299999 THEN 0.5 ELSE i % 7 END AS v FROM n, recordings",
      {reel}, {"-o", file});
  BOOST_TEST(said.code == 0, said.err);
  check_names(folder, {"a.parquet", "a.reel"});
  const auto lines = read_parquet(file);
  BOOST_TEST(lines[0] == "3");
  BOOST_TEST(lines[1] == "i:INT64\tv:DOUBLE");
  const auto rows = rows_in(lines);
  BOOST_TEST_REQUIRE(rows.size() == 300'000u);
  for (std::size_t at = 0; at < rows.size(); at += 9973) {
    BOOST_TEST(rows[at][0] == cell_of(static_cast<std::int64_t>(at)));
    BOOST_TEST(rows[at][1] == cell_of(static_cast<double>(at % 7)));
  }
  BOOST_TEST(rows.back()[1] == cell_of(0.5));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
