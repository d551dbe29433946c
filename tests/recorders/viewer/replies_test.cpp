#include "server/replies.hpp"

#include <boost/test/unit_test.hpp>

#include "tickreel/net/own_page.hpp"

BOOST_AUTO_TEST_SUITE(viewer_tests)
BOOST_AUTO_TEST_SUITE(replies_test)

namespace {

using namespace tickreel::viewer;
using tickreel::net::is_own_host;

std::string text_of(std::string_view header, std::uint64_t size) {
  const asked_range range = range_of(header, size);
  if (range.kind == range_kind::nothing) return "nothing";
  const std::string bytes = std::to_string(range.bytes.from) + "-" + std::to_string(range.bytes.to);
  return (range.kind == range_kind::whole ? "whole " : "part ") + bytes;
}

}  // namespace

BOOST_AUTO_TEST_CASE(only_names_of_the_loopback) {
  for (const char* good : {"127.0.0.1:8080", "localhost:8080"}) BOOST_TEST(is_own_host(good, 8080));
  for (const char* bad :
       {"", "127.0.0.1", "localhost", "127.0.0.1:80", "evil.example:8080", "127.0.0.1:8080.evil.example",
        "localhost:8080:", "LOCALHOST.:8080", "127.0.0.2:8080", "[::1]:8080", "0.0.0.0:8080"}) {
    BOOST_TEST(!is_own_host(bad, 8080), bad);
  }
  BOOST_TEST(is_own_host("localhost", 80));
}

BOOST_AUTO_TEST_CASE(names_of_a_server_for_other_machines) {
  using tickreel::net::is_own_origin;
  const tickreel::net::served_names open{true, {}};
  for (const char* good : {"127.0.0.1:8080", "localhost:8080", "192.168.1.7:8080", "[fe80::1]:8080"}) {
    BOOST_TEST(is_own_host(good, 8080, open), good);
    BOOST_TEST(is_own_origin(std::string("http://") + good, good, 8080, open), good);
    BOOST_TEST(!is_own_origin(std::string("https://") + good, good, 8080, open), good);
  }
  for (const char* bad :
       {"192.168.1.7", "192.168.1.7:80", "evil.example:8080", "192.168.1.7.evil.example:8080",
        "[fe80::1:8080", "[]:8080", "1:8080", "0x7f000001:8080", "", ":8080"}) {
    BOOST_TEST(!is_own_host(bad, 8080, open), bad);
  }
  // A page from another origin cannot read anything here.
  BOOST_TEST(!is_own_origin("http://6.6.6.6:8080", "192.168.1.7:8080", 8080, open));
  BOOST_TEST(is_own_origin("http://localhost:8080", "127.0.0.1:8080", 8080, open));
  const tickreel::net::served_names proxied{false, {"league.example"}};
  for (const char* good : {"league.example", "League.Example:443", "league.example:8443", "localhost:8080"})
    BOOST_TEST(is_own_host(good, 8080, proxied), good);
  for (const char* bad : {"192.168.1.7:8080", "league.example.evil", "evil.league.example", "league.example:",
                          "league.example:80x", "league.example:1234567", "league.example."}) {
    BOOST_TEST(!is_own_host(bad, 8080, proxied), bad);
  }
  BOOST_TEST(is_own_origin("https://league.example", "league.example", 8080, proxied));
  BOOST_TEST(is_own_origin("http://league.example:81", "league.example:81", 8080, proxied));
  for (const char* bad : {"https://evil.example", "ftp://league.example", "league.example", "null",
                          "https://league.example.evil", "https://localhost:8080"}) {
    BOOST_TEST(!is_own_origin(bad, "league.example", 8080, proxied), bad);
  }
}

BOOST_AUTO_TEST_CASE(ranges) {
  BOOST_TEST(text_of("", 10) == "whole 0-10");
  BOOST_TEST(text_of("bytes=0-", 10) == "part 0-10");
  BOOST_TEST(text_of("bytes=3-5", 10) == "part 3-6");
  BOOST_TEST(text_of("bytes=3-3", 10) == "part 3-4");
  BOOST_TEST(text_of("bytes=3-99", 10) == "part 3-10");
  BOOST_TEST(text_of("bytes=3-18446744073709551615", 10) == "part 3-10");
  BOOST_TEST(text_of("bytes=-4", 10) == "part 6-10");
  BOOST_TEST(text_of("bytes=-40", 10) == "part 0-10");
  BOOST_TEST(text_of("bytes=-0", 10) == "nothing");
  BOOST_TEST(text_of("bytes=10-", 10) == "nothing");
  BOOST_TEST(text_of("bytes=0-", 0) == "nothing");
  BOOST_TEST(text_of("bytes=-1", 0) == "nothing");
  // Not understood: the whole file.
  for (const char* odd :
       {"bytes=", "bytes=-", "bytes=5-3", "bytes=a-b", "bytes=1-2,4-5", "lines=1-2", "bytes=1", "bytes= 1-2",
        "bytes=99999999999999999999-", "bytes=1--2", "bytes=+1-2"}) {
    BOOST_TEST(text_of(odd, 10) == "whole 0-10", odd);
  }
}

BOOST_AUTO_TEST_CASE(targets) {
  BOOST_TEST(target_of("/recording?of=12").path == "/recording");
  BOOST_TEST(target_of("/recording?of=12").of.value() == 12u);
  BOOST_TEST(!target_of("/recording").of.has_value());
  BOOST_TEST(target_of("/live?of=12&have=7").of.value() == 12u);
  BOOST_TEST(target_of("/live?of=12&have=7").have.value() == 7u);
  for (const char* odd : {"/live?of=1&have=", "/live?of=1&have=-1", "/live?have=7", "/live?of=1&have=7&x"}) {
    BOOST_TEST(!target_of(odd).have.has_value(), odd);
  }
  for (const char* odd : {"/recording?of=", "/recording?of=-1", "/recording?of=1x", "/recording?x=1"}) {
    BOOST_TEST(!target_of(odd).of.has_value(), odd);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
