// Preconditions of tests that need an optional program or right: BOOST_AUTO_TEST_CASE(name, *with_broker).
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdlib>

namespace tickreel::test {

// `missing` returns what is missing and how to install it, or nullptr. If it is missing, the test is reported as skipped. If the
// variable is set, as in .ci/run, the test runs and fails.
template <class Missing>
boost::unit_test::precondition needed(Missing missing, const char* required_by) {
  return boost::unit_test::precondition([=](boost::unit_test::test_unit_id) {
    const char* const what = missing();
    boost::test_tools::assertion_result runs(what == nullptr || std::getenv(required_by) != nullptr);
    if (!runs) runs.message() << what;
    return runs;
  });
}

// For cases that another test runs as its child process and configures by `variable`. Otherwise they are reported as skipped.
inline boost::unit_test::precondition runs_as_child(const char* variable) {
  return boost::unit_test::precondition([=](boost::unit_test::test_unit_id) {
    boost::test_tools::assertion_result runs(std::getenv(variable) != nullptr);
    if (!runs) runs.message() << "another test runs this case as its child process";
    return runs;
  });
}

}  // namespace tickreel::test
