#include "tickreel/text/csv.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(encoders_text_tests)
BOOST_AUTO_TEST_SUITE(csv_test)

namespace {

std::string cell(std::string_view text) {
  std::string out;
  tickreel::text::append_csv_text(text, out);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(cells_are_quoted_where_necessary) {
  BOOST_TEST(cell("") == "");
  BOOST_TEST(cell("plain text") == "plain text");
  BOOST_TEST(cell("a,b") == "\"a,b\"");
  BOOST_TEST(cell("say \"no\"") == "\"say \"\"no\"\"\"");
  BOOST_TEST(cell("two\nlines") == "\"two\nlines\"");
}

BOOST_AUTO_TEST_CASE(no_cell_becomes_a_formula) {
  BOOST_TEST(cell("=1+1") == "'=1+1");
  BOOST_TEST(cell("@cmd,x") == "\"'@cmd,x\"");
  BOOST_TEST(cell("\tx") == "'\tx");
  BOOST_TEST(cell("-x") == "'-x");
  BOOST_TEST(cell("-5.5") == "-5.5");
  BOOST_TEST(cell("a=b") == "a=b");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
