// tickreel stats and library stats of a match in several recordings.
#include <simdjson.h>

#include <boost/test/unit_test.hpp>
#include <map>

#include "run_program.hpp"
#include "statistics_rows.hpp"

BOOST_AUTO_TEST_SUITE(cli_stats_tests)
BOOST_AUTO_TEST_SUITE(stats_parts_test)

namespace {

using namespace tickreel::test;
namespace dom = simdjson::dom;
namespace files = tickreel::files;

// The ticks of a match from `first` to before `end`, as a recorder writes them that begins or ends in the match.
class part_source final : public files::echo_source {
 public:
  part_source(std::uint64_t first, std::uint64_t end) : whole_(match_of(3)), first_(first), end_(end) {}
  tickreel::result<bool> next(tickreel::echo::state& out) override {
    for (;;) {
      if (tick_ >= end_) return false;
      auto more = whole_.next(out);
      if (!more || !*more || tick_++ >= first_) return more;
    }
  }
  tickreel::result<void> rewind() override {
    tick_ = 0;
    return whole_.rewind();
  }

 private:
  tickreel::echo_vr::simulated_source whole_;
  std::uint64_t first_, end_, tick_ = 0;
};

}  // namespace

// As a recorder with --split-rounds writes them, or one that was started again.
BOOST_AUTO_TEST_CASE(parts_of_a_match_count_as_one_match) {
  const scratch_folder folder;
  const std::string season = folder / "season", whole = folder / "whole.butter";
  std::filesystem::create_directory(season);
  write_match(whole, {}, match_of(3));
  const auto part = [&](const std::string& name, std::uint64_t first, std::uint64_t end) {
    part_source source(first, end);
    BOOST_REQUIRE(files::convert(source, season + '/' + name));
  };
  const auto check = [&](const outcome& printed) {
    std::map<std::string, std::map<std::string, std::string>> expected;
    for (const auto& row : named_rows(run({"stats", whole, "--csv", "--sums"}).out)) {
      expected[row.at("id")] = row;
    }
    const auto rows = named_rows(printed.out);
    BOOST_TEST(rows.size() == expected.size());
    for (const auto& row : rows) {
      for (const char* key : {"games", "won", "lost", "points", "goals", "saves", "stuns", "assists"}) {
        BOOST_TEST(row.at(key) == expected[row.at("id")][key], key);
      }
    }
  };
  part("a.butter", 0, 300);
  part("b.reel", 300, 900);
  part("c.echoreplay", 900, 1'000'000);
  const outcome parts = run({"stats", season, "--csv", "--sums"});
  BOOST_TEST(parts.err == "");
  check(parts);
  // More recordings of the same parts change nothing.
  part("d.butter", 300, 900);
  part("e.reel", 350, 800);
  part("f.butter", 800, 1050);
  const outcome more = run({"stats", season, "--csv", "--sums"});
  check(more);
  const std::string longest = (std::filesystem::path(season) / "b.reel").string();
  for (const char* each : {"d.butter", "e.reel"}) {
    BOOST_TEST(more.says(each + (": not counted: " + longest) + " contains the same match"), more.err);
  }
  BOOST_TEST(more.says("f.butter: not counted: "), more.err);
  BOOST_TEST(more.says(", which is more complete, overlaps it"), more.err);
  // A row for each part; the library has the same rule.
  const auto of_parts = named_rows(run({"stats", season, "--csv"}).out);
  BOOST_TEST(of_parts.size() > named_rows(more.out).size());
  const std::string index = folder / "index.sqlite";
  BOOST_REQUIRE(run({"library", "scan", season, "--db", index}).code == 0);
  check(run({"library", "stats", "--db", index, "--full", "--csv"}));
  const outcome counted = run({"library", "stats", "--db", index, "--json"});
  BOOST_TEST(counted.out.find("\"games\":1,\"files\":6") != std::string::npos, counted.out);
  dom::parser parser;
  dom::object document;
  BOOST_REQUIRE(parser.parse(counted.out).get(document) == simdjson::SUCCESS);
  for (const dom::element each : document["by_player"].get_array()) {
    BOOST_TEST(each["games"].get_int64().value() == 1);
  }
  std::int64_t games = 0;
  for (const dom::element each : document["by_format"].get_array()) games += each["games"].get_int64();
  BOOST_TEST(games == 1);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
