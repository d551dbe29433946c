// Every system call fails once, at every position, in every way: sealed chunks survive, and every loss is reported.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "failing_calls.hpp"
#include "int_encoder.hpp"
#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/reel/recover.hpp"

BOOST_AUTO_TEST_SUITE(fault_tests)
BOOST_AUTO_TEST_SUITE(fault_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

constexpr std::uint64_t ticks = 60;

struct way_to_fail {
  fault kind;
  int errno_value;
  bool for_good;
};
constexpr way_to_fail ways[] = {
    {fault::refused, EIO, false},        {fault::refused, ENOSPC, false},   {fault::refused, EINTR, false},
    {fault::short_write, ENOSPC, false}, {fault::torn_write, EIO, false},   {fault::refused, ENOSPC, true},
    {fault::short_write, ENOSPC, true},  {fault::torn_write, ENOSPC, true}, {fault::refused, EROFS, true},
};

std::size_t files_in(const scratch_folder& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder.path()), {}));
}

// Records `ticks` ticks in chunks of ten on a system with the given failure. Returns false if no call failed.
bool record_once(const way_to_fail& way, std::uint64_t at) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  failing_calls calls(way.kind, way.errno_value, at, way.for_good);
  recorder_options options;
  options.mode = threading::pumped;
  options.seal_frames = 10;
  options.seal_interval_ms = 1'000'000;
  options.ticks_per_second = 60;
  auto opened = recorder<int_encoder>::open(path, {}, options, calls);
  if (!opened) {
    BOOST_TEST_REQUIRE(calls.struck());
    if (!way.for_good) BOOST_TEST_REQUIRE(files_in(folder) == 0u);
    return true;
  }
  auto& recorder = *opened;
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    BOOST_TEST_REQUIRE(recorder.push(state_of_tick(tick)));
    recorder.pump();
  }
  const auto report = recorder.close();
  const recorder_counters counters = recorder.counters();
  const bool struck = calls.struck();

  // Every tick is accounted for.
  BOOST_TEST_REQUIRE(counters.pushed == ticks);
  BOOST_TEST_REQUIRE(counters.written + counters.lost == ticks);
  if (!struck) {
    BOOST_TEST_REQUIRE(report.has_value());
    BOOST_TEST_REQUIRE(report->nothing_lost());
    BOOST_TEST_REQUIRE(!report->earlier_failure);
  }
  if (counters.lost != 0 || counters.failed_syncs != 0) {
    BOOST_TEST_REQUIRE((!report || (!report->nothing_lost() && report->earlier_failure)));
  }
  if (way.for_good && struck) BOOST_TEST_REQUIRE(!report.has_value());

  // Ticks reported as written are present, in order and correct.
  auto reel = reel::reader::open(path, {}, true);
  BOOST_TEST_REQUIRE(reel.has_value());
  BOOST_TEST_REQUIRE(reel->contents().damaged.empty());
  const auto read = decode_all(*reel);
  BOOST_TEST_REQUIRE(read.size() == counters.written);
  for (const auto& tick : read) BOOST_REQUIRE((tick.state == state_of_tick(tick.stamp.tick)));
  if (report) {
    BOOST_REQUIRE((reel->contents().end == reel::reel_end::closed));
    BOOST_TEST_REQUIRE(reel->contents().lost_ticks == counters.lost);
  }
  // If the recorder could not end the reel, recovery can.
  BOOST_TEST_REQUIRE(reel::recover_in_place(path).has_value());
  auto recovered = reel::reader::open(path);
  BOOST_TEST_REQUIRE(recovered.has_value());
  BOOST_REQUIRE((recovered->contents().end == reel::reel_end::closed));
  BOOST_TEST_REQUIRE(decode_all(*recovered).size() == counters.written);
  return struck;
}

BOOST_AUTO_TEST_CASE(recording_with_the_nth_call_failing) {
  for (const way_to_fail& way : ways) {
    std::uint64_t at = 1;
    for (bool struck = true; struck; ++at) {
      BOOST_TEST_CONTEXT("kind " << static_cast<int>(way.kind) << ", errno " << way.errno_value << ", call "
                                 << at << (way.for_good ? " and all after it" : "")) {
        struck = record_once(way, at);
      }
    }
    BOOST_TEST(at > 15u);  // the recording makes at least that many calls
  }
}

