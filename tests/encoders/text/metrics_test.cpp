#include "tickreel/text/metrics.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

#include "tickreel/text/utf8.hpp"

BOOST_AUTO_TEST_SUITE(encoders_text_tests)
BOOST_AUTO_TEST_SUITE(metrics_test)

using namespace tickreel;

BOOST_AUTO_TEST_CASE(a_page) {
  std::string out;
  text::metrics_writer page(out);
  page.metric("up", text::metric_kind::gauge, "Whether it answers").sample(1.0);
  page.metric("ticks_total", text::metric_kind::counter, "Ticks");
  page.sample(std::numeric_limits<std::uint64_t>::max(), {{"league", "a b"}, {"match", "\"\\\n"}});
  page.sample(0.25, {{"league", "Z\xc3\xbcrich"}});
  page.metric("odd", text::metric_kind::gauge, "Numbers that are none");
  page.sample(std::numeric_limits<double>::infinity()).sample(-std::numeric_limits<double>::infinity());
  page.sample(std::numeric_limits<double>::quiet_NaN());
  BOOST_TEST(out ==
             "# HELP up Whether it answers\n# TYPE up gauge\nup 1\n"
             "# HELP ticks_total Ticks\n# TYPE ticks_total counter\n"
             "ticks_total{league=\"a b\",match=\"\\\"\\\\\\n\"} 18446744073709551615\n"
             "ticks_total{league=\"Z\xc3\xbcrich\"} 0.25\n"
             "# HELP odd Numbers that are none\n# TYPE odd gauge\nodd +Inf\nodd -Inf\nodd NaN\n");
}

BOOST_AUTO_TEST_CASE(labels_are_utf8_whatever_the_bytes_are) {
  std::string out;
  text::append_label_value("\xff\xc3\xa9\xed\xa0\x80", out);
  BOOST_TEST(out == "=FF\xc3\xa9=ED=A0=80");
  for (int byte = 0; byte < 256; ++byte) {
    std::string one;
    text::append_label_value(std::string(1, static_cast<char>(byte)), one);
    BOOST_TEST(text::is_utf8(one));
    BOOST_TEST(one.find('\n') == std::string::npos);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
