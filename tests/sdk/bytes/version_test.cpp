#include "tickreel/version.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

BOOST_AUTO_TEST_SUITE(sdk_bytes_tests)
BOOST_AUTO_TEST_SUITE(version_test)

// The header is written by hand, so that it can be included without a build; CMakeLists.txt contains the same version.
BOOST_AUTO_TEST_CASE(the_header_has_the_version_of_the_project) {
  const std::string from_numbers = std::to_string(tickreel::version_major) + "." +
                                   std::to_string(tickreel::version_minor) + "." +
                                   std::to_string(tickreel::version_patch);
  BOOST_TEST(from_numbers == TICKREEL_PROJECT_VERSION);
  BOOST_TEST(tickreel::version_text == TICKREEL_PROJECT_VERSION);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
