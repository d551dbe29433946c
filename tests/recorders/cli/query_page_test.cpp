// Every statement of docs/query.md, on recordings of the games that it names.
#include <boost/test/unit_test.hpp>
#include <map>

#include "every_format.hpp"
#include "query_rows.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(cli_query_tests)
BOOST_AUTO_TEST_SUITE(query_page_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct page_token {
  double x = 0;
  std::uint32_t round = 0;
};
TICKREEL_DESCRIBE(page_token, x, round);
struct bell {
  std::uint8_t count = 0;
};
TICKREEL_DESCRIBE(bell, count);
struct page_unit {
  float x = 0;
};
TICKREEL_DESCRIBE(page_unit, x);
struct page_world {
  entities<page_unit, 4> units;
};
TICKREEL_DESCRIBE(page_world, units);

// Statements by the comment before them.
std::multimap<std::string, std::string> statements_of_page() {
  std::multimap<std::string, std::string> out;
  std::string* open = nullptr;
  std::string game;
  for (const std::string& line : lines_of(text_of_file(TICKREEL_QUERY_PAGE))) {
    if (line.starts_with("<!-- ") && line.ends_with(" -->")) {
      game = line.substr(5, line.size() - 9);
    } else if (line == "```sql") {
      open = &out.emplace(game, "")->second;
    } else if (line.starts_with("```")) {
      open = nullptr;
    } else if (open != nullptr) {
      *open += line + "\n";
    }
  }
  return out;
}

std::string season_of(const scratch_folder& folder) {
  const std::filesystem::path season = folder.path() / "season";
  std::filesystem::create_directory(season);
  for (const std::uint64_t seed : {2u, 3u, 7u}) {
    auto match = short_match();
    match.seed = seed;
    match.players_per_team = 4;
    match.match_seconds = 100;
    const char* const extension = seed == 2 ? ".reel" : seed == 3 ? ".echoreplay" : ".butter";
    write_match(season / ("match" + std::to_string(seed) + extension), {}, match);
  }
  return season.string();
}

std::string described_of(const scratch_folder& folder) {
  const std::string path = folder / "own.reel";
  auto out = record<page_token>(path, {.ticks_per_second = 60});
  BOOST_REQUIRE(out);
  page_token now;
  for (std::uint32_t tick = 0; tick < 60; ++tick) {
    now.x = tick;
    now.round = tick / 20;
    BOOST_REQUIRE(out->push(now));
    if (tick % 20 == 5) BOOST_REQUIRE(out->event(bell{static_cast<std::uint8_t>(tick)}));
  }
  BOOST_REQUIRE(out->close());
  return path;
}

std::string list_of(const scratch_folder& folder) {
  const std::string path = folder / "units.reel";
  auto out = record<page_world>(path, {.ticks_per_second = 60});
  BOOST_REQUIRE(out);
  page_world now;
  BOOST_REQUIRE(now.units.add({2.5f}));
  for (int tick = 0; tick < 20; ++tick) BOOST_REQUIRE(out->push(now));
  BOOST_REQUIRE(out->close());
  return path;
}

}  // namespace

BOOST_AUTO_TEST_CASE(statements_of_the_page) {
  const scratch_folder folder;
  const std::string season = season_of(folder);
  const std::string own = described_of(folder);
  const std::string list = list_of(folder);
  const std::string replay = folder / "sample.SC2Replay";
  write_file(replay, sample_file());
  const std::string cut = folder / "cut.butter";
  byte_vector bytes = read_file(season + "/match7.butter");
  bytes.resize(bytes.size() / 2);
  write_file(cut, bytes);
  const std::map<std::string, std::vector<std::string>> files = {{"echo", {season}},
                                                                 {"library", {}},
                                                                 {"sc2", {replay}},
                                                                 {"sc2-blocks", {replay}},
                                                                 {"described", {own}},
                                                                 {"described-list", {list}},
                                                                 {"any", {season, own, cut, replay}}};
  const std::string index = folder / "index.db";
  BOOST_REQUIRE(run({"library", "scan", season, "--db", index}).code == 0);
  std::map<std::string, int> counted;
  for (const auto& [game, sql] : statements_of_page()) {
    BOOST_TEST_REQUIRE(files.contains(game), game);
    ++counted[game];
    std::vector<std::string> options = {"--csv"};
    if (game == "library") options.insert(options.end(), {"--library", "--db", index});
    const outcome said = run_query(sql, files.at(game), options);
    BOOST_TEST((said.code == 0 || (said.code == 3 && game == "any")), sql << said.err);
    BOOST_TEST(!said.says("no value"), sql << said.err);
    // The players of the replay are never blocked.
    BOOST_TEST((rows_of(said.out).size() > 0u || game == "sc2-blocks"), sql << said.out << said.err);
  }
  BOOST_TEST(counted["echo"] >= 10);
  BOOST_TEST(counted["sc2"] >= 3);
  BOOST_TEST(counted["described"] >= 2);
  BOOST_TEST(counted["library"] >= 2);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
