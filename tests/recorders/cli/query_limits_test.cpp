// Hostile statements, damaged recordings, and what is read.
#include <boost/test/unit_test.hpp>

#include "every_format.hpp"
#include "query_rows.hpp"
#include "reel_damage.hpp"
#include "tickreel/query/query.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(cli_query_tests)
BOOST_AUTO_TEST_SUITE(query_limits_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct marble {
  double x = 0;
  std::int32_t height = 0;
};
TICKREEL_DESCRIBE(marble, x, height);

constexpr std::uint64_t recorded = 100;

// In chunks of 5 ticks; a keyframe every 15.
byte_vector marbles(const std::filesystem::path& path) {
  auto out = record<marble>(path.string(), short_chunks());
  BOOST_REQUIRE(out);
  marble now;
  for (std::uint64_t tick = 0; tick < recorded; ++tick) {
    now.x = static_cast<double>(tick) / 4;
    now.height = static_cast<std::int32_t>(tick * 3);
    BOOST_REQUIRE(out->push(now));
    (void)out->pump();
  }
  BOOST_REQUIRE(out->close());
  return read_file(path);
}

// Damages the chunk that contains a tick.
void damage_at(byte_vector& reel, std::uint64_t tick) {
  const auto reader = reel::reader::from_memory(reel);
  BOOST_REQUIRE(reader);
  const auto& records = reader->contents().records;
  const auto chunk = std::ranges::find_if(records, [&](const reel::record_info& each) {
    return each.kind == reel::record_kind::chunk && each.first_tick <= tick && each.last_tick >= tick;
  });
  BOOST_REQUIRE((chunk != records.end()));
  reel[static_cast<std::size_t>(chunk->offset + chunk->bytes) - 12] ^= std::byte{0x10};
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_interrupted_statement_is_described_by_one_word) {
  const query::options options{.cancelled = [] { return true; }};
  query::report about;
  std::string problem;
  const auto done =
      query::run("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n", {},
                 options, {}, about, problem);
  BOOST_REQUIRE(!done);
  BOOST_TEST(describe(done.error()) == "interrupted");
}

BOOST_AUTO_TEST_CASE(nothing_is_written) {
  const scratch_folder folder;
  const std::string reel = folder / "a.reel";
  const byte_vector before = marbles(reel);
  const std::string other = folder / "other.db";
  for (const std::string& sql : {"ATTACH '" + other + "' AS o",
                                 std::string("CREATE TABLE t (a)"),
                                 std::string("CREATE TEMP TABLE t (a)"),
                                 std::string("CREATE VIEW v AS SELECT 1"),
                                 std::string("DELETE FROM ticks"),
                                 std::string("INSERT INTO events VALUES (1, 2, 3, 4, 5)"),
                                 std::string("UPDATE ticks SET tick = 1"),
                                 std::string("DROP TABLE ticks"),
                                 "VACUUM INTO '" + other + "'",
                                 std::string("VACUUM"),
                                 std::string("PRAGMA temp_store = 1"),
                                 std::string("PRAGMA journal_mode"),
                                 std::string("SELECT * FROM pragma_database_list"),
                                 std::string("SELECT load_extension('x')"),
                                 std::string("BEGIN"),
                                 std::string("SAVEPOINT a"),

                                 std::string("ANALYZE"),
                                 "SELECT writefile('" + other + "', 'x')",
                                 "SELECT readfile('" + reel + "')",
                                 std::string("CREATE VIRTUAL TABLE t USING ticks"),
                                 std::string("SELECT 1; SELECT 2"),
                                 std::string(""),
                                 std::string(";"),
                                 std::string("SELEC 1"),
                                 std::string("SELECT ?"),
                                 std::string("SELECT ?1"),
                                 std::string("SELECT * FROM ticks WHERE tick = :tick"),
                                 std::string("SELECT edit('x')"),
                                 std::string("SELECT fts3_tokenizer('simple')")}) {
    const outcome said = run_query(sql, {reel}, {"--csv"});
    BOOST_TEST(said.code == 2, sql << ": " << said.code << said.out << said.err);
    BOOST_TEST(said.out.empty(), sql << ": " << said.out);
    BOOST_TEST(!said.err.empty(), sql);
  }
  BOOST_TEST((read_file(reel) == before));
  BOOST_TEST(!std::filesystem::exists(other));
  BOOST_TEST(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

BOOST_AUTO_TEST_CASE(endless_statements_end) {
  const scratch_folder folder;
  const std::string reel = folder / "a.reel";
  marbles(reel);
  const outcome endless =
      run_query("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
                {reel}, {"--timeout", "1"});
  BOOST_TEST(endless.code == 1);
  BOOST_TEST(endless.says("exceeds its limit of 1 s"), endless.err);
  BOOST_TEST(endless.says("--timeout"), endless.err);
  const outcome product = run_query("SELECT count(*) FROM ticks a, ticks b, ticks c, ticks d, ticks e",
                                    {reel}, {"--timeout", "1"});
  BOOST_TEST(product.code == 1);
  BOOST_TEST(product.says("exceeds its limit of 1 s"), product.err);
}

#ifndef _WIN32

// No step of SQLite's machine ends meanwhile.
BOOST_AUTO_TEST_CASE(a_function_that_does_not_return_ends) {
  const scratch_folder folder;
  const std::string reel = folder / "a.reel";
  marbles(reel);
  const outcome said =
      run_query("SELECT instr(printf('%.*c', 15000000, 'a'), printf('%.*c', 7000000, 'a') || 'b')", {reel},
                {"--timeout", "1"});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(said.says("exceeds its limit of time"), said.err);
}

#endif

BOOST_AUTO_TEST_CASE(limits_may_be_large) {
  const scratch_folder folder;
  const std::string reel = folder / "a.reel";
  marbles(reel);
  for (const char* seconds : {"0", "1e9", "1e10", "1e300"}) {
    const outcome said = run_query("SELECT count(*) AS n FROM ticks", {reel},
                                   {"--csv", "--timeout", seconds, "--memory", "18446744073709551615"});
    BOOST_TEST(said.code == 0, seconds << said.err);
    BOOST_TEST(said.out == "n\n100\n", seconds);
  }
}

BOOST_AUTO_TEST_CASE(memory_is_limited) {
  const scratch_folder folder;
  const std::string reel = folder / "a.reel";
  marbles(reel);
  const std::vector<std::string> little = {"--memory", "20MiB", "--csv"};
  for (const char* sql : {"SELECT length(zeroblob(1000000000))",
                          "SELECT length(group_concat(hex(zeroblob(4000000)))) FROM ticks",
                          "SELECT 'a' LIKE printf('%.*c', 1000, '%')"}) {
    const outcome said = run_query(sql, {reel}, little);
    BOOST_TEST((said.code == 1 || said.code == 2), sql << ": " << said.code << said.out << said.err);
    BOOST_TEST(!said.err.empty(), sql);
  }
  const outcome sorted = run_query(
      "WITH RECURSIVE n(i, t) AS (SELECT 1, randomblob(1000000) UNION ALL SELECT i + 1, randomblob(1000000) "
      "FROM n "
      "LIMIT 100) SELECT count(*) FROM (SELECT t FROM n ORDER BY t LIMIT 90)",
      {reel}, little);
  BOOST_TEST(sorted.code == 1);
  BOOST_TEST(sorted.says("--memory"), sorted.err);
}

// SQLite's own functions return NULL then.
BOOST_AUTO_TEST_CASE(a_formatted_text_is_whole_or_an_error) {
  const scratch_folder folder;
  const std::string reel = folder / "a.reel";
  marbles(reel);
  for (const char* text : {"printf('%.*c', 20000000, 'x')", "format('%20000000s', 'x')"}) {
    const outcome said = run_query(std::string("SELECT length(") + text + ")", {reel}, {"--csv"});
    BOOST_TEST(said.code == 1, text << ": " << said.code);
    BOOST_TEST(said.says("a text of more than 16 MiB"), said.err);
  }
  const outcome longest = run_query("SELECT length(printf('%.*c', 16777216, 'x')) AS n", {reel}, {"--csv"});
  BOOST_TEST(longest.out == "n\n16777216\n", longest.err);
  const outcome said = run_query(
      "SELECT printf('%d %s|%.1f', 7, tick, 0.25) AS a, format('%%x') AS b, printf(NULL, 1) AS c, "
      "typeof(printf('')) AS d, length(printf('%s', NULL)) AS e FROM ticks WHERE tick = 1",
      {reel}, {"--csv"});
  BOOST_TEST(said.out == "a,b,c,d,e\n7 1|0.3,%x,,null,0\n", said.out << said.err);
}

BOOST_AUTO_TEST_CASE(infinities_are_written_as_in_ticks) {
  const scratch_folder folder;
  const std::string reel = folder / "a.reel";
  marbles(reel);
  const std::string sql = "SELECT 9e999 AS a, -9e999 AS b, 9e999 - 9e999 AS c";
  BOOST_TEST(run_query(sql, {reel}, {"--csv"}).out == "a,b,c\nInfinity,-Infinity,\n");
  BOOST_TEST(run_query(sql, {reel}, {"--json"}).out ==
             "{\"a\":\"Infinity\",\"b\":\"-Infinity\",\"c\":null}\n");
  BOOST_TEST(run_query(sql, {reel}).out.find("-Infinity") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(deep_and_long_statements) {
  const scratch_folder folder;
  const std::string reel = folder / "a.reel";
  marbles(reel);
  BOOST_TEST(run_query("SELECT " + std::string(2000, '(') + "1" + std::string(2000, ')'), {reel}).code == 2);
  std::string many = "SELECT \"c0\"";
  for (int column = 1; column < 700; ++column) many += ", \"c" + std::to_string(column) + "\"";
  BOOST_TEST(run_query(many + " FROM ticks", {reel}).code == 2);
  BOOST_TEST(run_query("SELECT '", {reel}).code == 2);
  BOOST_TEST(run_query("SELECT \"", {reel}).code == 2);
  BOOST_TEST(run_query("SELECT /* ", {reel}).code == 2);
}

// Damage in other chunks goes unnoticed, so they were not read.
BOOST_AUTO_TEST_CASE(only_the_chunks_of_the_range_are_read) {
  const scratch_folder folder;
  const std::string reel = folder / "a.reel";
  byte_vector bytes = marbles(reel);
  damage_at(bytes, 2);
  damage_at(bytes, 82);
  const std::string damaged = folder / "damaged.reel";
  write_file(damaged, bytes);
  for (const char* range :
       {"tick BETWEEN 40 AND 44", "tick >= 40 AND tick < 45", "tick IN (40, 41, 42, 43, 44)"}) {
    const outcome said = run_query(std::string("SELECT count(*), min(height) FROM ticks WHERE ") + range,
                                   {damaged}, {"--csv"});
    BOOST_TEST(said.code == 0, range << said.err);
    BOOST_TEST(said.err == "", said.err);
    BOOST_TEST(said.out == "count(*),min(height)\n5,120\n");
  }
  const outcome whole = run_query("SELECT count(*) FROM ticks", {damaged}, {"--csv"});
  BOOST_TEST(whole.code == 3);
  BOOST_TEST(whole.out == "count(*)\n" + std::to_string(lines_of(run({"cat", damaged}).out).size()) + "\n");
  BOOST_TEST(whole.says("damaged.reel: "), whole.err);
  // The whole file beside it is not concerned.
  BOOST_TEST(run_query("SELECT count(*) FROM ticks WHERE recording LIKE '%a.reel'", {reel, damaged}).code ==
             0);

  const outcome explained =
      run_query("SELECT x FROM ticks WHERE tick BETWEEN 40 AND 44", {reel, damaged}, {"--explain", "--json"});
  BOOST_TEST(explained.out.find(R"("columns":["tick","x"])") != std::string::npos, explained.out);
  BOOST_TEST(explained.out.find(R"("scans":1,"rows":5,"ticks":5,"first_tick":40,"last_tick":44)") !=
                 std::string::npos,
             explained.out);
  const outcome one = run_query("SELECT count(*) FROM ticks WHERE recording = '" + reel + "'",
                                {reel, damaged}, {"--explain", "--csv"});
  BOOST_TEST(lines_of(one.out).size() == 2u, one.out);
  BOOST_TEST(run_query("SELECT x FROM ticks", {reel}, {"--explain"}).out.find("0 to 99") !=
             std::string::npos);
}

// Damage near its end ends the reading of a capture; events have been found before it.
BOOST_AUTO_TEST_CASE(events_before_an_error_are_rows) {
  const scratch_folder folder;
  const std::string tape = folder / "match.tape";
  write_match(tape);
  byte_vector bytes = read_file(tape);
  bytes[bytes.size() - 64] ^= std::byte{0x10};
  write_file(tape, bytes);
  const outcome events = run({"events", tape});
  BOOST_TEST(events.code == 1);
  BOOST_TEST(!events.out.empty());
  for (const std::vector<std::string>& files :
       std::vector<std::vector<std::string>>{{tape}, {tape, folder / "missing"}}) {
    const auto rows = query_rows("SELECT event FROM events", files, 1);
    BOOST_TEST(rows.size() == lines_of(events.out).size());
  }
  const auto pairs = query_rows("SELECT count(*) FROM events a JOIN events b USING (recording)", {tape}, 1);
  const std::size_t count = lines_of(events.out).size();
  BOOST_TEST(pairs[0][0] == std::to_string(count * count));
}

BOOST_AUTO_TEST_CASE(truncated_files_report_their_losses) {
  const scratch_folder folder;
  for (const auto& path : fixtures(folder)) {
    byte_vector bytes = read_file(path);
    bytes.resize(bytes.size() * 2 / 3);
    const std::string cut = folder / ("cut_" + path.filename().string());
    write_file(cut, bytes);
    const outcome cat = run({"cat", cut});
    const outcome said = run_query("SELECT tick FROM ticks", {cut}, {"--csv"});
    BOOST_TEST(said.code == cat.code, cut << said.err);
    BOOST_TEST((cat.code == 0) == said.err.empty(), said.err);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
