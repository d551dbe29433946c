// Names as they are displayed.
#include "tickreel/text/shown.hpp"

#include <boost/test/unit_test.hpp>

#include "tickreel/text/markup.hpp"

BOOST_AUTO_TEST_SUITE(encoders_text_tests)
BOOST_AUTO_TEST_SUITE(shown_test)

using namespace tickreel;

BOOST_AUTO_TEST_CASE(no_character_reverses_the_line) {
  BOOST_TEST(text::shown("a\u202Eb\u2066c\u2069d\u200Ee\u061Cf\u202Ag") == "abcdefg");
  BOOST_TEST(text::shown("one\ntwo\r\x1B[31m\u0085\u2028") == "onetwo[31m");
  BOOST_TEST(text::shown("\u05E9\u05DD 3 \u00E4\U0001F600") == "\u05E9\u05DD 3 \u00E4\U0001F600");
  BOOST_TEST(text::shown("a\xFFz") == "a\uFFFDz");
  BOOST_TEST(text::escaped_markup("<\u202Eb>") == "&lt;b&gt;");
}

BOOST_AUTO_TEST_CASE(markdown_stays_text) {
  BOOST_TEST(text::shown_in_markdown("[x](http://y.z)") == "\\[x\\]\\(http\\:\\/\\/y\\.z\\)");
  BOOST_TEST(text::shown_in_markdown("||a||\n# b `c` @d") == "\\|\\|a\\|\\|\\# b \\`c\\` \\@d");
  BOOST_TEST(text::shown_in_markdown("Ann 2") == "Ann 2");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
