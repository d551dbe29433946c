// tickreel query and convert: a tick or event whose JSON no parser accepts does not hide the others.
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "fixtures.hpp"
#include "independent_reader.hpp"
#include "mcap_bytes.hpp"
#include "query_rows.hpp"

BOOST_AUTO_TEST_SUITE(cli_query_tests)
BOOST_AUTO_TEST_SUITE(query_bad_ticks_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

std::string nested(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

// Ten ticks as another program writes them; tick 5 has the bad members. Ten events, likewise.
void write_messages(const std::string& path, const std::string& bad) {
  mcap_bytes file;
  file.add(mcap_bytes::schema(1, "tickreel.Tick") + mcap_bytes::schema(2, "tickreel.Event") +
           mcap_bytes::channel(1, "/tick", "json", 1) + mcap_bytes::channel(2, "/events", "json", 2));
  for (std::uint64_t tick = 0; tick < 10; ++tick) {
    const std::string members = "\"x\":" + std::to_string(tick) + (tick == 5 ? "," + bad : "") + "}";
    const std::string place = "{\"tick\":" + std::to_string(tick);
    const std::uint64_t time_ns = 1'000'000'000 + tick * 10'000'000;
    file.add(
        mcap_bytes::message(1, time_ns, place + ",\"time_ms\":" + std::to_string(tick * 10) + "," + members));
    file.add(mcap_bytes::message(2, time_ns, place + ",\"type\":\"bell\"," + members));
  }
  write_file(path, as_bytes(file.finish()));
}

struct bad_members {
  const char* json;
  const char* reason;
  const char* name;   // of the member that is read
  const char* value;  // of tick 5, in CSV
};
constexpr bad_members repairable[] = {
    {R"("name":"\ud800 a")", "1 tick has texts that are not Unicode, tick 5 is the first", "name",
     "\xEF\xBF\xBD a"},
    {R"("name":"\udc00\ud800")", "1 tick has texts that are not Unicode", "name", "\xEF\xBF\xBD\xEF\xBF\xBD"},
    {R"("\ud800":7)", "1 tick has texts that are not Unicode", "\xEF\xBF\xBD", "7"},
    {R"("big":-1e999)", "1 tick has numbers larger than 1.8e308, tick 5 is the first", "big", ""},
    {R"("big":1e999,"name":"\ud800")", "1 tick has texts that are not Unicode", "name", "\xEF\xBF\xBD"},
};

// The rows of a table with its bad member repaired, which are reported as `reason`.
std::vector<std::vector<std::string>> repaired_rows(const std::string& table, const bad_members& bad,
                                                    const std::string& file, const std::string& reason) {
  write_messages(file, bad.json);
  const std::string name = "\"[\"\"" + std::string(bad.name) + "\"\"]\"";
  const outcome said = run_query("SELECT tick, x, " + name + " FROM " + table, {file}, {"--csv"});
  BOOST_TEST(said.code == 3, said.err);
  BOOST_TEST(said.says(reason), said.err);
  auto rows = rows_of(said.out);
  BOOST_TEST_REQUIRE(rows.size() == 10u);
  BOOST_TEST(rows[5][2] == bad.value);
  return rows;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_repaired_tick_is_a_row) {
  const scratch_folder folder;
  for (const bad_members& each : repairable) {
    BOOST_TEST_CONTEXT(each.json) {
      const auto rows = repaired_rows("ticks", each, folder / "a.mcap", each.reason);
      for (std::size_t tick = 0; tick < rows.size(); ++tick)
        BOOST_TEST(rows[tick][1] == std::to_string(tick));
    }
  }
}

// Numbers that are too small are 0, also beside one that is too large.
BOOST_AUTO_TEST_CASE(small_numbers_are_no_loss) {
  const scratch_folder folder;
  const std::string file = folder / "a.mcap";
  const std::string zeros(400, '0');
  const struct {
    std::string number;
    const char* value;
  } cases[] = {{"0." + zeros + "1", "0"},     {"-0." + zeros + "1e+9", "0"}, {"1e-99999999999999999999", "0"},
               {"1" + zeros + "e-400", "1"},  {"1" + zeros + ".5e-5", ""},   {"0." + zeros + "1e999", ""},
               {"1E99999999999999999999", ""}};
  for (const auto& each : cases) {
    write_messages(file, "\"n\":" + each.number + ",\"name\":\"\\ud800\"");
    const outcome said = run_query("SELECT n + 0, x FROM ticks WHERE tick = 5", {file}, {"--csv"});
    BOOST_TEST_CONTEXT(each.number) {
      BOOST_TEST(said.code == 3, said.err);
      BOOST_TEST(said.says("larger than 1.8e308") == (*each.value == '\0'), said.err);
      const auto rows = rows_of(said.out);
      BOOST_TEST_REQUIRE(rows.size() == 1u);
      BOOST_TEST(rows[0][0] == each.value);
      BOOST_TEST(rows[0][1] == "5");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_repaired_event_is_a_row) {
  const scratch_folder folder;
  const std::string file = folder / "a.mcap";
  for (const bad_members& each : repairable) {
    BOOST_TEST_CONTEXT(each.json) {
      (void)repaired_rows("events", each, file,
                          std::string("1 event") + (each.reason + std::string("1 tick").size()));
      // The JSON itself is as recorded, which is no loss.
      const auto exact = query_rows("SELECT event FROM events WHERE tick = 5", {file});
      BOOST_TEST_REQUIRE(exact.size() == 1u);
      BOOST_TEST(exact[0][0].find(each.json) != std::string::npos, exact[0][0]);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_repaired_tick_is_in_the_file, *with_hyparquet) {
  const scratch_folder folder;
  const std::string messages = folder / "a.mcap";
  const std::string file = folder / "a.parquet";
  for (const bad_members& each : repairable) {
    write_messages(messages, each.json);
    BOOST_TEST_CONTEXT(each.json) {
      const outcome said = run({"convert", messages, file, "--force"});
      BOOST_TEST(said.code == 3, said.err);
      BOOST_TEST(said.says(each.reason), said.err);
      const auto lines = read_parquet(file);
      BOOST_TEST(lines[2 + 5].starts_with(cell_of(std::string_view(messages)) + "\ti:5\t"), lines[2 + 5]);
      BOOST_TEST(lines[2 + 9].starts_with(cell_of(std::string_view(messages)) + "\ti:9\t"), lines[2 + 9]);
      const auto is_reported = [&](const std::string& line) {
        return line.starts_with("tickreel.losses=") && line.find(each.reason) != std::string::npos;
      };
      BOOST_TEST(std::ranges::any_of(lines, is_reported));
    }
  }
}

// A member of a line is nested one level deeper in its tick, which parsers reject above 1024 levels.
BOOST_AUTO_TEST_CASE(a_tick_that_is_nested_too_deep_has_nulls) {
  const scratch_folder folder;
  const std::string match = folder / "match.echoreplay";
  write_match(folder.path() / "whole.echoreplay");
  BOOST_REQUIRE(run({"convert", folder / "whole.echoreplay", match, "--codec", "none"}).code == 0);
  std::string text = text_of_file(match);
  std::size_t line = 0;
  for (int number = 0; number < 5; ++number) line = text.find('\n', line) + 1;
  text.insert(text.find('{', line) + 1, "\"deep\":" + nested(1023) + ",");
  write_file(match, as_bytes(text));
  const auto ticks = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  const outcome said = run_query(
      R"(SELECT tick, "session.sessionid" IS NULL, "session.disc.speed" FROM ticks)", {match}, {"--csv"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.says("1 tick has JSON that is nested too deep or too long, tick 5 is the first"), said.err);
  const auto rows = rows_of(said.out);
  BOOST_TEST_REQUIRE(rows.size() == ticks);
  for (std::size_t tick = 0; tick < ticks; ++tick) BOOST_TEST(rows[tick][1] == (tick == 5 ? "1" : "0"));
  // A computed value needs no JSON.
  BOOST_TEST(!rows[5][2].empty());
  // With the name of a table, the JSON of the rows has what no column has.
  const outcome all = run_query("ticks", {match}, {"--csv"});
  BOOST_TEST(all.code == 3);
  const auto whole = rows_of(all.out);
  BOOST_TEST_REQUIRE(whole.size() == ticks);
  BOOST_TEST((whole[5].back().find(nested(1023)) != std::string::npos));
}

BOOST_AUTO_TEST_CASE(a_text_that_is_too_long_is_null_and_reported) {
  const scratch_folder folder;
  const std::string file = folder / "a.mcap";
  write_messages(file, "\"long\":\"" + std::string((std::size_t{16} << 20) + 1, 'a') + "\"");
  for (const char* const column : {"long", "state"}) {
    const outcome said =
        run_query("SELECT x, " + std::string(column) + " IS NULL FROM ticks", {file}, {"--csv"});
    BOOST_TEST(said.code == 3);
    BOOST_TEST(said.says("1 value is longer than 16 MiB, tick 5 is the first: it is NULL"), said.err);
    const auto rows = rows_of(said.out);
    BOOST_TEST_REQUIRE(rows.size() == 10u);
    BOOST_TEST(rows[5] == (cells{"5", "1"}), boost::test_tools::per_element());
  }
  // The members of that tick are unknown, which is not silent.
  const outcome all = run_query("ticks", {file}, {"--csv"});
  BOOST_TEST(all.code == 3);
  BOOST_TEST(all.says("1 value is longer than 16 MiB"), all.err);
  BOOST_TEST(rows_of(all.out).size() == 10u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
