// What the observer of a recorder is called with while the disk fails and works again.
#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <optional>
#include <thread>
#include <vector>

#include "eventually.hpp"
#include "failing_calls.hpp"
#include "int_encoder.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "tickreel/record/recorder.hpp"

BOOST_AUTO_TEST_SUITE(fault_observer_tests)
BOOST_AUTO_TEST_SUITE(observer_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

constexpr int works = 0;  // instead of the number of an error

// Collects the calls.
struct seen_failures {
  std::vector<int> numbers;
  std::vector<int> codes;
  std::vector<std::thread::id> threads;
  recorder<int_encoder>* asked = nullptr;
  std::vector<bool> asked_failures;
  std::atomic<std::size_t> count{0};

  failure_observer as_observer() {
    return {[](void* self, const error* what) noexcept {
              auto& to = *static_cast<seen_failures*>(self);
              to.numbers.push_back(what == nullptr ? works : what->system_error);
              to.codes.push_back(what == nullptr ? works : static_cast<int>(what->code));
              to.threads.push_back(std::this_thread::get_id());
              // Both are allowed, because no lock is held.
              if (to.asked != nullptr) {
                (void)to.asked->counters();
                to.asked_failures.push_back(to.asked->failure().has_value());
              }
              to.count.fetch_add(1);
            },
            this};
  }
};

recorder_options options_for(seen_failures& seen, threading mode) {
  recorder_options options;
  options.mode = mode;
  options.seal_frames = 10;
  options.seal_interval_ms = 1'000'000;
  options.ticks_per_second = 60;
  options.observer = seen.as_observer();
  return options;
}

void record_chunk(recorder<int_encoder>& to, std::uint64_t& tick) {
  for (int i = 0; i < 10; ++i) to.push(state_of_tick(tick++));
  to.pump();
}

BOOST_AUTO_TEST_CASE(each_failure_is_observed_once_until_writing_works_again) {
  const scratch_folder folder;
  seen_failures seen;
  failing_calls calls;
  auto opened =
      recorder<int_encoder>::open(folder / "match.reel", {}, options_for(seen, threading::pumped), calls);
  BOOST_REQUIRE(opened);
  seen.asked = &*opened;
  std::uint64_t tick = 0;
  const auto record = [&](int errno_value) {
    errno_value == works ? calls.heal() : calls.fail_with(errno_value);
    record_chunk(*opened, tick);
  };
  for (const int each : {works, ENOSPC, ENOSPC, EIO, ENOSPC, EIO, works, works, ENOSPC, works}) record(each);
  const std::vector<int> expected = {ENOSPC, EIO, works, ENOSPC, works};
  BOOST_TEST(seen.numbers == expected, boost::test_tools::per_element());
  const std::vector<bool> failures = {true, true, false, true, false};
  BOOST_TEST(seen.asked_failures == failures, boost::test_tools::per_element());
  BOOST_REQUIRE(opened->close());
  BOOST_TEST(seen.numbers.size() == expected.size());
}

BOOST_AUTO_TEST_CASE(a_failure_of_the_end_is_observed_by_the_closing_thread) {
  const scratch_folder folder;
  seen_failures seen;
  failing_calls calls;
  auto opened =
      recorder<int_encoder>::open(folder / "match.reel", {}, options_for(seen, threading::own_thread), calls);
  BOOST_REQUIRE(opened);
  std::uint64_t tick = 0;
  record_chunk(*opened, tick);
  BOOST_REQUIRE(eventually([&] { return opened->counters().written == 10; }));
  calls.fail_with(ENOSPC);
  BOOST_TEST(!opened->close());
  BOOST_TEST(seen.numbers == std::vector<int>{ENOSPC}, boost::test_tools::per_element());
  BOOST_TEST((seen.threads.front() == std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(the_pushing_thread_is_never_the_observing_one) {
  const scratch_folder folder;
  seen_failures seen;
  failing_calls calls;
  auto opened =
      recorder<int_encoder>::open(folder / "match.reel", {}, options_for(seen, threading::own_thread), calls);
  BOOST_REQUIRE(opened);
  std::uint64_t tick = 0;
  const auto record_until = [&](std::size_t count) {
    return eventually([&] {
      record_chunk(*opened, tick);
      return seen.count.load() == count;
    });
  };
  calls.fail_with(EIO);
  BOOST_REQUIRE(record_until(1));
  calls.heal();
  BOOST_REQUIRE(record_until(2));
  BOOST_REQUIRE(opened->close());
  const std::vector<int> expected = {EIO, works};
  BOOST_TEST(seen.numbers == expected, boost::test_tools::per_element());
  for (const auto& each : seen.threads) BOOST_TEST((each != std::this_thread::get_id()));
}

// A sync between two chunks, by its own interval.
BOOST_AUTO_TEST_CASE(a_sync_that_fails_between_chunks_is_observed) {
  const scratch_folder folder;
  seen_failures seen;
  failing_calls calls;
  recorder_options options = options_for(seen, threading::pumped);
  options.sync_interval_ms = 1;
  auto opened = recorder<int_encoder>::open(folder / "match.reel", {}, options, calls);
  BOOST_REQUIRE(opened);
  calls.only_syncs();
  calls.fail_with(EIO);
  std::uint64_t tick = 0;
  record_chunk(*opened, tick);
  BOOST_REQUIRE(eventually([&] {
    opened->pump();
    return opened->counters().failed_syncs != 0;
  }));
  BOOST_TEST(seen.numbers == std::vector<int>{EIO}, boost::test_tools::per_element());
  BOOST_TEST(opened->failure().has_value());
}

// Accepts a few records.
class short_sink final : public reel::sink {
 public:
  result<void> accept_header(byte_span /*bytes*/) override { return {}; }
  result<void> accept_record(const reel::record_info& /*what*/, byte_span /*bytes*/) override {
    if (++records_ <= 5) return {};
    return fail(error_code::connection_lost);
  }

 private:
  int records_ = 0;
};

BOOST_AUTO_TEST_CASE(a_failed_sink_is_observed_once) {
  const scratch_folder folder;
  seen_failures seen;
  std::vector<std::unique_ptr<reel::sink>> sinks;
  sinks.push_back(std::make_unique<short_sink>());
  auto opened = recorder<int_encoder>::open(folder / "match.reel", {}, options_for(seen, threading::pumped),
                                            std::move(sinks));
  BOOST_REQUIRE(opened);
  std::uint64_t tick = 0;
  for (int i = 0; i < 20; ++i) record_chunk(*opened, tick);
  BOOST_REQUIRE(opened->close());
  BOOST_TEST(opened->counters().failed_sinks == 1u);
  // No error of the system, and nothing works again afterwards.
  BOOST_TEST(seen.codes == std::vector<int>{static_cast<int>(error_code::connection_lost)},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(any_sequence_of_failures_is_observed_as_the_rule_says) {
  auto random = seeded_random("observed failures");
  constexpr int numbers[] = {works, works, ENOSPC, EIO, EROFS};
  for (int round = 0; round < 200; ++round) {
    const scratch_folder folder;
    seen_failures seen;
    failing_calls calls;
    auto opened =
        recorder<int_encoder>::open(folder / "match.reel", {}, options_for(seen, threading::pumped), calls);
    BOOST_REQUIRE(opened);
    std::vector<int> expected;
    std::vector<int> known;  // since writing worked
    std::uint64_t tick = 0;
    for (int chunk = 0; chunk < 30; ++chunk) {
      const int number = numbers[random() % std::size(numbers)];
      number == works ? calls.heal() : calls.fail_with(number);
      record_chunk(*opened, tick);
      if (number == works) {
        if (!known.empty()) expected.push_back(works);
        known.clear();
      } else if (std::ranges::find(known, number) == known.end()) {
        known.push_back(number);
        expected.push_back(number);
      }
    }
    calls.heal();
    BOOST_REQUIRE(opened->close());
    if (!known.empty()) expected.push_back(works);
    BOOST_TEST_REQUIRE(seen.numbers == expected, boost::test_tools::per_element());
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
