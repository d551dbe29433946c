#include "tickreel/echo_vr/name_pattern.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "random.hpp"

namespace tickreel::echo_vr {

BOOST_AUTO_TEST_SUITE(echo_vr_units_tests)
BOOST_AUTO_TEST_SUITE(name_pattern_test)

namespace {

constexpr std::int64_t time_ms = 1'657'998'298'159;  // 2022-07-16 19:04:58.159

BOOST_AUTO_TEST_CASE(placeholders_are_filled_in) {
  const name_values words{.time_ms = time_ms,
                          .map = "mpl_arena_a",
                          .session = "1A2B3C4D-0000",
                          .type = "Echo_Arena_Private",
                          .blue = "Flat Earth",
                          .orange = "ORANGE TEAM",
                          .client = "caster",
                          .host = "192.168.1.20",
                          .round = 2};
  const auto named = [&](std::string_view pattern, std::uint32_t number = 1) {
    BOOST_TEST(check_name_pattern(pattern) == "", pattern);
    return file_stem(pattern, words, number);
  };
  BOOST_TEST(named("{date}_{map}_{blue}-{orange}_{n}", 7) ==
             "2022-07-16_mpl_arena_a_Flat_Earth-ORANGE_TEAM_7");
  BOOST_TEST(named("{time} {session} {type} round {round}") ==
             "19-04-58 1A2B3C4D Echo_Arena_Private round 2");
  BOOST_TEST(named("{client}@{host}") == "caster@192_168_1_20");
  BOOST_TEST(named("finale") == "finale");
  BOOST_TEST(named("finale", 3) == "finale-3");
  BOOST_TEST(named("{date}", 2) == "2022-07-16-2");
  BOOST_TEST(file_stem("{blue}", {}) == "unknown");
}

BOOST_AUTO_TEST_CASE(an_invalid_pattern_is_reported) {
  const auto says = [](std::string_view pattern, std::string_view part) {
    const std::string said = check_name_pattern(pattern);
    BOOST_TEST(said.find(part) != std::string::npos, pattern << ": " << said);
  };
  says("{dat}", "did you mean 'date'?");
  says("{Orange}", "did you mean 'orange'?");
  says("{xylophone}", "unknown placeholder {xylophone}");
  says("{}", "unknown placeholder {}");
  says("{date", "brace");
  says("date}", "brace");
  says("{{date}}", "unknown placeholder");
  says("a/b", "--out");
  says("a\\b", "--out");
  says("a:b", "':'");
  says("a\nb", "control");
  says("..", "begin");
  says("", "empty");
  says("\xff", "UTF-8");
  says(std::string(121, 'a'), "120");
}

BOOST_AUTO_TEST_CASE(device_names_of_windows_are_avoided) {
  for (const char* const device : {"con", "CON", "Prn", "aux", "nul", "com1", "COM9", "lpt0"}) {
    BOOST_TEST(file_stem("{blue}", {.blue = device}) == std::string("_") + device);
    BOOST_TEST(file_stem(std::string(device) + ".{map}", {.map = "m"}) == '_' + std::string(device) + ".m");
  }
  BOOST_TEST(file_stem("{blue}", {.blue = "console"}) == "console");
  BOOST_TEST(file_stem("{blue}", {.blue = "com10"}) == "com10");
  BOOST_TEST(file_stem("a.", {}) == "a_");
}

BOOST_AUTO_TEST_CASE(no_name_is_read_as_an_option) {
  BOOST_TEST(file_stem("{map}", {.map = "-rf"}) == "_-rf");
  BOOST_TEST(file_stem("{blue}-{n}", {.blue = "--out"}, 2) == "_--out-2");
  BOOST_TEST(file_stem("a{map}", {.map = "-rf"}) == "a-rf");
}

BOOST_AUTO_TEST_CASE(a_number_is_never_truncated) {
  const std::string long_word(300, 'w');
  const name_values words{.map = long_word,
                          .type = long_word,
                          .blue = long_word,
                          .orange = long_word,
                          .client = long_word,
                          .host = long_word};
  const std::string_view pattern = "{map}{type}{blue}{orange}{client}{host}{n}";
  BOOST_TEST(check_name_pattern(pattern) == "");
  BOOST_TEST(file_stem(pattern, words, 2).ends_with("-2"));
  BOOST_TEST(file_stem(pattern, words, 2) != file_stem(pattern, words, 3));
  BOOST_TEST(file_stem(pattern, words, 10'000).size() <= 200u);
}

BOOST_AUTO_TEST_CASE(hostile_names_stay_in_the_folder) {
  auto random = test::seeded_random("hostile words");
  for (int round = 0; round < 2000; ++round) {
    std::string words[4];
    for (std::string& each : words) {
      each.resize(random() % 60);
      for (char& c : each) c = static_cast<char>(random());
    }
    const std::string stem =
        file_stem("x{blue}-{orange} {map}{session}",
                  {.map = words[0], .session = words[1], .blue = words[2], .orange = words[3]});
    BOOST_TEST(stem.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_- ") ==
               std::string::npos);
    BOOST_TEST(stem.size() <= 200u);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::echo_vr
