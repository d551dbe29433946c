#include "md5.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

BOOST_AUTO_TEST_SUITE(encoders_mpq_tests)
BOOST_AUTO_TEST_SUITE(md5_test)

using namespace tickreel;

namespace {

std::string digest_of(std::string_view text) {
  std::string out;
  for (const std::byte each : mpq::md5(as_bytes(text))) {
    constexpr char digits[] = "0123456789abcdef";
    out += digits[std::to_integer<unsigned>(each) >> 4];
    out += digits[std::to_integer<unsigned>(each) & 15];
  }
  return out;
}

}  // namespace

// The test suite of RFC 1321.
BOOST_AUTO_TEST_CASE(md5_matches_the_rfc) {
  BOOST_TEST(digest_of("") == "d41d8cd98f00b204e9800998ecf8427e");
  BOOST_TEST(digest_of("a") == "0cc175b9c0f1b6a831c399e269772661");
  BOOST_TEST(digest_of("abc") == "900150983cd24fb0d6963f7d28e17f72");
  BOOST_TEST(digest_of("message digest") == "f96b697d7cb7938d525a2f31aaf161d0");
  BOOST_TEST(digest_of("abcdefghijklmnopqrstuvwxyz") == "c3fcd3d76192e4007dfb496cca67e13b");
  BOOST_TEST(digest_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") ==
             "d174ab98d277d9f5a5611c2c9f419d9f");
  BOOST_TEST(digest_of("12345678901234567890123456789012345678901234567890123456789012345678901234567890") ==
             "57edf4a22be3c955ac49da2e2107b67a");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
