// Counts the system calls of the hot path while the writer thread works: none.
#include <boost/test/unit_test.hpp>

#include <mutex>
#include <optional>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "int_encoder.hpp"
#include "scratch_folder.hpp"
#include "silent_thread.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(sdk_record_silence_tests)
BOOST_AUTO_TEST_SUITE(silence_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

bool is_watched(const silence_report& found) {
  if (!found.watched) BOOST_TEST_MESSAGE("not watched: this system or build has no filter of system calls");
  return found.watched;
}

constexpr std::uint64_t ticks = 10'000;

void check_silent(const silence_report& found) {
  if (!is_watched(found)) return;
  BOOST_TEST(found.system_call == -1);
  BOOST_TEST(found.finished);
  BOOST_TEST(found.locks == 0u);
  BOOST_TEST(found.allocations == 0u);
  BOOST_TEST(found.counted == ticks);
}

// A large ring accepts every tick, a small one is full most of the time.
template <loss_policy Policy>
void check_silence(bool stamped, std::uint32_t ring_ticks) {
  const scratch_folder folder;
  std::optional<recorder<int_encoder, Policy>> to;
  const silence_report found = run_in_silence(
      [&] {
        recorder_options options;
        options.ticks_per_second = 1'000;
        options.seal_frames = 100;
        options.ring_ticks = ring_ticks;
        auto opened = recorder<int_encoder, Policy>::open(folder / "match.reel", {}, options);
        if (opened) to.emplace(std::move(*opened));
      },
      [&]() -> std::uint64_t {
        if (!to) return 0;
        std::uint64_t tried = 0;
        for (; tried < ticks; ++tried) {
          const int_state state = state_of_tick(tried);
          if (stamped) {
            (void)to->push({tried, static_cast<std::int64_t>(tried)}, state);
          } else if (tried % 2 == 0) {
            (void)to->push(state);
          } else {
            (void)to->capture([&state](int_state& slot) noexcept { slot = state; });
          }
        }
        const recorder_counters counters = to->counters();
        const bool takes_all = ring_ticks >= ticks || Policy == loss_policy::drop_oldest;
        return takes_all ? counters.pushed : counters.pushed + counters.dropped;
      });
  check_silent(found);
}

struct herd {
  std::array<std::int32_t, 4'000> animals{};
};
TICKREEL_DESCRIBE(herd, animals);

void check_silence_of_changes(std::uint32_t ring_ticks) {
  const scratch_folder folder;
  std::optional<recording<herd>> to;
  const auto now = std::make_unique<herd>();
  change_list changed(4'000);
  const silence_report found = run_in_silence(
      [&] {
        recorder_options options;
        options.ticks_per_second = 1'000;
        options.ring_ticks = ring_ticks;
        auto opened = record<herd>(folder / "herd.reel", options);
        if (opened) to.emplace(std::move(*opened));
      },
      [&]() -> std::uint64_t {
        if (!to) return 0;
        for (std::uint64_t tried = 0; tried < ticks; ++tried) {
          const std::size_t count = tried % 5 == 0 ? 4'000 : 10;  // as many as make a state whole
          for (std::size_t i = 0; i < count; ++i) {
            const std::size_t animal = (tried * 7 + i * 31) % 4'000;
            ++now->animals[animal];
            changed.mark(animal, member_number<herd, &herd::animals>);
          }
          (void)to->push_changes(*now, changed);
          changed.clear();
        }
        const recorder_counters counters = to->counters();
        return counters.pushed + counters.dropped;
      });
  check_silent(found);
}

#ifdef __linux__
BOOST_AUTO_TEST_CASE(a_system_call_is_detected) {
  const silence_report found = run_in_silence([] {}, [] { return std::uint64_t(syscall(SYS_getppid)); });
  if (!is_watched(found)) return;
  BOOST_TEST(!found.finished);
  BOOST_TEST(found.system_call == SYS_getppid);
}
#endif

BOOST_AUTO_TEST_CASE(a_lock_and_an_allocation_are_detected) {
  std::mutex mutex;
  const silence_report found = run_in_silence(
      [&] {
        const std::lock_guard lock(mutex);       // the first one resolves the function of the C library
        ::operator delete(::operator new(100));  // leaves space for the second
      },
      [&] {
        const std::lock_guard lock(mutex);
        ::operator delete(::operator new(100));
        return std::uint64_t{0};
      });
  if (!is_watched(found)) return;
  BOOST_TEST(found.finished);
  BOOST_TEST(found.locks == 1u);
  BOOST_TEST(found.allocations == 1u);
}

BOOST_AUTO_TEST_CASE(pushing_makes_no_system_call) {
  check_silence<loss_policy::drop_newest>(false, 16'384);
}
BOOST_AUTO_TEST_CASE(pushing_with_times_makes_no_system_call) {
  check_silence<loss_policy::drop_newest>(true, 16'384);
}
BOOST_AUTO_TEST_CASE(a_push_into_a_full_ring_makes_no_system_call) {
  check_silence<loss_policy::drop_newest>(false, 64);
}
BOOST_AUTO_TEST_CASE(pushing_changes_makes_no_system_call) {
  check_silence_of_changes(4'096);
}
BOOST_AUTO_TEST_CASE(changes_for_a_full_ring_make_no_system_call) {
  check_silence_of_changes(4);
}
BOOST_AUTO_TEST_CASE(replacing_old_ticks_makes_no_system_call) {
  check_silence<loss_policy::drop_oldest>(false, 64);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
