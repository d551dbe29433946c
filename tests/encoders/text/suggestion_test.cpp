#include "tickreel/text/suggestion.hpp"

#include <boost/test/unit_test.hpp>

#include "random.hpp"

BOOST_AUTO_TEST_SUITE(encoders_text_tests)
BOOST_AUTO_TEST_SUITE(suggestion_test)

using namespace tickreel;

BOOST_AUTO_TEST_CASE(each_edit_is_a_letter) {
  BOOST_TEST(text::edit_distance("", "") == 0u);
  BOOST_TEST(text::edit_distance("info", "info") == 0u);
  BOOST_TEST(text::edit_distance("", "info") == 4u);
  BOOST_TEST(text::edit_distance("infos", "info") == 1u);
  BOOST_TEST(text::edit_distance("nfo", "info") == 1u);
  BOOST_TEST(text::edit_distance("into", "info") == 1u);
  BOOST_TEST(text::edit_distance("ifno", "info") == 1u);
  BOOST_TEST(text::edit_distance("ehco", "info") == 3u);
}

BOOST_AUTO_TEST_CASE(the_edit_distance_is_bounded) {
  auto random = test::seeded_random("suggestion");
  const auto letter = [&] { return static_cast<char>('a' + random() % 3); };
  for (int i = 0; i < 2000; ++i) {
    std::string one(random() % 12, ' ');
    for (char& each : one) each = letter();
    std::string other = one;
    const std::size_t changes = random() % 4;
    for (std::size_t change = 0; change < changes; ++change) {
      const std::size_t at = random() % (other.size() + 1);
      const auto kind = random() % 3;
      if (kind == 0 || at == other.size()) {
        other.insert(at, 1, letter());
      } else if (kind == 1) {
        other.erase(at, 1);
      } else {
        other[at] = letter();
      }
    }
    const std::size_t apart = text::edit_distance(one, other);
    BOOST_REQUIRE_MESSAGE(apart <= changes, one << ' ' << other);
    BOOST_REQUIRE_MESSAGE(apart == text::edit_distance(other, one), one << ' ' << other);
    BOOST_REQUIRE_MESSAGE((apart == 0) == (one == other), one << ' ' << other);
  }
}

BOOST_AUTO_TEST_CASE(the_nearest_name_is_suggested) {
  const std::vector<std::string> verbs = {"info", "convert", "events", "--keyframe-interval", "walk_to"};
  const auto said = [&](std::string_view word) { return text::suggestion(word, verbs); };
  BOOST_TEST(said("infos") == "; did you mean 'info'?");
  BOOST_TEST(said("conver") == "; did you mean 'convert'?");
  BOOST_TEST(said("EVENT") == "; did you mean 'events'?");
  BOOST_TEST(said("--keyframe_intervall") == "; did you mean '--keyframe-interval'?");
  BOOST_TEST(said("--key") == "; did you mean '--keyframe-interval'?");  // begun
  BOOST_TEST(said("WalkTo") == "; did you mean 'walk_to'?");
  BOOST_TEST(said("ke") == "");
  BOOST_TEST(said("xylophone") == "");
  BOOST_TEST(said("") == "");
  BOOST_TEST(said("info" + std::string(40, '_')) == "");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
