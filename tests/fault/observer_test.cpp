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

// A recorder whose calls can fail, and its failures.
struct observed_recorder {
  scratch_folder folder;
  seen_failures seen;
  failing_calls calls;
  std::optional<recorder<int_encoder>> out;
  std::uint64_t tick = 0;

  [[nodiscard]] recorder_options options(threading mode) {
    recorder_options options;
    options.mode = mode;
    options.seal_frames = 10;
    options.seal_interval_ms = 1'000'000;
    options.ticks_per_second = 60;
    options.observer = seen.as_observer();
    return options;
  }

  // `receiver` is the seam to the system, or sinks.
  template <class Receiver>
  void open(const recorder_options& options, Receiver&& receiver) {
    auto opened =
        recorder<int_encoder>::open(folder / "match.reel", {}, options, std::forward<Receiver>(receiver));
    BOOST_REQUIRE(opened);
    out.emplace(std::move(*opened));
  }
  void open(threading mode) { open(options(mode), calls); }

  void record_chunk() {
    for (int i = 0; i < 10; ++i) out->push(state_of_tick(tick++));
    out->pump();
  }
};

BOOST_FIXTURE_TEST_CASE(each_failure_is_observed_once_until_writing_works_again, observed_recorder) {
  open(threading::pumped);
  seen.asked = &*out;
  const auto record = [&](int errno_value) {
    errno_value == works ? calls.heal() : calls.fail_with(errno_value);
    record_chunk();
  };
  for (const int each : {works, ENOSPC, ENOSPC, EIO, ENOSPC, EIO, works, works, ENOSPC, works}) record(each);
  const std::vector<int> expected = {ENOSPC, EIO, works, ENOSPC, works};
  BOOST_TEST(seen.numbers == expected, boost::test_tools::per_element());
  const std::vector<bool> failures = {true, true, false, true, false};
  BOOST_TEST(seen.asked_failures == failures, boost::test_tools::per_element());
  BOOST_REQUIRE(out->close());
  BOOST_TEST(seen.numbers.size() == expected.size());
}

BOOST_FIXTURE_TEST_CASE(a_failure_of_the_end_is_observed_by_the_closing_thread, observed_recorder) {
  open(threading::own_thread);
  record_chunk();
  BOOST_REQUIRE(eventually([&] { return out->counters().written == 10; }));
  calls.fail_with(ENOSPC);
  BOOST_TEST(!out->close());
  BOOST_TEST(seen.numbers == std::vector<int>{ENOSPC}, boost::test_tools::per_element());
  BOOST_TEST((seen.threads.front() == std::this_thread::get_id()));
}

BOOST_FIXTURE_TEST_CASE(the_pushing_thread_is_never_the_observing_one, observed_recorder) {
  open(threading::own_thread);
  const auto record_until = [&](std::size_t count) {
    return eventually([&] {
      record_chunk();
      return seen.count.load() == count;
    });
  };
  calls.fail_with(EIO);
  BOOST_REQUIRE(record_until(1));
  calls.heal();
  BOOST_REQUIRE(record_until(2));
  BOOST_REQUIRE(out->close());
  const std::vector<int> expected = {EIO, works};
  BOOST_TEST(seen.numbers == expected, boost::test_tools::per_element());
  for (const auto& each : seen.threads) BOOST_TEST((each != std::this_thread::get_id()));
}

// A sync between two chunks, by its own interval.
BOOST_FIXTURE_TEST_CASE(a_sync_that_fails_between_chunks_is_observed, observed_recorder) {
  recorder_options how = options(threading::pumped);
  how.sync_interval_ms = 1;
  open(how, calls);
  calls.only_syncs();
  calls.fail_with(EIO);
  record_chunk();
  BOOST_REQUIRE(eventually([&] {
    out->pump();
    return out->counters().failed_syncs != 0;
  }));
  BOOST_TEST(seen.numbers == std::vector<int>{EIO}, boost::test_tools::per_element());
  BOOST_TEST(out->failure().has_value());
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

BOOST_FIXTURE_TEST_CASE(a_failed_sink_is_observed_once, observed_recorder) {
  std::vector<std::unique_ptr<reel::sink>> sinks;
  sinks.push_back(std::make_unique<short_sink>());
  open(options(threading::pumped), std::move(sinks));
  for (int i = 0; i < 20; ++i) record_chunk();
  BOOST_REQUIRE(out->close());
  BOOST_TEST(out->counters().failed_sinks == 1u);
  // No error of the system, and nothing works again afterwards.
  BOOST_TEST(seen.codes == std::vector<int>{static_cast<int>(error_code::connection_lost)},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(any_sequence_of_failures_is_observed_as_the_rule_says) {
  auto random = seeded_random("observed failures");
  constexpr int numbers[] = {works, works, ENOSPC, EIO, EROFS};
  for (int round = 0; round < 200; ++round) {
    observed_recorder observed;
    observed.open(threading::pumped);
    std::vector<int> expected;
    std::vector<int> known;  // since writing worked
    for (int chunk = 0; chunk < 30; ++chunk) {
      const int number = numbers[random() % std::size(numbers)];
      number == works ? observed.calls.heal() : observed.calls.fail_with(number);
      observed.record_chunk();
      if (number == works) {
        if (!known.empty()) expected.push_back(works);
        known.clear();
      } else if (std::ranges::find(known, number) == known.end()) {
        known.push_back(number);
        expected.push_back(number);
      }
    }
    observed.calls.heal();
    BOOST_REQUIRE(observed.out->close());
    if (!known.empty()) expected.push_back(works);
    BOOST_TEST_REQUIRE(observed.seen.numbers == expected, boost::test_tools::per_element());
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
