// Queries: filters, SQL, statistics.
#include "library_files.hpp"

BOOST_AUTO_TEST_SUITE(library_tests)
BOOST_AUTO_TEST_SUITE(find_test)

using namespace tickreel;
using namespace tickreel::test;
using gamecache::layout;

namespace {

// Ten games; Scourge, Bob's team, won every third.
struct ten_games : small_library {
  ten_games() {
    write_cache(folder / "ten", small_cache(layout::flagged, 0, 10));
    write_file(folder / "bad.reel", as_bytes("TICKREEL and no more"));
    scan();
  }
};

std::string sql_problem(const library::catalogue& index, const std::string& statement) {
  std::string problem;
  const auto outcome = index.sql(statement, [](const auto&) {}, [](const auto&) { return true; }, problem);
  if (outcome) return {};
  BOOST_TEST((outcome.error().code == error_code::invalid_argument), statement);
  return problem;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(filters, ten_games) {
  BOOST_TEST(find({.player = "alice"}).size() == 10u);
  BOOST_TEST(find({.player = "GUEST7"}).size() == 1u);
  BOOST_TEST(find({.player = "guest*"}).size() == 10u);
  BOOST_TEST(find({.player = "guest?"}).size() == 10u);
  BOOST_TEST(find({.player = "gues"}).empty());
  BOOST_TEST(find({.player = "[Gg]uest1"}).empty());
  BOOST_TEST(find({.player = "Alice", .result = "lost"}).size() == 4u);
  BOOST_TEST(find({.player = "Alice", .result = "won"}).size() == 6u);
  BOOST_TEST(find({.player = "Bob", .result = "won"}).size() == 4u);
  BOOST_TEST(find({.result = "Sentinel"}).size() == 6u);
  BOOST_TEST(find({.map = "dota 6.59"}).size() == 5u);
  BOOST_TEST(find({.map = "*6.6*"}).size() == 5u);
  BOOST_TEST(find({.mode = "-AP"}).size() == 10u);
  BOOST_TEST(find({.format = "gamecache"}).size() == 10u);
  BOOST_TEST(find({.format = "reel"}).size() == 1u);
  BOOST_TEST(find({.damaged = true}).size() == 1u);
  BOOST_TEST(find({.min_length_ms = 605'000}).size() == 5u);
  BOOST_TEST(find({.min_length_ms = 605'000, .max_length_ms = 606'000}).size() == 2u);
  const auto fifth = find({.player = "Guest5"}).front().started_ms;
  BOOST_TEST(find({.after_ms = fifth}).size() == 5u);
  BOOST_TEST(find({.before_ms = fifth}).size() == 5u);
  BOOST_TEST(find({.limit = 3}).size() == 3u);
  BOOST_TEST(find({.player = "Alice", .limit = 1}).front().name == "game 9");
}

BOOST_FIXTURE_TEST_CASE(texts_are_never_sql, ten_games) {
  const std::string wicked[] = {"' OR 1=1 --", "'; DROP TABLE games; --",        "\" OR \"\"=\"", "%", "\\",
                                "a\0b",        "x' UNION SELECT * FROM files --"};
  for (const std::string& each : wicked) {
    BOOST_TEST(find({.player = each}).empty(), each);
    BOOST_TEST(find({.map = each}).empty(), each);
    BOOST_TEST(find({.mode = each}).empty(), each);
    BOOST_TEST(find({.format = each}).empty(), each);
    BOOST_TEST(find({.session = each}).empty(), each);
    BOOST_TEST(find({.result = each}).empty(), each);
  }
  BOOST_TEST(find().size() == 11u);
}

BOOST_FIXTURE_TEST_CASE(sql_only_reads, ten_games) {
  std::vector<std::string> names;
  std::vector<std::optional<std::string>> values;
  std::string problem;
  const auto count = index.sql(
      "SELECT count(*) AS games, max(map), NULL FROM recordings WHERE format = 'gamecache'",
      [&](const auto& all) { names = all; },
      [&](const auto& row) {
        values = row;
        return true;
      },
      problem);
  BOOST_TEST(taken(result<std::uint64_t>(count)) == 1u);
  BOOST_REQUIRE_EQUAL(names.size(), 3u);
  BOOST_TEST(names[0] == "games");
  BOOST_TEST(values[0].value_or("") == "10");
  BOOST_TEST(values[1].value_or("") == "DotA 6.60");
  BOOST_TEST(!values[2].has_value());
  for (const char* statement :
       {"DELETE FROM games", "DROP TABLE games", "UPDATE files SET format = 'x'", "PRAGMA user_version = 7",
        "INSERT INTO games SELECT * FROM games", "ATTACH 'other.db' AS other", "SELECT 1; DELETE FROM games",
        "", "SELECT load_extension('x')", "VACUUM INTO 'copy.db'", "no such thing"}) {
    BOOST_TEST(!sql_problem(index, statement).empty(), statement);
  }
  BOOST_TEST(find().size() == 11u);
}

BOOST_FIXTURE_TEST_CASE(sums, ten_games) {
  const auto all = taken(index.stats());
  BOOST_TEST(all.games == 11u);
  BOOST_TEST(all.files == 2u);
  BOOST_TEST(all.damaged_files == 1u);
  BOOST_TEST(all.players == 12u);
  BOOST_TEST(all.played_ms == 10 * 600'000 + 45 * 1000);
  BOOST_REQUIRE(all.by_player.size() > 2);
  BOOST_TEST(all.by_player[0].name == "Alice");
  BOOST_TEST(all.by_player[0].games == 10u);
  BOOST_TEST(all.by_player[0].wins == 6u);
  BOOST_TEST(all.by_player[0].losses == 4u);
  BOOST_TEST(all.by_player[1].name == "Bob");
  BOOST_TEST(all.by_player[1].wins == 4u);
  BOOST_REQUIRE_EQUAL(all.by_map.size(), 2u);
  BOOST_TEST(all.by_map[0].name == "DotA 6.60");
  BOOST_TEST(all.by_map[0].games == 5u);
  BOOST_TEST(taken(index.stats({.player = "Guest3"})).games == 1u);

  // The same games in another file count once; its file counts.
  write_cache(folder / "again", small_cache(layout::flat, 0, 10));
  scan();
  const auto twice = taken(index.stats());
  BOOST_TEST(twice.games == 11u);
  BOOST_TEST(twice.files == 3u);
  BOOST_TEST(twice.by_player[0].games == 10u);
}

BOOST_AUTO_TEST_CASE(pages_contain_no_foreign_markup) {
  library::statistics from;
  from.by_player.push_back({"<script>alert('1')</script>&\"", 3, 1, 1, 3'600'000});
  from.by_map.push_back({"<b>", 3, 3'600'000, 0});
  for (const std::string& page : {library::html_page(from), library::svg_charts(from)}) {
    BOOST_TEST(page.find("<script") == std::string::npos);
    BOOST_TEST(page.find("<b>") == std::string::npos);
    BOOST_TEST(page.find("&lt;script&gt;alert(&#39;1&#39;)") != std::string::npos);
    BOOST_TEST(page.find("http") == page.find("http://www.w3.org/2000/svg"));
  }
  BOOST_TEST(library::html_page({}).find("0 games") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
