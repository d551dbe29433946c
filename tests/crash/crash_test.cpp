// A recording process is killed at random moments; every sealed chunk can be read.
#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <thread>

#include "int_encoder.hpp"
#include "killed_process.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/reel/recover.hpp"

BOOST_AUTO_TEST_SUITE(crash_tests)
BOOST_AUTO_TEST_SUITE(crash_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

constexpr int rounds = 30;
constexpr std::uint32_t seal_interval_ms = 100;
constexpr std::uint32_t ring_ticks = 256;
constexpr std::int64_t tick_us = 2000;  // 500 Hz
constexpr std::size_t max_ticks = 1u << 16;
constexpr std::size_t max_writes = 1u << 14;

// The actions of the child's threads with their times, by its own clock, in shared memory. The scheduling delays of a busy
// machine are included, so nothing is estimated: the recorder is judged by the processor time it had.
struct trace {
  std::atomic<std::uint64_t> pushed{0};
  // By the writer thread. A tick is encoded when the thread takes it out of the ring.
  std::atomic<std::uint64_t> encoded{0};
  std::int64_t encoded_at_us[max_ticks];
  // For every write to the reel: the number of encoded ticks when it began. A chunk contains all of them.
  std::atomic<std::uint64_t> writes_begun{0};
  std::uint64_t encoded_before_write[max_writes];
  std::atomic<std::uint64_t> writes_done{0};
};

class traced_encoder : public int_encoder {
 public:
  explicit traced_encoder(trace& to) : trace_(&to) {}
  void encode(const int_state& state, frame_kind kind, byte_writer& out) noexcept {
    const std::uint64_t number = trace_->encoded.load();
    if (number < max_ticks) trace_->encoded_at_us[number] = detail::steady_time_us();
    int_encoder::encode(state, kind, out);
    trace_->encoded.store(number + 1);
  }

 private:
  trace* trace_;
};

class traced_calls final : public system_calls {
 public:
  explicit traced_calls(trace& to) : trace_(to) {}
  std::int64_t write_at(std::int64_t handle, byte_span from, std::uint64_t offset) override {
    const std::uint64_t number = trace_.writes_begun.load();
    if (number < max_writes) trace_.encoded_before_write[number] = trace_.encoded.load();
    trace_.writes_begun.store(number + 1);
    const std::int64_t answer = system_calls::write_at(handle, from, offset);
    if (answer == static_cast<std::int64_t>(from.size())) trace_.writes_done.store(number + 1);
    return answer;
  }

 private:
  trace& trace_;
};

// Records until it is killed.
int record_endlessly(const std::vector<std::string>& words, void* shared) {
  const std::string& path = words[0];
  trace& child_trace = *static_cast<trace*>(shared);
  recorder_options options;
  options.seal_interval_ms = seal_interval_ms;
  options.ring_ticks = ring_ticks;
  options.ticks_per_second = 500;
  traced_calls calls(child_trace);
  auto opened = recorder<traced_encoder>::open(path, traced_encoder(child_trace), options, calls);
  if (!opened) return 1;
  auto due = std::chrono::steady_clock::now();
  for (std::uint64_t tick = 0; tick < max_ticks; ++tick) {
    // The ring is full if the writer thread gets no processor time; the tick is offered again.
    while (!opened->push({tick, static_cast<std::int64_t>(tick) * tick_us}, state_of_tick(tick))) {
      std::this_thread::yield();
    }
    child_trace.pushed.store(tick + 1);
    due += std::chrono::microseconds(tick_us);
    std::this_thread::sleep_until(due);
  }
  return 3;
}
using child_begins_here = child_begins<record_endlessly>;
BOOST_TEST_GLOBAL_FIXTURE(child_begins_here);

// A chunk is overdue if the writer thread runs and the chunk's second tick was encoded longer ago than the seal interval. Ticks
// in the ring at that time are still added, and no more: the seal begins before the next round.
void check_promptness(const trace& child_trace) {
  const std::uint64_t encoded = std::min<std::uint64_t>(child_trace.encoded.load(), max_ticks);
  const std::uint64_t writes = std::min<std::uint64_t>(child_trace.writes_begun.load(), max_writes);
  std::uint64_t first = 0;  // of the chunk that is being filled
  for (std::uint64_t write = 0; write <= writes; ++write) {
    const std::uint64_t end = write < writes ? child_trace.encoded_before_write[write] : encoded;
    for (std::uint64_t tick = first + 1; tick < end; ++tick) {
      if (child_trace.encoded_at_us[tick] - child_trace.encoded_at_us[first + 1] < seal_interval_ms * 1000)
        continue;
      BOOST_REQUIRE_MESSAGE(end - tick <= ring_ticks, "tick " << first << " waits, although " << end - tick
                                                              << " were encoded since it was overdue");
      break;
    }
    first = end;
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
  shared_memory<trace> shared;
  std::uint64_t pushed_in_all = 0;
  std::uint64_t lost_in_all = 0;
  std::uint64_t worst = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::string path = folder / ("match-" + std::to_string(round) + ".reel");
    trace* const child_trace = shared.renewed();
    killed_process child(record_endlessly, {path}, shared);
    while (child_trace->pushed.load() == 0) {
      BOOST_REQUIRE_MESSAGE(!child.has_ended(), "the recorder ended by itself");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 500'000));
    if (round == 0) {
      // While alive, it keeps other recorders out.
      BOOST_TEST((reel::recover_in_place(path).error().code == error_code::in_use));
      BOOST_TEST((recorder<int_encoder>::open(path, {}).error().code == error_code::in_use));
    }
    child.kill();
    BOOST_REQUIRE(child.code() == -1);
    const std::uint64_t pushed = child_trace->pushed.load();
    const std::uint64_t done = child_trace->writes_done.load();
    const std::uint64_t begun = child_trace->writes_begun.load();
    BOOST_REQUIRE(begun <= max_writes);
    const std::uint64_t sealed = done == 0 ? 0 : child_trace->encoded_before_write[done - 1];
    const std::uint64_t may_be_sealed = begun == 0 ? 0 : child_trace->encoded_before_write[begun - 1];

    auto reel = reel::reader::open(path, {}, true);
    BOOST_REQUIRE(reel);
    BOOST_TEST((reel->contents().end != reel::reel_end::closed));
    const auto ticks = decode_all(*reel);
    check_ticks(ticks);
    BOOST_TEST(ticks.size() >= sealed);
    BOOST_TEST(ticks.size() <= may_be_sealed);
    check_promptness(*child_trace);
    const std::uint64_t lost = pushed - std::min<std::uint64_t>(pushed, ticks.size());
    pushed_in_all += pushed;
    lost_in_all += lost;
    worst = std::max(worst, lost);

    // Recovered once or twice, it is the same complete reel.
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
  std::cout << rounds << " kills: " << pushed_in_all << " ticks pushed, " << lost_in_all << " lost; at worst "
            << worst << " ticks (" << static_cast<std::int64_t>(worst) * tick_us / 1000
            << " ms) at a seal interval of " << seal_interval_ms << " ms\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
