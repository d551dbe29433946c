// A recording process is killed at random moments; every sealed chunk comes back.
#define BOOST_TEST_MODULE crash
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <iostream>

#include "int_encoder.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/reel/recover.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <new>
#include <thread>

namespace {

using namespace tickreel;
using namespace tickreel::test;

constexpr int rounds = 30;
constexpr std::uint32_t seal_interval_ms = 100;
constexpr std::int64_t tick_us = 2000;  // 500 Hz

// What killing may cost beyond the seal interval: the writer thread's longest nap (8 ms), the time that a
// chunk takes to be written, and the operating system letting a thread wait for a processor. The last is by
// far the largest on a busy machine and is measured: the longest time the child's own pushing thread was
// late.
constexpr std::int64_t slack_us = 150'000;

// What the child tells before it dies; in memory that both see.
struct progress {
  std::atomic<std::uint64_t> pushed{0};
  std::atomic<std::uint64_t> sealed{0};
  std::atomic<std::int64_t> longest_delay_us{0};
};

progress* shared_progress() {
  void* const memory =
      ::mmap(nullptr, sizeof(progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  BOOST_REQUIRE(memory != MAP_FAILED);
  return new (memory) progress;
}

// Records until it is killed.
[[noreturn]] void record_for_ever(const std::string& path, progress& told) {
  recorder_options options;
  options.seal_interval_ms = seal_interval_ms;
  options.tick_rate_mhz = 500'000;
  auto opened = recorder<int_encoder>::open(path, {}, options);
  if (!opened) ::_exit(1);
  auto due = std::chrono::steady_clock::now();
  for (std::uint64_t tick = 0;; ++tick) {
    if (!(*opened)->push(state_of_tick(tick))) ::_exit(2);
    told.pushed.store(tick + 1);
    told.sealed.store((*opened)->counters().written);
    due += std::chrono::microseconds(tick_us);
    std::this_thread::sleep_until(due);
    const auto late =
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - due).count();
    told.longest_delay_us.store(std::max<std::int64_t>(told.longest_delay_us.load(), late));
  }
}

void check_ticks(const std::vector<decoded_tick>& ticks) {
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    BOOST_REQUIRE(ticks[i].stamp.tick == i);
    BOOST_REQUIRE((ticks[i].state == state_of_tick(i)));
  }
}

BOOST_AUTO_TEST_CASE(killed_at_a_random_moment) {
  auto random = seeded_random("crash");
  const scratch_folder folder;
  progress* const told = shared_progress();
  std::uint64_t pushed_in_all = 0;
  std::uint64_t lost_in_all = 0;
  std::uint64_t worst = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::string path = folder / ("match-" + std::to_string(round) + ".reel");
    new (told) progress;
    const pid_t child = ::fork();
    BOOST_REQUIRE(child >= 0);
    if (child == 0) record_for_ever(path, *told);
    while (told->pushed.load() == 0) {
      int status = 0;
      BOOST_REQUIRE_MESSAGE(::waitpid(child, &status, WNOHANG) == 0, "the recorder ended by itself");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 500'000));
    if (round == 0) {
      // Alive, it keeps everybody else out.
      BOOST_TEST((reel::recover_in_place(path).error().code == error_code::in_use));
      BOOST_TEST((recorder<int_encoder>::open(path, {}).error().code == error_code::in_use));
    }
    ::kill(child, SIGKILL);
    int status = 0;
    BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
    BOOST_REQUIRE(WIFSIGNALED(status));
    const std::uint64_t pushed = told->pushed.load();
    const std::uint64_t sealed = told->sealed.load();

    auto reel = reel::reader::open(path, {}, true);
    BOOST_REQUIRE(reel);
    BOOST_TEST((reel->contents().end != reel::reel_end::closed));
    const auto ticks = decode_all(*reel);
    check_ticks(ticks);
    BOOST_TEST(ticks.size() >= sealed);
    BOOST_TEST(ticks.size() <= pushed + 1);
    const std::uint64_t lost = pushed > ticks.size() ? pushed - ticks.size() : 0;
    const std::int64_t bound_us =
        std::int64_t{seal_interval_ms} * 1000 + slack_us + 2 * told->longest_delay_us.load();
    BOOST_TEST(static_cast<std::int64_t>(lost) * tick_us <= bound_us);
    pushed_in_all += pushed;
    lost_in_all += lost;
    worst = std::max(worst, lost);

    // Recovered once or twice, it is the same whole reel.
    const auto first = reel::recover_in_place(path);
    BOOST_REQUIRE(first);
    BOOST_TEST(first->changed);
    const byte_vector once = read_file(path);
    BOOST_TEST(!reel::recover_in_place(path)->changed);
    BOOST_TEST((read_file(path) == once));
    auto recovered = reel::reader::open(path);
    BOOST_REQUIRE(recovered);
    BOOST_TEST((recovered->contents().end == reel::reel_end::closed));
    BOOST_TEST(decode_all(*recovered).size() == ticks.size());
    std::filesystem::remove(path);
  }
  ::munmap(told, sizeof(progress));
  std::cout << rounds << " kills: " << pushed_in_all << " ticks pushed, " << lost_in_all << " lost; at worst "
            << worst << " ticks (" << static_cast<std::int64_t>(worst) * tick_us / 1000
            << " ms) at a seal interval of " << seal_interval_ms << " ms\n";
}

}  // namespace

#else

BOOST_AUTO_TEST_CASE(left_out) {
  std::cout << "LEFT OUT: only where processes can be killed by POSIX\n";
}

#endif
