#include "tickreel/text/markup.hpp"

#include <boost/test/unit_test.hpp>

#include "random.hpp"
#include "random_bytes.hpp"

BOOST_AUTO_TEST_SUITE(encoders_text_tests)
BOOST_AUTO_TEST_SUITE(markup_test)

using namespace tickreel;

BOOST_AUTO_TEST_CASE(special_characters_are_escaped) {
  BOOST_TEST(text::escaped_markup("<b a='1' c=\"2\">&amp;</b>") ==
             "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp;&lt;/b&gt;");
  BOOST_TEST(text::escaped_markup(std::string_view("a\0\n\x1F\x7F"
                                                   "b",
                                                   6)) == "a    b");
  BOOST_TEST(text::escaped_markup("\xC3\xA9\xFF") == "\xC3\xA9\xEF\xBF\xBD");
}

BOOST_AUTO_TEST_CASE(no_markup_is_left) {
  auto random = test::seeded_random("markup");
  for (int i = 0; i < 5000; ++i) {
    const std::string out = text::escaped_markup(test::random_bytes(random));
    BOOST_REQUIRE(text::is_utf8(out));
    BOOST_REQUIRE(out.find_first_of("<>\"'") == std::string::npos);
    for (std::size_t at = 0; at < out.size(); ++at) {
      BOOST_REQUIRE(static_cast<unsigned char>(out[at]) >= 0x20);
      if (out[at] == '&') BOOST_REQUIRE(out.find(';', at) != std::string::npos);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
