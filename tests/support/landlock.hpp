// A precondition of tests that need Landlock of Linux.
#pragma once

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

namespace tickreel::test {

// Its version; 0 where the kernel has none.
inline long landlock_version() {
#ifdef SYS_landlock_create_ruleset
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, std::size_t{0}, 1u);
  return version > 0 ? version : 0;
#else
  return 0;
#endif
}

inline const auto with_landlock = boost::unit_test::precondition([](boost::unit_test::test_unit_id) {
  boost::test_tools::assertion_result may_run(landlock_version() > 0);
  if (!may_run) may_run.message() << "this system has no Landlock";
  return may_run;
});

}  // namespace tickreel::test
#endif