BOOST_AUTO_TEST_CASE(a_failed_sync_is_reported_and_recording_continues) {
  const scratch_folder folder;
  failing_calls calls(fault::refused, EIO, 5, false);
  calls.only_syncs();
  recorder_options options;
  options.mode = threading::pumped;
  options.seal_frames = 10;
  auto opened = recorder<int_encoder>::open(folder / "match.reel", {}, options, calls);
  BOOST_REQUIRE(opened);
  bool was_reported = false;
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    opened->push(state_of_tick(tick));
    opened->pump();
    const auto failure = opened->failure();
    if (failure) was_reported = failure->code == error_code::io_failed && failure->system_error == EIO;
  }
  BOOST_TEST(was_reported);
  BOOST_TEST(!opened->failure());
  const auto report = opened->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->counters.failed_syncs == 1u);
  BOOST_TEST(report->counters.written == ticks);
  BOOST_TEST(!report->nothing_lost());
}

BOOST_AUTO_TEST_CASE(publishing_with_the_nth_call_failing) {
  for (const way_to_fail& way : ways) {
    for (const bool replaces : {false, true}) {
      std::uint64_t at = 1;
      for (bool struck = true; struck; ++at) {
        const scratch_folder folder;
        const std::string path = folder / "final";
        const std::string old = replaces ? "the old file" : "";
        if (replaces) std::ofstream(path) << old;
        failing_calls calls(way.kind, way.errno_value, at, way.for_good);
        result<void> done = [&]() -> result<void> {
          auto made = published_file::create(path, replaces, calls);
          if (!made) return fail(made.error());
          if (auto step = made->append(as_bytes("the new ")); !step) return step;
          if (auto step = made->append(as_bytes("file")); !step) return step;
          return made->commit();
        }();
        struck = calls.struck();
        BOOST_TEST_REQUIRE((done || struck));
        const std::string now = std::filesystem::exists(path) ? std::string(as_text(read_file(path))) : "";
        BOOST_TEST_REQUIRE((now == "the new file" || now == old));
        if (done) BOOST_TEST_REQUIRE(now == "the new file");
        // A single failure leaves no temporary file; if all later calls fail, nothing can be removed.
        if (!way.for_good) {
          const bool removal_failed = !done && struck && files_in(folder) > (now.empty() ? 0u : 1u);
          BOOST_TEST_REQUIRE(!removal_failed);
        }
      }
      BOOST_TEST(at > 5u);
    }
  }
}

BOOST_AUTO_TEST_CASE(recovering_with_the_nth_call_failing) {
  const scratch_folder folder;
  const std::string whole = folder / "whole.reel";
  recorder_options options;
  options.mode = threading::pumped;
  options.seal_frames = 10;
  {
    auto opened = recorder<int_encoder>::open(whole, {}, options);
    BOOST_REQUIRE(opened);
    for (std::uint64_t tick = 0; tick < ticks; ++tick) {
      opened->push(state_of_tick(tick));
      opened->pump();
    }
  }
  byte_vector torn = read_file(whole);
  torn.resize(torn.size() * 2 / 3);
  const auto reset = [&torn](const std::string& path) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(as_text(torn).data(), static_cast<std::streamsize>(torn.size()));
  };
  const std::string path = folder / "torn.reel";
  const std::string copy = folder / "copy.reel";
  reset(path);
  BOOST_REQUIRE(reel::recover_into(path, copy));
  const byte_vector expected = read_file(copy);

  for (const way_to_fail& way : ways) {
    std::uint64_t at = 1;
    for (bool struck = true; struck; ++at) {
      reset(path);
      failing_calls calls(way.kind, way.errno_value, at, way.for_good);
      const auto first = reel::recover_in_place(path, calls);
      struck = calls.struck();
      BOOST_TEST_REQUIRE((first || struck));
      BOOST_TEST_REQUIRE(reel::recover_in_place(path).has_value());
      BOOST_REQUIRE((read_file(path) == expected));
    }
    for (bool struck = (at = 1) == 1; struck; ++at) {
      reset(path);
      std::filesystem::remove(copy);
      failing_calls calls(way.kind, way.errno_value, at, way.for_good);
      const auto done = reel::recover_into(path, copy, {}, calls);
      struck = calls.struck();
      BOOST_TEST_REQUIRE((done || struck));
      BOOST_REQUIRE((read_file(path) == torn));
      if (std::filesystem::exists(copy)) BOOST_REQUIRE((read_file(copy) == expected));
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
