#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "random.hpp"
#include "tickreel/echoreplay/line.hpp"

BOOST_AUTO_TEST_SUITE(encoders_echoreplay_tests)
BOOST_AUTO_TEST_SUITE(line_splitter_test)

using namespace tickreel;
using namespace tickreel::echoreplay;

namespace {

struct seen_line {
  std::string text;  // "OVER" for one that was too long
  std::uint64_t offset;
  bool ended;
  friend bool operator==(const seen_line&, const seen_line&) = default;
};

void drain(line_splitter& splitter, std::vector<seen_line>& seen) {
  while (const auto next = splitter.next()) {
    if (*next) {
      seen.push_back({std::string(**next), splitter.line_offset(), splitter.line_was_ended()});
    } else {
      BOOST_TEST((next->error().code == error_code::over_limit));
      BOOST_TEST(next->error().offset == splitter.line_offset());
      seen.push_back({"OVER", splitter.line_offset(), splitter.line_was_ended()});
    }
  }
}

std::vector<seen_line> split(const std::string& text, std::size_t limit, std::mt19937_64* random = nullptr) {
  line_splitter splitter(limit);
  std::vector<seen_line> seen;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = random ? 1 + (*random)() % 9 : text.size();
    const std::string block = text.substr(at, size);
    BOOST_REQUIRE(splitter.feed(block).has_value());
    drain(splitter, seen);
    at += block.size();
  }
  splitter.finish();
  drain(splitter, seen);
  BOOST_TEST(!splitter.next().has_value());
  return seen;
}

}  // namespace

BOOST_AUTO_TEST_CASE(line_ends_of_both_kinds_and_none) {
  const std::vector<seen_line> expected = {
      {"one", 0, true}, {"two", 5, true}, {"", 9, true}, {"rest", 10, false}};
  BOOST_TEST((split("one\r\ntwo\n\nrest", 100) == expected));
  BOOST_TEST(split("", 100).empty());
  BOOST_TEST((split("\n", 100) == std::vector<seen_line>{{"", 0, true}}));
  BOOST_TEST((split("x\r", 100) == std::vector<seen_line>{{"x", 0, false}}));
}

BOOST_AUTO_TEST_CASE(a_long_line_is_rejected_and_the_next_one_read) {
  const std::vector<seen_line> expected = {
      {"12345", 0, true}, {"OVER", 7, true}, {"12345", 14, true}, {"OVER", 20, false}};
  BOOST_TEST((split("12345\r\n123456\n12345\n1234567890", 5) == expected));
}

BOOST_AUTO_TEST_CASE(blocks_of_any_size_give_the_same_lines) {
  auto random = test::seeded_random("blocks");
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (std::size_t size = random() % 120; size > 0; --size) text += "ab\r\n"[random() % 4];
    BOOST_REQUIRE((split(text, 6) == split(text, 6, &random)));
  }
}

BOOST_AUTO_TEST_CASE(a_block_must_be_read_completely) {
  line_splitter splitter;
  BOOST_TEST(splitter.feed("a\nb\n").has_value());
  BOOST_TEST(**splitter.next() == "a");
  const auto refused = splitter.feed("c\n");
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == error_code::wrong_state));
  BOOST_TEST(**splitter.next() == "b");
  BOOST_TEST(!splitter.next().has_value());
  splitter.finish();
  BOOST_TEST(!splitter.feed("d").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
