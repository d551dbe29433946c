// Two threads that push at the same time in a debug build: this source is compiled without NDEBUG.
#include <boost/test/unit_test.hpp>

#include "file_bytes.hpp"
#include "recorder_fixture.hpp"

#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <thread>
#endif

BOOST_AUTO_TEST_SUITE(sdk_record_tests)
BOOST_AUTO_TEST_SUITE(push_guard_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {
// An encoder used only in this file, because other files compile their recorders with NDEBUG.
struct guarded_encoder : int_encoder {};
using guarded_recorder = recorder<guarded_encoder>;
}  // namespace

BOOST_AUTO_TEST_CASE(sequential_pushes_are_allowed) {
  static_assert(detail::checks_pushes);
  scratch_folder folder;
  auto out = guarded_recorder::open(folder / "match.reel", {}, pumped_options());
  BOOST_REQUIRE(out);
  for (std::uint64_t tick = 0; tick < 3; ++tick) BOOST_TEST(out->push(state_of_tick(tick)));
  BOOST_TEST(!out->push({0, 0}, int_state{}));  // rejected, and no push is active any more
  BOOST_TEST(out->push(int_state{}));
  BOOST_REQUIRE(out->close());
}

#ifndef _WIN32
BOOST_AUTO_TEST_CASE(concurrent_pushes_abort_a_debug_build) {
  scratch_folder folder;
  const std::string said = folder / "said";
  const pid_t child = ::fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    if (std::freopen(said.c_str(), "w", stderr) == nullptr) ::_exit(3);
    std::signal(SIGABRT, SIG_DFL);
    auto out = guarded_recorder::open(folder / "match.reel", {}, pumped_options());
    if (!out) ::_exit(2);
    // Another thread pushes while this thread fills its state.
    out->capture([&](int_state&) noexcept { std::thread([&] { out->push(int_state{}); }).join(); });
    ::_exit(0);
  }
  int status = 0;
  BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
  BOOST_REQUIRE(WIFSIGNALED(status));
  BOOST_TEST(WTERMSIG(status) == SIGABRT);
  const std::string text(as_text(read_file(said)));
  BOOST_TEST(text.find("two threads push into one recorder at the same time") != std::string::npos);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
