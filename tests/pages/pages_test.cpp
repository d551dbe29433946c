// The program's other pages.
#include <cmath>

#include "page_user.hpp"
#include "tickreel/gamecache/file.hpp"

BOOST_AUTO_TEST_SUITE(pages_tests)
BOOST_AUTO_TEST_SUITE(pages_test, *tickreel::test::with_browser)

using namespace tickreel;
using namespace tickreel::test;

BOOST_FIXTURE_TEST_CASE(statistics_of_a_library, page_user) {
  gamecache::contents games{.layout = gamecache::layout::flagged, .items = {}};
  for (std::uint32_t number = 0; number < 9; ++number) {
    gamecache::item each;
    each.fields = gamecache::field::all;
    each.path = std::to_string(number) + ".w3g";
    each.age = number;
    each.name = gamecache::from_utf8("game " + std::to_string(number), gamecache::text_form::wide);
    each.modified = 1'600'000'000 + number * 86'400;
    each.length_ms = 3'600'000 + number;
    each.map_version = gamecache::make_version(6, number % 3 == 0 ? 59 : 60);
    each.winner = number % 3 == 0 ? 2 : 1;
    each.stats_per_player = 5;
    const std::string names[] = {wicked_name, "Bob", "Guest" + std::to_string(number),
                                 "Guest" + std::to_string(number)};
    for (std::uint8_t slot = 0; slot < 4; ++slot) {
      gamecache::player player;
      player.name = gamecache::from_utf8(names[slot], gamecache::text_form::wide);
      player.team = slot % 2;
      each.players.push_back(std::move(player));
    }
    games.items.push_back(std::move(each));
  }
  games.next_age = 9;
  const auto cache = gamecache::write(games);
  BOOST_REQUIRE(cache);
  std::filesystem::create_directory(folder / "files");
  std::ofstream(folder / "files/cache", std::ios::binary) << as_text(*cache);
  const std::string index = folder / "index.db";
  make({"library", "scan", "--db", index, folder / "files"});
  make({"library", "stats", "--db", index, "--html", folder / "page.html", "--svg", folder / "charts.svg"});
  open(folder / "page.html");

  // The tables contain the output of --json, in its order.
  simdjson::dom::parser parser;
  const std::string text = run({"library", "stats", "--db", index, "--json"}).out;
  simdjson::dom::element want;
  BOOST_REQUIRE(parser.parse(text).get(want) == simdjson::SUCCESS);
  const auto players = want["by_player"].get_array().value();
  BOOST_TEST(players.size() == 2u + 9u);
  BOOST_TEST(page.number("document.querySelectorAll('table')[0].rows.length") == 1 + 11);
  BOOST_TEST(page.number("document.querySelectorAll('table')[1].rows.length") == 1 + 2);
  for (std::size_t at = 0; at < players.size(); ++at) {
    const auto row = page.ask("[...document.querySelectorAll('table')[0].rows[" + std::to_string(at + 1) +
                              "].cells].map(cell => cell.textContent)");
    const simdjson::dom::element player = players.at(at);
    BOOST_TEST(std::string_view(row.at(0)) == std::string_view(player["name"]));
    BOOST_TEST(std::string_view(row.at(1)) == std::to_string(std::uint64_t(player["games"])));
    BOOST_TEST(std::string_view(row.at(2)) == std::to_string(std::uint64_t(player["wins"])));
  }
  BOOST_TEST(std::string_view(players.at(0)["name"]) == wicked_name);
  BOOST_TEST(std::uint64_t(players.at(0)["wins"]) == 6u);
  // Two players of one name on both sides: one game, neither won nor lost.
  BOOST_TEST(std::string_view(players.at(2)["name"]).starts_with("Guest"));
  BOOST_TEST(std::uint64_t(players.at(2)["games"]) == 1u);
  BOOST_TEST(std::uint64_t(players.at(2)["wins"]) + std::uint64_t(players.at(2)["losses"]) == 0u);

  // Bars: one per row, as long as their numbers; wins in one colour, and losses after them in another.
  BOOST_TEST(count("g > rect.all") == 11 + 2 + 1);
  const auto width = [&](const char* kind) {
    return page.number(std::string("document.querySelector('g > rect.") + kind + "').width.baseVal.value");
  };
  BOOST_TEST(width("won") == std::round(width("all") * 6 / 9));
  const auto known = static_cast<double>(6 + std::uint64_t(players.at(0)["losses"]));
  BOOST_TEST(width("lost") == std::round(width("all") * known / 9));
  BOOST_TEST(count("img, script") == 0);
  BOOST_TEST(
      page.text("document.querySelector('.wide > svg > g > title').textContent").starts_with(wicked_name));
  check_narrow();
  open(folder / "charts.svg");
  BOOST_TEST(page.text("document.documentElement.tagName") == "svg");
  BOOST_TEST(count("g > rect.all") == 11 + 2 + 1);
}

BOOST_FIXTURE_TEST_CASE(the_page_of_benchmarks, page_user) {
  const std::string file = folder / "bench.html";
  BOOST_REQUIRE(run_line(shell_word(TICKREEL_SOURCE "/scripts/bench_report") + " html " +
                         shell_word(TICKREEL_SOURCE "/bench/baseline.json") + " > " + shell_word(file)) == 0);
  open(file);
  BOOST_TEST(count("h2") >= 10);
  BOOST_TEST(count("table") >= 10);
  BOOST_TEST(count("svg") >= 4);
  BOOST_TEST(page.truth("[...document.querySelectorAll('table')].every(table => table.rows.length > 1)"));
  BOOST_TEST(
      page.truth("[...document.querySelectorAll('table')].every(table => new Set([...table.rows].map(row => "
                 "row.cells.length)).size == 1)"));
  BOOST_TEST(page.truth(
      "[...document.querySelectorAll('svg')].every(svg => svg.querySelector('polyline, rect + rect') "
      "&& svg.getBoundingClientRect().width > 300)"));
  // Lines and texts stay inside their picture.
  BOOST_TEST(page.truth(
      "[...document.querySelectorAll('svg')].every(svg => { const all = svg.getBBox(), room = "
      "svg.viewBox.baseVal; return all.x >= -1 && all.y >= -1 && all.x + all.width <= room.width + 1 "
      "&& all.y + all.height <= room.height + 1 })"));
  BOOST_TEST(page.truth("!/NaN|Infinity|undefined|None/.test(document.body.textContent)"));
  check_narrow();
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
