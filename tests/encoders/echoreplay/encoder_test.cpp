#include "tickreel/echoreplay/encoder.hpp"

#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>

#include "tickreel/echoreplay/line.hpp"

BOOST_AUTO_TEST_SUITE(encoders_echoreplay_tests)
BOOST_AUTO_TEST_SUITE(encoder_test)

using namespace tickreel;
using namespace tickreel::echoreplay;

namespace {

std::string frame_of(const answer& from) {
  encoder encoder;
  byte_vector room(encoder.max_frame_size());
  byte_writer out(room);
  encoder.encode(from, frame_kind::keyframe, out);
  BOOST_REQUIRE(out.ok());
  return std::string(as_text(out.written()));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_frame_is_the_line) {
  const auto from = std::make_unique<answer>();
  for (const bool with_bones : {false, true}) {
    for (const char* bones : {"", "{\"err_code\":0}"}) {
      BOOST_REQUIRE(from->assign(1'658'001'898'159, "{\"a\":1}", bones, with_bones));
      std::string expected;
      append_line(line{from->recorded_time_ms, from->session(), from->bones(), with_bones}, expected);
      BOOST_TEST(frame_of(*from) == expected);
      const auto columns = split_line(std::string_view(expected).substr(0, expected.size() - 1));
      BOOST_REQUIRE(columns.has_value());
      BOOST_TEST(columns->has_bones_column == with_bones);
      BOOST_TEST(columns->bones == (with_bones ? bones : ""));
    }
  }
}

BOOST_AUTO_TEST_CASE(responses_of_several_lines_become_one) {
  const auto from = std::make_unique<answer>();
  BOOST_REQUIRE(from->assign(0, "\r\n{\n\t\"a\": 1\r\n}\n", " {} \n", true));
  BOOST_TEST(from->session() == "{  \"a\": 1  }");
  BOOST_TEST(from->bones() == "{}");
}

BOOST_AUTO_TEST_CASE(input_that_does_not_fit_changes_nothing) {
  const auto from = std::make_unique<answer>();
  BOOST_REQUIRE(from->assign(7, "{}", "", false));
  const std::string half(answer::capacity / 2, 'x');
  BOOST_TEST(!from->assign(8, half + "x", half, true));
  BOOST_TEST(!from->assign(8, std::string(answer::capacity + 1, 'x'), "", true));
  BOOST_TEST(from->recorded_time_ms == 7);
  BOOST_TEST(from->session() == "{}");
  BOOST_TEST(from->assign(8, half, half, true));
  BOOST_TEST(from->assign(8, half + "x", half, false));  // the bones are left out
  BOOST_TEST(frame_of(*from).size() <= encoder{}.max_frame_size());
  BOOST_REQUIRE(from->assign(9, half, half, true));
  BOOST_TEST(frame_of(*from).size() == answer::capacity + 27);
}

BOOST_AUTO_TEST_CASE(copies_are_complete) {
  const auto from = std::make_unique<answer>();
  const auto to = std::make_unique<answer>();
  BOOST_REQUIRE(from->assign(7, "{\"a\":1}", "{\"b\":2}", true));
  BOOST_REQUIRE(to->assign(1, std::string(1000, 'x'), "", false));
  copy_state(*to, *from);
  BOOST_TEST(frame_of(*to) == frame_of(*from));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
