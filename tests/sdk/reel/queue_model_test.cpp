// A queued sink in every order of the recorder's and the sender's critical sections, with every failure of the receiver.
#include <dlfcn.h>
#include <pthread.h>

#include <boost/test/unit_test.hpp>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "interleavings.hpp"
#include "scratch_folder.hpp"
#include "tickreel/record/clock.hpp"
#include "tickreel/reel/queued_sink.hpp"
#include "tickreel/reel/writer.hpp"

using namespace tickreel;
using tickreel::tests::interleavings;

namespace {
std::int64_t now_us = 0;
}

// A thread can be interrupted before each lock. Nothing switches while a lock is held, so both coroutines can share the real
// mutex of the code under test.
extern "C" int pthread_mutex_lock(pthread_mutex_t* lock) noexcept {
  using function = int (*)(pthread_mutex_t*);
  static const auto real = reinterpret_cast<function>(::dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  if (interleavings::is_active()) interleavings::current().may_switch();
  return real(lock);
}
// A wait lets the other thread run.
extern "C" int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* lock, clockid_t clock,
                                      const timespec* until) {
  using function = int (*)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);
  static const auto real = reinterpret_cast<function>(::dlsym(RTLD_NEXT, "pthread_cond_clockwait"));
  if (!interleavings::is_active()) return real(condition, lock, clock, until);
  ::pthread_mutex_unlock(lock);
  now_us += 1000;
  interleavings::current().wait();
  return ::pthread_mutex_lock(lock);
}

namespace {

void set_simulated_clock() {
  detail::clocks() = {[]() noexcept { return now_us; }, []() noexcept { return now_us; }};
}

struct stored_record {
  reel::record_info info;
  byte_vector bytes;
};

// A finished reel in a file, and what its recorder gives to a sink.
struct recorded_reel {
  struct kept {
    byte_vector header;
    std::vector<stored_record> records;
  };
  class keeping_sink final : public reel::sink {
   public:
    explicit keeping_sink(kept& to) : to_(to) {}
    result<void> accept_header(byte_span bytes) override {
      to_.header.assign(bytes.begin(), bytes.end());
      return {};
    }
    result<void> accept_record(const reel::record_info& info, byte_span bytes) override {
      to_.records.push_back({info, byte_vector(bytes.begin(), bytes.end())});
      return {};
    }

   private:
    kept& to_;
  };

  test::scratch_folder folder;
  std::string path = folder / "match.reel";
  kept all;

  recorded_reel() {
    reel::header head;
    head.encoder_name = "test";
    auto to = reel::writer::create(path, head, {.codec = codec_id::none});
    BOOST_REQUIRE(to);
    to->add_sink(std::make_unique<keeping_sink>(all));
    reel::record_info about;
    about.frames = 1;
    about.flags = reel::starts_with_keyframe;
    BOOST_REQUIRE(to->append(about, byte_vector(20, std::byte{7})));
    BOOST_REQUIRE(to->finish());
    BOOST_REQUIRE(all.records.size() == 3u);  // a chunk, the index, the end
  }
};

// What the receiver has. It outlives connections.
struct receiver {
  std::map<std::uint64_t, byte_vector> records;
  std::set<std::uint64_t> sent;  // also those that did not arrive
  std::uint64_t next = 0;        // of this connection
  std::uint64_t confirmed = 0;
  unsigned failures_left = 0;
  bool ended = false;
};

class modelled_delivery final : public reel::delivery {
 public:
  explicit modelled_delivery(std::shared_ptr<receiver> to) : to_(std::move(to)) {}

  result<std::uint64_t> connect(const reel::header&, byte_span) override {
    interleavings::current().may_switch();
    if (fails(2) != 0) return fail(error_code::connection_refused);
    // A record that was never sent is lost for the sender, too.
    to_->next = to_->sent.empty() ? 0 : *to_->sent.rbegin() + 1;
    for (const std::uint64_t each : to_->sent) {
      if (!to_->records.contains(each)) to_->next = std::min(to_->next, each);
    }
    to_->confirmed = to_->next;
    return to_->next;
  }
  result<void> send(const reel::record_info& info, byte_span bytes) override {
    interleavings& model = interleavings::current();
    model.may_switch();
    if (to_->ended) model.fail("a record was sent after the end");
    if (info.sequence < to_->next) model.fail("a record was sent again on the same connection");
    to_->next = info.sequence + std::uint64_t{1};
    to_->sent.insert(info.sequence);
    const std::size_t failure = fails(3);  // before or after its arrival
    if (failure != 1) to_->records[info.sequence] = byte_vector(bytes.begin(), bytes.end());
    if (failure != 0) return fail(error_code::connection_lost);
    return {};
  }
  result<std::uint64_t> confirmed(std::chrono::milliseconds) override {
    interleavings::current().may_switch();
    const std::size_t failure = fails(4);
    if (failure == 1) return to_->confirmed;  // late
    if (failure == 2) to_->records.erase(to_->records.lower_bound(to_->confirmed), to_->records.end());
    if (failure != 0) return fail(error_code::connection_lost);
    to_->confirmed = to_->next;
    return to_->confirmed;
  }
  result<void> end() override {
    interleavings& model = interleavings::current();
    model.may_switch();
    if (fails(2) != 0) return fail(error_code::connection_lost);
    if (to_->ended) model.fail("the end arrived twice");
    to_->ended = true;
    return {};
  }

