// A store that is busy, fails or is absent while matches are archived.
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "archived_matches.hpp"
#include "default_system_calls.hpp"
#include "random.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(recorders_archive_tests)
BOOST_AUTO_TEST_SUITE(failing_store_test)

using namespace archived_matches;

BOOST_FIXTURE_TEST_CASE(a_store_that_is_busy_at_the_start_is_retried, broker_and_bucket, *test::with_broker) {
  auto random = test::seeded_random("busy store");
  (void)play(broker, folder, random, 1);
  std::atomic<int> busy = 3;
  s3.faults = [&](const std::string&, const std::string&, std::uint64_t) {
    return busy-- > 0 ? fault::status_503 : fault::none;
  };
  auto how = quick(folder);
  how.store.limits.attempts = 1;
  int reported = 0;
  how.lost_store = [&](const error&) { ++reported; };
  const auto report = archive_to("s3://bucket/p", how);
  BOOST_TEST(report.archived == 1u);
  BOOST_TEST(reported == 3);
}

BOOST_FIXTURE_TEST_CASE(a_store_that_fails_loses_nothing, broker_and_bucket, *test::with_broker) {
  auto random = test::seeded_random("failing stores");
  const auto matches = play(broker, folder, random, 3);
  std::mt19937_64 chance(random());
  bool fails = true;
  s3.faults = [&](const std::string&, const std::string&, std::uint64_t) {
    constexpr fault kinds[] = {fault::status_500, fault::status_503, fault::cut_in_request,
                               fault::cut_in_answer, fault::lost_answer};
    return fails && chance() % 3 == 0 ? kinds[chance() % std::size(kinds)] : fault::none;
  };
  auto how = quick(folder);
  how.store.limits.attempts = 3;
  std::uint64_t archived = 0;
  BOOST_TEST(test::eventually([&] {
    const auto report = archive::archive_from(broker.url(), "s3://bucket/p", how);
    if (report) archived += report->archived;
    return archived == 3;
  }));
  fails = false;
  check_archive("s3://bucket/p", matches);
  BOOST_TEST(s3.uploads().empty());
}

// libcurl reopens kept connections that were closed: no retry is counted for that.
BOOST_FIXTURE_TEST_CASE(a_repeated_start_of_an_upload_leaves_nothing, broker_and_bucket, *test::with_broker) {
  auto random = test::seeded_random("uploads begun twice");
  const auto matches = play(broker, folder, random, 1);
  std::atomic<int> begun{0};
  s3.faults = [&](const std::string& method, const std::string& target, std::uint64_t) {
    const bool begins = method == "POST" && target.find("?uploads") != std::string::npos;
    return begins && begun++ == 0 ? fault::lost_answer : fault::none;
  };
  const auto report = archive_to("s3://bucket/p", quick(folder));
  BOOST_TEST(begun == 2);
  check_archive("s3://bucket/p", matches);
  BOOST_TEST(s3.uploads().empty());
}

BOOST_FIXTURE_TEST_CASE(an_immediate_retry_finds_the_failed_match, broker_and_bucket, *test::with_broker) {
  auto random = test::seeded_random("tried again");
  const auto matches = play(broker, folder, random, 2);
  bool fails = true;
  s3.faults = [&](const std::string& method, const std::string&, std::uint64_t) {
    return fails && method != "GET" && method != "HEAD" ? fault::status_500 : fault::none;
  };
  auto how = quick(folder);
  how.store.limits.attempts = 1;
  for (int tries = 0; tries < 3; ++tries) {
    const auto report = archive_to("s3://bucket/p", how);
    BOOST_TEST(report.failed == 2u);
  }
  fails = false;
  const auto report = archive_to("s3://bucket/p", how);
  BOOST_TEST(report.archived == 2u);
  check_archive("s3://bucket/p", matches);
}

