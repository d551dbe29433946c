// The rest of a writer thread: it lasts, it ends when asked, and nothing of it stays.
#include "nap.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <memory>
#include <thread>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#endif

namespace tickreel::detail {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

BOOST_AUTO_TEST_SUITE(nap_suite)

BOOST_AUTO_TEST_CASE(lasts_as_long_as_it_may) {
  nap writer;
  for (const auto each : {100us, 3000us}) {
    const clock::time_point begun = clock::now();
    BOOST_TEST(writer.rest(each));
    BOOST_TEST((clock::now() - begun >= each / 2));  // the timers of systems round as they like
  }
  BOOST_TEST(!writer.is_ended());
}

BOOST_AUTO_TEST_CASE(ends_when_another_thread_asks) {
  nap writer;
  bool rested = true;
  std::thread thread([&] { rested = writer.rest(std::chrono::hours(24)); });
  writer.end();
  thread.join();
  BOOST_TEST(!rested);
  BOOST_TEST(writer.is_ended());
  BOOST_TEST(!writer.rest(std::chrono::hours(24)));
}

#ifdef _WIN32
BOOST_AUTO_TEST_CASE(its_timers_are_taken_and_given_back) {
  const auto handles = [] {
    DWORD count = 0;
    BOOST_REQUIRE(::GetProcessHandleCount(::GetCurrentProcess(), &count));
    return count;
  };
  (void)nap().rest(100us);  // whatever the first one leaves for the process
  const DWORD before = handles();
  auto writer = std::make_unique<nap>();
  BOOST_TEST(handles() == before + 2);
  BOOST_TEST(writer->rest(100us));
  writer->end();
  writer.reset();
  BOOST_TEST(handles() == before);
}
#endif

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tickreel::detail
