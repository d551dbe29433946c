// Limits for shapes: a small state in a reel must not expand to hundreds of megabytes.
#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>

#include "tickreel/bytes/varint.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/echoreplay/line_keeper.hpp"

BOOST_AUTO_TEST_SUITE(encoders_echoreplay_tests)
BOOST_AUTO_TEST_SUITE(line_limit_test)

using namespace tickreel;

namespace {

// A player whose name is written with six bytes per character.
std::unique_ptr<echo::state> long_named() {
  auto made = std::make_unique<echo::state>();
  made->match.fields = echo::session::has_client_name;
  made->match.client_name.assign(std::string(64, '\x02'));
  return made;
}

std::string shape_of(std::size_t holes) {
  std::string text = "2022/07/16 20:04:58.159\t{";
  for (std::size_t i = 0; i < holes; ++i) text += "\"client_name\":\x01,";
  text.back() = '}';
  return text + "\r\n";
}

byte_vector shape_event(std::string_view text) {
  byte_vector event(64 + text.size());
  byte_writer to(event);
  to.u8(0);
  write_leb128(to, 1);
  to.u8(0);
  write_leb128(to, text.size());
  write_leb128(to, text.size());
  to.bytes(as_bytes(text));
  event.resize(to.size());
  return event;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_line_over_the_limit_is_not_generated) {
  const auto state = long_named();
  echoreplay::line_values values;
  values.take(*state);
  auto shape = echoreplay::line_shape::from_text(shape_of(10));
  BOOST_REQUIRE(shape);
  std::string line;
  BOOST_REQUIRE(shape->append_line(values, 1u << 20, line));
  BOOST_TEST(line.size() > 10 * 64u * 6);
  const std::size_t size = line.size();
  std::string out = "before";
  BOOST_TEST(!shape->append_line(values, size - 1, out));
  BOOST_TEST(out == "before");
  BOOST_TEST(shape->append_line(values, size, out));
  BOOST_TEST(out == "before" + line);
}

BOOST_AUTO_TEST_CASE(a_reel_cannot_request_such_a_line) {
  const auto state = long_named();
  for (const std::size_t holes : {std::size_t{10}, std::size_t{100'000}}) {
    echoreplay::line_restorer back;
    (void)back.take({shape_event(shape_of(holes))});
    BOOST_TEST(back.knows_shape(1));
    std::string out;
    BOOST_TEST(back.append_line({echo::line_kind::shaped, 1}, *state, {}, out) == (holes == 10));
    BOOST_TEST(out.empty() == (holes != 10));
    BOOST_TEST(out.capacity() < 4 * echoreplay::max_restored_line_bytes);
  }
}

// Stored lines round-trip; a line that cannot is known to be missing.
BOOST_AUTO_TEST_CASE(a_line_that_is_too_long_is_missing) {
  const auto state = long_named();
  for (const std::size_t over : {std::size_t{0}, std::size_t{1}}) {
    std::string line = "2022/07/16 20:04:58.159\t{\"odd\":\"";
    line.append(echoreplay::max_restored_line_bytes + over - line.size() - 4, 'x');
    line += "\"}\r\n";
    echoreplay::line_keeper keeper;
    const auto how = keeper.keep({}, line, *state);
    BOOST_TEST((how.kind == echo::line_kind::missing) == (over == 1));
    BOOST_TEST(keeper.not_kept() == over);
    echoreplay::line_restorer back;
    const auto events = back.take(keeper.events());
    std::string out;
    BOOST_TEST(back.append_line(how, *state, events.patch, out) == (over == 0));
    BOOST_TEST((out == (over == 0 ? line : "")));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
