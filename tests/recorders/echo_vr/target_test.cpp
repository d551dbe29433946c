#include "tickreel/echo_vr/target.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

namespace tickreel::echo_vr {

BOOST_AUTO_TEST_SUITE(echo_vr_units_tests)
BOOST_AUTO_TEST_SUITE(target_test)

namespace {

std::vector<target> parsed(std::string_view text) {
  std::vector<target> targets;
  const result<void> done = parse_targets(text, targets);
  BOOST_TEST_CONTEXT(text) BOOST_TEST(done.has_value());
  return targets;
}

std::string as_text(const std::vector<target>& targets) {
  std::string text;
  for (const target& each : targets) {
    if (!text.empty()) text += ' ';
    text += to_text(each);
  }
  return text;
}

BOOST_AUTO_TEST_CASE(hosts_ports_and_ranges) {
  BOOST_TEST(as_text(parsed("127.0.0.1")) == "127.0.0.1:6721");
  BOOST_TEST(as_text(parsed("quest.local:7000")) == "quest.local:7000");
  BOOST_TEST(as_text(parsed("10.0.0.7:6721-6723")) == "10.0.0.7:6721 10.0.0.7:6722 10.0.0.7:6723");
  BOOST_TEST(as_text(parsed("a:1-1")) == "a:1");
  BOOST_TEST(as_text(parsed("a:65535")) == "a:65535");
  BOOST_TEST(as_text(parsed("a, b:1 ,c:2-3")) == "a:6721 b:1 c:2 c:3");
  BOOST_TEST(as_text(parsed("http://192.168.0.5:6721/")) == "192.168.0.5:6721");
  BOOST_TEST(as_text(parsed("http://192.168.0.5:6721/session")) == "192.168.0.5:6721");
  BOOST_TEST(as_text(parsed("192.168.0.5/player_bones")) == "192.168.0.5:6721");
  BOOST_TEST(as_text(parsed("[::1]")) == "[::1]:6721");
  BOOST_TEST(as_text(parsed("[fe80::1%eth0]:7000")) == "[fe80::1%eth0]:7000");
}

BOOST_AUTO_TEST_CASE(a_target_is_named_once) {
  BOOST_TEST(as_text(parsed("a:1-3,a:2,a:4")) == "a:1 a:2 a:3 a:4");
  std::vector<target> targets = parsed("a:1");
  BOOST_TEST(parse_targets("a:1,b:2", targets).has_value());
  BOOST_TEST(as_text(targets) == "a:1 b:2");
}

BOOST_AUTO_TEST_CASE(errors_name_the_position_and_keep_the_list) {
  const struct {
    std::string_view text;
    std::uint64_t offset;
  } wrong[] = {{"", 0},        {"a,", 2},         {":6721", 0},    {"a:", 2},         {"a:0", 2},
               {"a:65536", 2}, {"a:99999999", 2}, {"a:1-", 4},     {"a:3-2", 4},      {"a:1-2-3", 5},
               {"a b", 2},     {"[::1", 4},       {"[]:1", 0},     {"[name%1]:1", 0}, {"a:x", 2},
               {"a:-1", 2},    {"a/b", 2},        {"https://a", 6}};
  for (const auto& each : wrong) {
    BOOST_TEST_CONTEXT("'" << each.text << "'") {
      std::vector<target> targets = {{"kept", 1}};
      const result<void> done = parse_targets(each.text, targets);
      BOOST_REQUIRE(!done.has_value());
      BOOST_TEST((done.error().code == error_code::invalid_argument));
      BOOST_TEST(done.error().offset == each.offset);
      BOOST_TEST(as_text(targets) == "kept:1");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_typing_error_does_not_scan_all_ports) {
  std::vector<target> targets;
  BOOST_TEST(parse_targets("a:1-256", targets).has_value());
  BOOST_TEST(targets.size() == max_targets);
  const result<void> more = parse_targets("b", targets);
  BOOST_REQUIRE(!more.has_value());
  BOOST_TEST((more.error().code == error_code::over_limit));
  BOOST_TEST(targets.size() == max_targets);
  BOOST_TEST(!parse_targets("c:1-65535", targets).has_value());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::echo_vr
