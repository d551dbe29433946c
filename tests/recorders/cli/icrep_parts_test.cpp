// A match in several files, whose first file does not change with the others.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "run_program.hpp"
#include "scratch_folder.hpp"
#include "split_match.hpp"

BOOST_AUTO_TEST_SUITE(cli_icrep_tests)
BOOST_AUTO_TEST_SUITE(icrep_parts_test)

using namespace tickreel;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(an_index_hides_no_change_of_another_file) {
  const scratch_folder folder;
  const std::string path = folder / "match.icrep";
  const std::string second = game::part_path(path, 2).utf8();
  const std::string away = folder / "away";
  const std::string index = folder / "index.db";
  write_match_in_two_files(path);
  BOOST_REQUIRE(run({"library", "scan", path, "--db", index}).code == 0);
  for (const bool has_both : {true, false, true}) {
    if (has_both != std::filesystem::exists(second)) {
      std::filesystem::rename(has_both ? away : second, has_both ? second : away);
    }
    for (const char* const sql : {"SELECT count(*) AS n FROM ticks", "SELECT count(*) AS n FROM events"}) {
      const outcome by_file = run({"query", sql, path, "--json"});
      BOOST_TEST(by_file.code == (has_both ? 0 : 3), by_file.err);
      for (const bool keeps : {true, false}) {
        std::vector<std::string> words = {"query", sql, path, "--json", "--library", "--db", index};
        if (keeps) words.emplace_back("--keep-columns");
        const outcome by_index = run(words);
        BOOST_TEST(by_index.code == by_file.code, sql << ": " << by_index.err);
        BOOST_TEST(by_index.out == by_file.out, sql);
        BOOST_TEST(by_index.err == by_file.err, sql);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