// The result is that of the last attempt.
BOOST_FIXTURE_TEST_CASE(once_retries_a_match_that_failed_while_the_broker_was_away, broker_and_bucket,
                        *test::with_broker) {
  auto random = test::seeded_random("broker away");
  const auto matches = play(broker, folder, random, 2);
  std::atomic<bool> is_killed = false;
  s3.faults = [&](const std::string& method, const std::string& target, std::uint64_t) {
    const bool looks_for_index = method == "GET" && target.find(".json") != std::string::npos;
    if (looks_for_index && !is_killed.exchange(true)) broker.kill();
    return fault::none;
  };
  auto how = quick(folder);
  how.reported = [&](const outcome& about) {
    if (about.what == outcome::kind::failed && broker.process() <= 0) broker.start();
  };
  const auto report = archive_to("s3://bucket/p", how);
  BOOST_TEST(report.archived == 2u);
  BOOST_TEST(report.failed > 0u);
  BOOST_TEST(report.failing == 0u);
  check_archive("s3://bucket/p", matches);
}

BOOST_FIXTURE_TEST_CASE(a_failure_of_the_spool_names_its_file, broker_and_bucket, *test::with_broker) {
  auto random = test::seeded_random("spool");
  (void)play(broker, folder, random, 1);
  auto how = quick(folder);
  s3.faults = [&](const std::string&, const std::string& target, std::uint64_t) {
    if (target.find(".json") != std::string::npos) std::filesystem::remove_all(folder / "spool");
    return fault::none;
  };
  std::string file;
  how.reported = [&](const outcome& about) {
    if (about.what == outcome::kind::failed) file = about.spool_file.utf8();
  };
  const auto report = archive_to("s3://bucket/p", how);
  BOOST_TEST(report.failing == 1u);
  BOOST_TEST(file.starts_with(folder / "spool"), file);
  BOOST_TEST(file.ends_with(".reel"), file);
}

namespace {

struct runner {
  std::int32_t score = 0;
};
TICKREEL_DESCRIBE(runner, score);

// The real system calls; the disk is full for files whose paths contain `part`.
class full_for final : public system_calls {
 public:
  explicit full_for(std::string part)
      : part_(std::move(part)), before_(std::exchange(default_system_calls(), this)) {}
  full_for(const full_for&) = delete;
  full_for& operator=(const full_for&) = delete;
  ~full_for() override { default_system_calls() = before_; }
  std::int64_t open(const char* path, unsigned flags) override {
    const bool is_full = (flags & write) != 0 && std::string_view(path).find(part_) != std::string_view::npos;
    return is_full ? -ENOSPC : system_calls::open(path, flags);
  }

 private:
  std::string part_;
  system_calls* before_;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_failure_names_the_file_of_the_spool_that_failed, broker_in_folder,
                        *test::with_broker) {
  const std::string path = folder / "runner.reel";
  {
    auto out = record<runner>(path, {.mode = threading::pumped, .seal_frames = 20, .ticks_per_second = 60});
    BOOST_REQUIRE(out.has_value());
    for (int tick = 0; tick < 600; ++tick) {
      BOOST_REQUIRE(out->push({tick / 60}));
      if (tick % 50 == 0) out->pump();
    }
    BOOST_REQUIRE(out->close().has_value());
  }
  publish("runner", path);
  auto how = quick(folder);
  std::string file;
  how.reported = [&](const outcome& about) {
    if (about.what == outcome::kind::failed) file = about.spool_file.utf8();
  };
  {
    const full_for disk(".smaller");
    BOOST_TEST(archive_to(archive_folder, how).failing == 1u);
  }
  BOOST_TEST(file.ends_with(".smaller"), file);
  BOOST_TEST(archive_to(archive_folder, how).archived == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_spool_that_cannot_be_used_is_named, broker_in_folder, *test::with_broker) {
  auto how = quick(folder);
  test::write_file(folder / "file", as_bytes("no folder"));
  how.spool = folder / "file/spool";
  std::string named;
  how.lost_spool = [&](const file_path& path, const error&) { named = path.utf8(); };
  BOOST_TEST(!archive::archive_from(broker.url(), archive_folder, how).has_value());
  BOOST_TEST(named == folder / "file/spool");
}

BOOST_AUTO_TEST_CASE(an_unreachable_store_is_not_created_as_a_folder) {
  for (const char* const where :
       {"s3:/league/2026", "S3://league", "https://bucket.s3.amazonaws.com/x", "file:///x"}) {
    const auto opened = store::open(where);
    BOOST_REQUIRE(!opened.has_value());
    BOOST_TEST((opened.error().code == error_code::invalid_argument), where);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
