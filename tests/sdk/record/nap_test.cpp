// The sleep of a writer thread: it lasts as long as requested, ends on request, and leaks nothing.
#include "nap.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "windows_process.hpp"

namespace tickreel::detail {

BOOST_AUTO_TEST_SUITE(sdk_record_tests)
BOOST_AUTO_TEST_SUITE(nap_test)

namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

BOOST_AUTO_TEST_CASE(lasts_as_long_as_allowed) {
  nap writer;
  for (const auto each : {100us, 3000us}) {
    const clock::time_point begun = clock::now();
    BOOST_TEST(writer.rest(each));
    BOOST_TEST((clock::now() - begun >= each / 2));  // system timers round differently
  }
  BOOST_TEST(!writer.is_ended());
}

BOOST_AUTO_TEST_CASE(ends_when_another_thread_requests_it) {
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
BOOST_AUTO_TEST_CASE(its_timers_are_released) {
  // Handle numbers grow with the number of open handles.
  const auto next_handle = [] {
    const HANDLE made = ::CreateEventW(nullptr, TRUE, FALSE, nullptr);
    BOOST_REQUIRE(made != nullptr);
    ::CloseHandle(made);
    return reinterpret_cast<std::uintptr_t>(made);
  };
  constexpr std::size_t many = 500;
  const std::uintptr_t before = next_handle();
  {
    std::vector<std::unique_ptr<nap>> writers;
    for (std::size_t i = 0; i < many; ++i) writers.push_back(std::make_unique<nap>());
    BOOST_TEST(writers.back()->rest(100us));
    BOOST_TEST(next_handle() >= before + many);
  }
  BOOST_TEST(next_handle() < before + many);
}
#endif

}  // namespace
BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::detail
