// Preconditions of tests that need what not every machine has: BOOST_AUTO_TEST_CASE(name, *with_broker).
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdlib>

namespace tickreel::test {

// `missing` returns what is missing and how to get it, or nullptr. Then the test is reported as skipped;
// where the variable is set, as .ci/run does, it runs, and fails.
template <class Missing>
boost::unit_test::precondition needed(Missing missing, const char* required_by) {
  return boost::unit_test::precondition([=](boost::unit_test::test_unit_id) {
    const char* const what = missing();
    boost::test_tools::assertion_result runs(what == nullptr || std::getenv(required_by) != nullptr);
    if (!runs) runs.message() << what;
    return runs;
  });
}

}  // namespace tickreel::test