 private:
  // 0: succeeds.
  std::size_t fails(std::size_t ways) {
    if (to_->failures_left == 0) return 0;
    const std::size_t way = interleavings::current().choose(ways);
    if (way != 0) --to_->failures_left;
    return way;
  }

  std::shared_ptr<receiver> to_;
};

struct policy {
  bool has_file = true;
  std::uint32_t records_in_memory = 2;
  std::uint32_t unconfirmed_records = 256;
  unsigned failures = 1;
  bool closes = false;  // the recorder's thread closes the sink
};

// Repeats passes until nothing is left to do; time passes while the sink backs off.
void deliver_rest(const reel::queue_view& view) {
  reel::queue_view to = view;
  for (int turn = 0; turn < 100 && !to.counters().ended; ++turn) {
    while (to.pump()) {}
    now_us += 1'000'000;
  }
}

void expect_delivered(const recorded_reel& from, const receiver& to, const reel::queue_counters& all,
                      bool has_file) {
  interleavings& model = interleavings::current();
  if (!all.ended || !to.ended) model.fail("the end was not delivered");
  if (all.confirmed != from.all.records.size()) model.fail("not all records are confirmed");
  if (all.lag_records != 0) model.fail("records lag behind after the end");
  for (const auto& [sequence, bytes] : to.records) {
    if (sequence >= from.all.records.size() || bytes != from.all.records[sequence].bytes)
      model.fail("record " + std::to_string(sequence) + " arrived with other bytes");
  }
  if (to.records.size() + all.lost != from.all.records.size()) {
    model.fail(std::to_string(to.records.size()) + " records arrived and " + std::to_string(all.lost) +
               " are reported as lost");
  }
  if (all.lost > all.overflowed) model.fail("a record is lost that was in memory until it was confirmed");
  if (has_file && all.lost != 0) model.fail("records of a reel with a file are lost");
}

void expect_bounds(const reel::queue_counters& all, const policy& of) {
  interleavings& model = interleavings::current();
  if (all.confirmed > all.accepted) model.fail("more records are confirmed than accepted");
  if (all.queued_records > of.records_in_memory) model.fail("the queue exceeds its limit");
}

interleavings::threads sink_threads(const recorded_reel& from, const policy& of) {
  now_us = 1'000'000;
  const auto to = std::make_shared<receiver>();
  to->failures_left = of.failures;
  reel::queue_options options;
  options.mode = threading::pumped;
  options.max_records = of.records_in_memory;
  options.max_unconfirmed_records = of.unconfirmed_records;
  options.close_wait_ms = 10'000;
  auto made = reel::queued_sink::create(of.has_file ? file_path(from.path) : file_path(),
                                        std::make_unique<modelled_delivery>(to), options);
  BOOST_REQUIRE(made);
  const std::shared_ptr<reel::queued_sink> sink = std::move(*made);
  return {[sink, &from, of] {
            (void)sink->accept_header(from.all.header);
            for (const stored_record& each : from.all.records) {
              (void)sink->accept_record(each.info, each.bytes);
              expect_bounds(sink->view().counters(), of);
            }
            if (of.closes && !sink->close()) interleavings::current().fail("close() did not deliver all");
          },
          [sink] {
            reel::queue_view view = sink->view();
            for (int pass = 0; pass < 4; ++pass) {
              (void)view.pump();
              now_us += 300'000;  // longer than the first back-off
            }
          },
          [sink, to, &from, of] {
            to->failures_left = 0;
            const reel::queue_view view = sink->view();
            deliver_rest(view);
            expect_delivered(from, *to, view.counters(), of.has_file);
          }};
}

void expect_no_failure(const policy& of, unsigned usual_switches) {
  set_simulated_clock();
  const recorded_reel from;
  const auto found = interleavings::explore([&] { return sink_threads(from, of); },
                                            tests::switches_or(usual_switches), ~std::uint64_t{0});
  BOOST_TEST_MESSAGE(found.runs << " runs");
  BOOST_TEST(!found.failure, "run " << found.runs << ": " << found.failure.value_or(""));
  BOOST_TEST(found.runs > 1000u);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sdk_queue_model_tests)

BOOST_AUTO_TEST_CASE(a_reel_with_a_file_is_delivered_whole) {
  expect_no_failure({.has_file = true, .records_in_memory = 1, .unconfirmed_records = 2}, 3);
}

BOOST_AUTO_TEST_CASE(without_a_file_what_overflows_is_reported_as_lost) {
  expect_no_failure({.has_file = false, .records_in_memory = 1, .unconfirmed_records = 2}, 3);
}

BOOST_AUTO_TEST_CASE(without_a_file_memory_keeps_what_is_not_confirmed) {
  expect_no_failure({.has_file = false, .records_in_memory = 3, .failures = 2}, 2);
}

BOOST_AUTO_TEST_CASE(one_record_at_a_time_is_confirmed) {
  expect_no_failure({.unconfirmed_records = 1, .failures = 2}, 2);
}

BOOST_AUTO_TEST_CASE(close_delivers_all_beside_a_pass) {
  expect_no_failure({.records_in_memory = 1, .failures = 0, .closes = true}, 3);
}

BOOST_AUTO_TEST_SUITE_END()
