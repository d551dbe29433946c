// The work of archivers: claims that expire, matches that are still recorded, and archivers that are killed.
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "administrator.hpp"
#include "archived_matches.hpp"
#include "other_self.hpp"
#include "random.hpp"

BOOST_AUTO_TEST_SUITE(recorders_archive_tests)
BOOST_AUTO_TEST_SUITE(shared_work_test)

using namespace archived_matches;

// The first archiver finds a match that is not over; while it archives, its claim expires.
BOOST_FIXTURE_TEST_CASE(once_continues_after_a_match_that_is_still_recorded, broker_in_folder,
                        *test::with_broker) {
  auto random = test::seeded_random("still recorded");
  const std::string path = folder / "open.reel";
  test::growing_reel open(path, random, nullptr);
  open.grow(20);
  publish("open", path);
  const auto matches = play(broker, folder, random, 3);
  auto how = quick(folder);
  how.acknowledge_within = 1s;
  // Longer than the claim on any machine: a sleep is never shorter than requested.
  how.reported = [](const outcome&) { std::this_thread::sleep_for(1500ms); };
  const auto report = archive_to(archive_folder, how);
  BOOST_TEST(report.archived == 3u);
  BOOST_TEST(report.waiting > 0u);
  check_archive(archive_folder, matches);
}

BOOST_FIXTURE_TEST_CASE(a_rescanned_match_counts_once, broker_in_folder, *test::with_broker) {
  auto random = test::seeded_random("looked at");
  const std::string path = folder / "open.reel";
  test::growing_reel open(path, random, nullptr);
  open.grow(20);
  publish("open", path);
  auto how = quick(folder);
  how.once = false;
  how.look_again = 10ms;
  constexpr std::uint64_t looks = 5;  // the work of a match is given out once for each
  test::administrator broker_facts(broker.port());
  std::uint64_t given_out = 0;
  how.cancelled = [&] {
    given_out =
        broker_facts.deliveries(std::string(fleet::work_stream), std::string(fleet::archivers_consumer));
    return given_out > looks;
  };
  const auto report = archive_to(archive_folder, how);
  BOOST_TEST(given_out > looks);
  BOOST_TEST(report.waiting == 1u);
}

BOOST_FIXTURE_TEST_CASE(once_waits_for_the_work_of_a_killed_archiver, broker_in_folder, *test::with_broker) {
  auto random = test::seeded_random("work of the dead");
  const auto matches = play(broker, folder, random, 3);
  auto how = quick(folder);
  std::optional<fleet::message> had;
  {
    auto dead = test::connected_to(broker.url());
    BOOST_REQUIRE(dead.has_value());
    auto shared =
        dead->share_work(fleet::work_stream, fleet::archivers_consumer, how.acknowledge_within, 1'000'000);
    BOOST_REQUIRE(shared.has_value());
    auto came = shared->next(60s);
    BOOST_REQUIRE(came.has_value());
    BOOST_REQUIRE(came->has_value());
    had = std::move(**came);
  }
  const auto report = archive_to(archive_folder, how);
  BOOST_TEST(report.archived == 3u);
  check_archive(archive_folder, matches);
}

// Two archivers with `--once` end by themselves, although matches are still recorded.
bool two_end(std::mt19937_64& random) {
  const test::scratch_folder folder;
  const test::nats_server broker(folder.path());
  for (int number = 0; number < 4; ++number) {
    const std::string path = folder / ("open " + std::to_string(number) + ".reel");
    test::growing_reel open(path, random, nullptr);
    open.grow(5);
    BOOST_REQUIRE(fleet::publish_reel(broker.url("a league"), path, test::quick_options()).has_value());
  }
  std::atomic<bool> given_up{false};
  std::vector<std::thread> both;
  for (int each = 0; each < 2; ++each) {
    both.emplace_back([&, each] {
      auto how = quick(folder);
      // It would wait twice as long for the work of a dead archiver.
      how.acknowledge_within = 3000s;
      how.cancelled = [&given_up, began = std::chrono::steady_clock::now()] {
        if (std::chrono::steady_clock::now() - began > 40s) given_up = true;
        return given_up.load();
      };
      const auto report =
          archive::archive_from(broker.url(), folder / ("archive" + std::to_string(each)), how);
      BOOST_TEST(report.has_value(), why(report));
    });
  }
  for (std::thread& each : both) each.join();
  return !given_up;
}

// Each has matches that the other one expects, and would wait for them as for a dead archiver's. If a busy broker assigns work to
// an expired request, that counts as a dead archiver's work: then both try again.
BOOST_AUTO_TEST_CASE(two_archivers_with_once_do_not_wait_for_each_other, *test::with_broker) {
  auto random = test::seeded_random("two at a time");
  constexpr int tries = 10;
  bool ended = false;
  for (int each = 0; each < tries && !ended; ++each) ended = two_end(random);
  BOOST_TEST(ended);
}

// Run by the test below, which kills it.
BOOST_AUTO_TEST_CASE(run_an_archiver_process, *test::runs_as_child("TICKREEL_TEST_ARCHIVER")) {
  const char* const url = std::getenv("TICKREEL_TEST_ARCHIVER");
  BOOST_REQUIRE(url != nullptr);
  archive::archive_options how;
  how.spool = std::getenv("TICKREEL_TEST_SPOOL");
  how.acknowledge_within = 2s;
  how.store.part_bytes = 4096;
  const auto report = archive::archive_from(*fleet::read_nats_url(url), "s3://bucket", how);
  BOOST_TEST(report.has_value(), why(report));
}

BOOST_FIXTURE_TEST_CASE(several_archivers_share_the_work_and_one_is_killed_during_an_upload,
                        broker_and_bucket, *test::with_broker) {
  auto random = test::seeded_random("killed archivers");
  const auto matches = play(broker, folder, random, 6);
  std::atomic<int> parts = 0;
  s3.faults = [&](const std::string&, const std::string& target, std::uint64_t) {
    // The first upload never completes its second part: its archiver is killed there.
    const bool second = target.find("partNumber=2&") != std::string::npos;
    return second && parts++ == 0 ? fault::silence : fault::none;
  };
  test::other_self killed("recorders_archive_tests/shared_work_test/run_an_archiver_process",
                          {"TICKREEL_TEST_ARCHIVER=" + fleet::to_text(broker.url()),
                           "TICKREEL_TEST_SPOOL=" + (folder / "spool")});
  BOOST_REQUIRE(test::eventually([&] { return parts > 0; }));
  BOOST_TEST(s3.uploads().size() == 1u);
  killed.kill();
  std::atomic<std::uint64_t> archived = 0;
  std::vector<std::thread> others;
  for (int each = 0; each < 3; ++each) {
    others.emplace_back([&] {
      // The work of the killed archiver is assigned again after its claim expires.
      for (int tries = 0; tries < 1000 && archived < matches.size(); ++tries) {
        const auto report = archive::archive_from(broker.url(), "s3://bucket", quick(folder));
        if (report) archived += report->archived + report->there;
      }
    });
  }
  for (std::thread& each : others) each.join();
  BOOST_TEST(archived >= matches.size());
  check_archive("s3://bucket", matches);
  BOOST_TEST(s3.uploads().empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
