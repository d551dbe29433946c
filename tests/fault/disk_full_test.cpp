// Really full disks: a small tmpfs if mounting is permitted, and a limit on the size of files.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "int_encoder.hpp"
#include "preconditions.hpp"
#include "scratch_folder.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/reel/recover.hpp"

#if defined(__linux__)
#include <sys/mount.h>
#include <sys/resource.h>

#include <csignal>

BOOST_AUTO_TEST_SUITE(fault_disk_full_tests)
BOOST_AUTO_TEST_SUITE(disk_full_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

recorder_options uncompressed() {
  recorder_options options;
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;  // never by itself
  options.seal_frames = 100;
  options.codec.codec = codec_id::none;
  options.ticks_per_second = 60;
  return options;
}

using pumped_recorder = recorder<int_encoder>;

// Pushes ticks until a chunk could not be written.
void record_until_full(pumped_recorder& recorder, std::uint64_t& tick,
                       error_code expected = error_code::no_space) {
  while (!recorder.failure()) {
    BOOST_REQUIRE(tick < 10'000'000);
    recorder.push(state_of_tick(tick++));
    recorder.pump();
  }
  BOOST_TEST((recorder.failure()->code == expected));
}

void check_survivors(const std::string& path, const pumped_recorder& recorder) {
  auto reel = reel::reader::open(path, {}, true);
  BOOST_REQUIRE(reel);
  const auto read = decode_all(*reel);
  BOOST_TEST(read.size() == recorder.counters().written);
  BOOST_TEST(read.size() > 0u);
  for (const auto& tick : read) BOOST_REQUIRE((tick.state == state_of_tick(tick.stamp.tick)));
}

class small_disk {
 public:
  explicit small_disk(const std::string& at) : at_(at) {
    std::filesystem::create_directory(at_);
    is_mounted_ = ::mount("tmpfs", at_.c_str(), "tmpfs", 0, "size=256k") == 0;
  }
  small_disk(const small_disk&) = delete;
  small_disk& operator=(const small_disk&) = delete;
  ~small_disk() {
    if (is_mounted_) ::umount(at_.c_str());
  }
  [[nodiscard]] bool is_mounted() const { return is_mounted_; }

 private:
  std::string at_;
  bool is_mounted_ = false;
};

const auto with_small_disk = needed(
    []() -> const char* {
      const scratch_folder folder;
      const small_disk disk(folder / "disk");
      return disk.is_mounted() ? nullptr : "mounting a small tmpfs is not permitted here";
    },
    "TICKREEL_REQUIRE_MOUNT");

BOOST_AUTO_TEST_CASE(closing_on_a_full_disk_reports_the_stored_ticks, *with_small_disk) {
  const scratch_folder folder;
  const small_disk disk(folder / "disk");
  BOOST_REQUIRE(disk.is_mounted());
  const std::string path = folder / "disk/match.reel";
  auto recorder = pumped_recorder::open(path, {}, uncompressed());
  BOOST_REQUIRE(recorder);
  std::uint64_t tick = 0;
  record_until_full(*recorder, tick);
  std::ofstream(folder / "disk/rest") << std::string(1 << 20, 'x');  // no byte is free
  for (int i = 0; i < 250; ++i) recorder->push(state_of_tick(tick++));
  const auto report = recorder->close();
  BOOST_REQUIRE(!report);
  BOOST_TEST((report.error().code == error_code::no_space));
  const recorder_counters counters = recorder->counters();
  BOOST_TEST(report.error().values[0] == static_cast<std::int64_t>(counters.written));
  BOOST_TEST(report.error().values[1] == static_cast<std::int64_t>(counters.lost));
  BOOST_TEST(counters.written + counters.lost == tick);
  check_survivors(path, *recorder);
  // Recovery needs a little space as well, which the last page of the file may have. The ticks are kept in both cases.
  const auto recovered = reel::recover_in_place(path);
  if (!recovered) BOOST_TEST((recovered.error().code == error_code::no_space));
  check_survivors(path, *recorder);
  std::filesystem::remove(folder / "disk/rest");
}

BOOST_AUTO_TEST_CASE(recording_continues_when_space_is_available_again, *with_small_disk) {
  const scratch_folder folder;
  const small_disk disk(folder / "disk");
  BOOST_REQUIRE(disk.is_mounted());
  const std::string path = folder / "disk/match.reel";
  std::ofstream(folder / "disk/rest") << std::string(128 << 10, 'x');
  auto recorder = pumped_recorder::open(path, {}, uncompressed());
  BOOST_REQUIRE(recorder);
  std::uint64_t tick = 0;
  record_until_full(*recorder, tick);
  std::filesystem::remove(folder / "disk/rest");
  for (int i = 0; i < 150; ++i) {
    recorder->push(state_of_tick(tick++));
    recorder->pump();
  }
  BOOST_TEST(!recorder->failure());
  const auto report = recorder->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(!report->nothing_lost());
  BOOST_TEST(report->counters.lost == 100u);
  BOOST_TEST((report->earlier_failure.value().code == error_code::no_space));
  check_survivors(path, *recorder);
  auto reel = reel::reader::open(path);
  BOOST_REQUIRE(reel);
  BOOST_TEST(reel->contents().lost_ticks == 100u);
}

BOOST_AUTO_TEST_CASE(a_file_size_limit_is_handled_like_a_full_disk) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before = {};
  BOOST_REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  rlimit small = before;
  small.rlim_cur = 100'000;
  BOOST_REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  auto recorder = pumped_recorder::open(path, {}, uncompressed());
  BOOST_REQUIRE(recorder);
  std::uint64_t tick = 0;
  record_until_full(*recorder, tick, error_code::io_failed);
  BOOST_TEST(std::filesystem::file_size(path) < 100'000u);
  BOOST_REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  check_survivors(path, *recorder);
  const auto report = recorder->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->counters.lost == 100u);
  check_survivors(path, *recorder);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

#else

BOOST_AUTO_TEST_SUITE(fault_disk_full_tests)
BOOST_AUTO_TEST_SUITE(disk_full_test)

BOOST_AUTO_TEST_CASE(not_supported_on_this_system) {
  std::cout << "LEFT OUT: only on Linux\n";
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

#endif
