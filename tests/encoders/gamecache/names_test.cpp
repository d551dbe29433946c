// Numbers that represent names, versions, times and texts.
#include "tickreel/gamecache/names.hpp"
#include "sample.hpp"
#include "shared_data.hpp"

BOOST_AUTO_TEST_SUITE(encoders_gamecache_tests)
BOOST_AUTO_TEST_SUITE(names_test)

using namespace tickreel;
using namespace tickreel::gamecache;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(words) {
  BOOST_TEST(hero_name(0) == "No Hero");
  BOOST_TEST(hero_name(34) == "Anti-Mage");
  BOOST_TEST(hero_name(90) == "Invoker");
  BOOST_TEST(hero_name(91) == "");
  BOOST_TEST(lane_name(0) == "roaming");
  BOOST_TEST(lane_name(4) == "away");
  BOOST_TEST(lane_name(5) == "");
  BOOST_TEST(team_name(0) == "sentinel");
  BOOST_TEST(team_name(1) == "scourge");
  BOOST_TEST(team_name(2) == "");
  BOOST_TEST(winner_name(-4) == "scourge_by_position");
  BOOST_TEST(winner_name(0) == "unknown");
  BOOST_TEST(winner_name(2) == "scourge");
  BOOST_TEST(winner_name(-5) == "");
  BOOST_TEST(winner_name(3) == "");
  BOOST_TEST(winner_name(-3) == "sentinel_by_position");
  BOOST_TEST(int{*winning_team(-3)} == 0);
  BOOST_TEST(int{*winning_team(-4)} == 1);
  BOOST_TEST(int{*winning_team(2)} == 1);
  BOOST_TEST(!winning_team(0).has_value());
  BOOST_TEST(!winning_team(3).has_value());
}

BOOST_AUTO_TEST_CASE(the_published_hero_table) {
  const auto folder = shared_data("gamecache");
  if (folder.empty()) return;
  std::ifstream table(folder / "heroes.csv");
  std::string line;
  std::getline(table, line);
  int rows = 0;
  for (; std::getline(table, line); ++rows) {
    if (line.ends_with('\r')) line.pop_back();
    const auto comma = line.find(',');
    const int id = std::stoi(line.substr(0, comma));
    BOOST_TEST(hero_name(static_cast<std::uint8_t>(id)) == line.substr(comma + 1));
  }
  BOOST_TEST(rows == 91);
}

BOOST_AUTO_TEST_CASE(versions) {
  BOOST_TEST(make_version(2, 9) == 5434u);
  BOOST_TEST(make_version(6, 59, 1) == 17135u);
  BOOST_TEST(make_version(1, 23) == 3198u);
  BOOST_TEST(normalised_version(208) == 2704u);
  BOOST_TEST(normalised_version(211) == 2731u);
  BOOST_TEST(normalised_version(2339) == 30395u);
  BOOST_TEST(normalised_version(2340) == 2340u);
  BOOST_TEST(version_text(2704) == "1.04");
  BOOST_TEST(version_text(2731) == "1.05b");
  BOOST_TEST(version_text(2965) == "1.14b");
  BOOST_TEST(version_text(0) == "");
  BOOST_TEST(version_text(17135) == "6.59b");
}

BOOST_AUTO_TEST_CASE(times) {
  BOOST_TEST(unix_seconds(0).value_or(-1) == 0);
  BOOST_TEST(unix_seconds(1'240'000'003).value_or(-1) == 1'240'000'003);
  BOOST_TEST(unix_seconds(100'000'000'000).value_or(-1) == 100'000'000'000);
  BOOST_TEST(!unix_seconds(100'000'000'001).has_value());
  BOOST_TEST(!unix_seconds(10'000'000'000'000'000).has_value());
  BOOST_TEST(!unix_seconds(-1).has_value());
  // 2009-04-17T20:26:43Z as a Windows file time.
  BOOST_TEST(unix_seconds(116'444'736'000'000'000 + 12'400'000'030'000'000).value_or(-1) == 1'240'000'003);
}

BOOST_AUTO_TEST_CASE(texts) {
  BOOST_TEST(to_utf8(wide("José 玩家 \U0001F600")) == "José 玩家 \U0001F600");
  BOOST_TEST(wide("\U0001F600").bytes.size() == 4u);
  BOOST_TEST(utf16_units(wide("\U0001F600a")) == 3u);
  BOOST_TEST(utf16_units(plain("\U0001F600a\xff")) == 4u);
  BOOST_TEST(to_utf8(text{text_form::wide, std::string("\x00\xd8", 2)}) ==
             "\xEF\xBF\xBD");  // half of a surrogate pair
  BOOST_TEST(to_utf8(text{text_form::wide, std::string("\x00\xdc"
                                                       "a\0",
                                                       4)}) ==
             "\xEF\xBF\xBD"
             "a");
  BOOST_TEST(to_utf8(plain("\xed\xa0\x80")) == "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // a surrogate
  BOOST_TEST(to_utf8(plain("\xc0\x80")) == "\xEF\xBF\xBD\xEF\xBF\xBD");                  // overlong
  BOOST_TEST(wide(std::string_view("a\0b", 3)).bytes.size() == 2u);
  BOOST_TEST(same_path("C:\\Replay\\A.w3g", "c:/replay/a.W3G"));
  BOOST_TEST(!same_path("C:\\Replay\\A.w3g", "C:\\Replay\\A.w3"));
  BOOST_TEST(path_hash("C:\\Replay\\A.w3g") == path_hash("c:/replay/a.W3G"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
