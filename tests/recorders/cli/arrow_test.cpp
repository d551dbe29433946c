// tickreel query --output and convert: an Arrow file has the same rows as a Parquet file, and the same facts.
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "fixtures.hpp"
#include "independent_reader.hpp"
#include "lines.hpp"
#include "query_rows.hpp"
#include "reel_damage.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(cli_query_tests)
BOOST_AUTO_TEST_SUITE(arrow_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct probe {
  double depth = 0;
  std::array<float, 3> facing = {1, 0, 0};
};
TICKREEL_DESCRIBE(probe, depth, facing);
TICKREEL_DECLARE(probe, (depth, unit_name("m")), (facing, unit_vector));

void record_probe(const std::string& path) {
  auto out = record<probe>(path, short_chunks());
  BOOST_REQUIRE(out);
  for (int tick = 0; tick < 10; ++tick) BOOST_REQUIRE(out->push(probe{tick / 4.0}));
  BOOST_REQUIRE(out->close());
}

// Lines of both readers are equal except for the names of types, and the facts of columns, which only Arrow has.
void check_same(const std::string& arrow, const std::string& parquet,
                std::vector<std::string>* found = nullptr) {
  std::vector<std::string> expected = read_parquet(parquet);
  BOOST_TEST_REQUIRE(expected.size() > 1u);
  replace_all(expected[1], ":INT64", ":Int64");
  replace_all(expected[1], ":DOUBLE", ":Float64");
  replace_all(expected[1], ":BYTE_ARRAY", ":Utf8");
  const std::vector<std::string> lines = read_arrow(arrow);
  BOOST_TEST_REQUIRE(lines.size() >= expected.size());
  for (std::size_t at = 0; at < expected.size(); ++at) BOOST_TEST_REQUIRE(lines[at] == expected[at]);
  if (found != nullptr) *found = lines;
}

}  // namespace

BOOST_AUTO_TEST_CASE(rows_of_a_statement_are_those_of_parquet, *with_apache_arrow) {
  const scratch_folder folder;
  // A name that needs care in SQL, JSON and on a terminal.
  const std::string reel = folder / "it's \"a\\ \xF0\x9F\x8E\xAE.reel";
  record_probe(reel);
  const char* const statements[] = {
      "ticks",
      "recordings",
      "SELECT 1 AS a, 0.5 AS b, 'c' AS c, NULL AS d FROM recordings WHERE 0",
      "SELECT NULL AS a, tick AS \"a\"\"b\", depth AS \"a.b[0]\", '' AS \" \", 'x' AS \"\xF0\x9F\x8E\xAE\" "
      "FROM ticks",
      "SELECT 9e999 AS a, -9e999 AS b, -0.0 AS c, 5e-324 AS d, 1.7976931348623157e308 AS e, "
      "-9223372036854775807 - 1 AS f, 9223372036854775807 AS g FROM recordings",
      "SELECT CASE tick % 3 WHEN 0 THEN NULL WHEN 1 THEN 2.5 ELSE tick END AS a, "
      "CASE tick % 2 WHEN 0 THEN 'x' END AS b, CAST(x'61ff' AS TEXT) AS c FROM ticks",
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 129999) "
      "SELECT i, CASE WHEN i % 5 THEN i / 2.0 END AS v FROM n, recordings"};
  for (const char* const sql : statements) {
    BOOST_TEST_CONTEXT(sql) {
      std::vector<std::string> notes;
      for (const char* const file : {"a.arrow", "a.parquet"}) {
        const outcome said = run_query(sql, {reel}, {"-o", folder / file, "--force"});
        BOOST_TEST_REQUIRE(said.code == 0, said.err);
      }
      check_same(folder / "a.arrow", folder / "a.parquet");
    }
  }
}

BOOST_AUTO_TEST_CASE(converted_ticks_are_those_of_parquet, *with_apache_arrow) {
  const scratch_folder folder;
  const std::string match = folder / "match.butter";
  write_match(match);
  BOOST_REQUIRE(run({"convert", match, folder / "a.parquet"}).code == 0);
  for (const char* const codec : {"none", "zstd"}) {
    const outcome said = run({"convert", match, folder / "a.arrow", "--codec", codec, "--force"});
    BOOST_TEST(said.code == 0, said.err);
    std::vector<std::string> lines;
    check_same(folder / "a.arrow", folder / "a.parquet", &lines);
    BOOST_TEST(std::ranges::count(lines, "session.disc.velocity[0].tickreel.unit=m/s") == 1);
  }
  for (const char* const codec : {"gzip", "lz4"}) {
    check_run({"convert", match, folder / "b.arrow", "--codec", codec}, 1, {"an .arrow takes none and zstd"});
  }
  BOOST_TEST(!std::filesystem::exists(folder / "b.arrow"));
  check_run({"info", folder / "a.arrow"}, 1, {"only writes .parquet and .arrow files"});
}

BOOST_AUTO_TEST_CASE(units_are_in_the_fields, *with_apache_arrow) {
  const scratch_folder folder;
  const std::string reel = folder / "a.reel";
  const std::string file = folder / "a.arrow";
  record_probe(reel);
  BOOST_REQUIRE(
      run_query("SELECT depth AS d, depth * 2 AS e, \"facing[0]\" FROM ticks", {reel}, {"-o", file}).code ==
      0);
  const auto lines = read_arrow(file);
  const std::vector<std::string> expected = {"d.tickreel.unit=m", "facing[0].tickreel.meaning=direction"};
  BOOST_TEST((std::vector(lines.end() - 2, lines.end()) == expected));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
