#include "tickreel/mpq/user_data.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(encoders_mpq_tests)
BOOST_AUTO_TEST_SUITE(user_data_test)

using namespace tickreel;
using namespace tickreel::mpq;

BOOST_AUTO_TEST_CASE(the_prefix_gives_the_offset_of_the_archive) {
  const byte_vector user_data(77, std::byte{7});
  const auto bytes = write_prefix(user_data);
  BOOST_REQUIRE(bytes);
  BOOST_TEST(bytes->size() == 1024u);
  const auto read = read_prefix(*bytes);
  BOOST_REQUIRE(read);
  BOOST_TEST(read->archive_offset == 1024u);
  BOOST_TEST(read->user_data_room == 512u);
  BOOST_TEST(read->user_data_bytes == user_data.size());
  BOOST_TEST((read_prefix(byte_span(*bytes).first(15)).error().code == error_code::truncated));
  byte_vector changed = *bytes;
  changed[0] = std::byte{'m'};
  BOOST_TEST((read_prefix(changed).error().code == error_code::bad_magic));
  changed = *bytes;
  changed[14] = std::byte{1};  // more than 64 KiB of them
  BOOST_TEST((read_prefix(changed).error().code == error_code::malformed));
  BOOST_TEST((write_prefix(byte_vector(513)).error().code == error_code::over_limit));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
