// Answers to a page: of recordings in memory, cut where a page shows less.
#include "tickreel/query/page_answer.hpp"

#include <boost/test/unit_test.hpp>

#include "file_bytes.hpp"
#include "scratch_folder.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(query_tests)
BOOST_AUTO_TEST_SUITE(page_answer_test)

namespace {

using namespace tickreel;

struct bell {
  double speed = 0;
  std::int32_t height = 0;
};
TICKREEL_DESCRIBE(bell, speed, height);
TICKREEL_DECLARE(bell, (speed, unit_name("m/s")));

// Ten ticks.
byte_vector bells() {
  const test::scratch_folder folder;
  const std::string path = folder / "bells.reel";
  auto out = record<bell>(path, {.mode = threading::pumped, .ticks_per_second = 10});
  BOOST_REQUIRE(out);
  for (int tick = 0; tick < 10; ++tick) {
    BOOST_REQUIRE(out->push({.speed = tick * 0.5, .height = tick * 3}));
    (void)out->pump();
  }
  BOOST_REQUIRE(out->close());
  return test::read_file(path);
}

struct page {
  byte_vector recording = bells();
  query::page_limits most = {};
  std::string csv = {};
  std::size_t max_csv_bytes = 1u << 20;

  std::string ask(std::string_view sql) {
    csv.clear();
    const query::input from = {.file = "bells.reel", .bytes = byte_source(byte_span(recording))};
    return query::page_answer(sql, from, {}, most, [this](std::string_view piece) {
      csv += piece;
      return csv.size() < max_csv_bytes;
    });
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(rows_columns_and_units) {
  page asked;
  BOOST_TEST(
      asked.ask("SELECT tick, speed AS v, height, NULL AS n, 'a\"b' AS t FROM ticks WHERE tick > 7") ==
      R"({"columns":[{"name":"tick"},{"name":"v","unit":"m/s"},{"name":"height"},{"name":"n"},{"name":"t"}],)"
      R"("rows":[[8,4,24,null,"a\"b"],[9,4.5,27,null,"a\"b"]],"count":2,"csv_bytes":50,)"
      R"("losses":[],"notes":[]})");
  BOOST_TEST(asked.csv == "tick,v,height,n,t\n8,4,24,,\"a\"\"b\"\n9,4.5,27,,\"a\"\"b\"\n");
}

BOOST_AUTO_TEST_CASE(the_first_rows_are_in_the_answer_and_all_in_the_csv) {
  page asked;
  asked.most.max_rows = 2;
  const std::string answer = asked.ask("SELECT tick FROM ticks");
  BOOST_TEST(answer.find(R"("rows":[[0],[1]],"count":10,"csv_bytes":9,)") != std::string::npos, answer);
  BOOST_TEST(asked.csv.substr(0, 9) == "tick\n0\n1\n");
  BOOST_TEST(asked.csv == "tick\n0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n");
}

BOOST_AUTO_TEST_CASE(long_texts_end_after_a_character) {
  page asked;
  asked.most.max_text_bytes = 5;
  const std::string answer = asked.ask("SELECT 'ab\u00e9\u20ac', 'abcde'");
  BOOST_TEST(answer.find("[\"ab\u00e9\u2026\",\"abcde\"]") != std::string::npos, answer);
  BOOST_TEST(asked.csv.find("ab\u00e9\u20ac,abcde") != std::string::npos, asked.csv);
}

BOOST_AUTO_TEST_CASE(a_page_takes_no_more_csv) {
  page asked;
  asked.max_csv_bytes = 1;
  const std::string answer = asked.ask(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) SELECT i FROM n");
  BOOST_TEST(answer.find(R"("count":50000)") != std::string::npos);
  BOOST_TEST((asked.csv.size() > 60'000 && asked.csv.size() < 80'000));
}

BOOST_AUTO_TEST_CASE(every_table_reads_the_bytes) {
  page asked;
  for (const std::string_view table : {"ticks", "events", "players", "statistics", "recordings"}) {
    const std::string answer = asked.ask(table);
    BOOST_TEST(answer.find("\"error\"") == std::string::npos, table << ": " << answer);
  }
  const std::string answer = asked.ask("SELECT recording, format, ticks, health FROM recordings");
  BOOST_TEST(answer.find(R"([["bells.reel","reel",10,"whole"]])") != std::string::npos, answer);
}

BOOST_AUTO_TEST_CASE(failures_are_sentences) {
  page asked;
  const auto error_of = [&](std::string_view sql) {
    const std::string answer = asked.ask(sql);
    const std::size_t at = answer.find(R"("error":)");
    return at == std::string::npos ? std::string() : answer.substr(at + 8);
  };
  BOOST_TEST(error_of("INSERT INTO ticks VALUES (1)") ==
             R"("only SELECT is possible: recordings are only read"})");
  BOOST_TEST(error_of("SELECT * FROM goals") ==
             R"("no such table: goals; the tables are recordings, ticks, players, events and statistics"})");
  asked.recording.resize(3);
  BOOST_TEST(error_of("SELECT tick FROM ticks") ==
             R"("no known format recognises this content at offset 0"})");
  asked.recording.clear();
  BOOST_TEST(error_of("SELECT tick FROM ticks") ==
             R"("no known format recognises this content at offset 0: the file is empty"})");
}

BOOST_AUTO_TEST_CASE(losses_are_listed) {
  page asked;
  asked.recording.resize(asked.recording.size() - 60);
  const std::string answer = asked.ask("SELECT count(*) FROM ticks");
  BOOST_TEST(answer.find(R"("losses":[")") != std::string::npos, answer);
}

BOOST_AUTO_TEST_CASE(tables_are_listed) {
  const std::string list = query::table_list();
  BOOST_TEST(list.starts_with(R"([{"name":"recordings","columns":[{"name":"recording","type":"TEXT"},)"),
             list);
  BOOST_TEST(list.find(R"({"name":"tick","type":"INTEGER"})") != std::string::npos);
  BOOST_TEST(list.ends_with(R"("has_paths":false}])"), list);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
