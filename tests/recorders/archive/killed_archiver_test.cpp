// An archiver that is killed between the objects of a match.
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <optional>
#include <string>

#include "administrator.hpp"
#include "archived_matches.hpp"
#include "random.hpp"

BOOST_AUTO_TEST_SUITE(recorders_archive_tests)
BOOST_AUTO_TEST_SUITE(killed_archiver_test)

using namespace archived_matches;

// Each archiver finds other records in the stream. The second one fails after it has stored the recording.
BOOST_FIXTURE_TEST_CASE(a_recording_without_its_index_object_loses_no_record, broker_and_bucket,
                        *test::with_broker) {
  auto random = test::seeded_random("killed between objects");
  (void)play(broker, folder, random, 1);  // makes the streams
  const std::string path = folder / "killed.reel";
  write_reel(path, random, 24);
  auto how = quick(folder);
  how.store.limits.attempts = 1;
  how.idle = 0s;
  std::optional<store::index_object> index;
  how.reported = [&](const outcome& about) {
    if (about.name.match == "killed") index = about.index;
  };
  const auto archive_records = [&](std::size_t first, std::size_t end) {
    sent_by_record sent(broker, "killed", path);
    BOOST_REQUIRE(test::administrator(broker.port()).purge(sent.subjects.stream));
    sent_by_record again(broker, "killed", path);
    for (std::size_t number = first; number < std::min(end, again.count()); ++number) again.send(number);
    again.offer();
    (void)archive_to("s3://bucket/p", how);
  };

  archive_records(0, 8);
  BOOST_REQUIRE(index.has_value());
  BOOST_TEST(index->records == 8u);
  BOOST_TEST(index->lost_records == 0u);

  bool is_stored = false;
  s3.faults = [&](const std::string& method, const std::string& target, std::uint64_t) {
    if (method == "GET" || method == "HEAD") return fault::none;
    const bool is_index = target.find(".json") != std::string::npos;
    is_stored = is_stored || !is_index;
    return is_stored && is_index ? fault::refused : fault::none;
  };
  archive_records(8, 16);
  BOOST_TEST(is_stored);

  s3.faults = nullptr;
  archive_records(16, SIZE_MAX);
  BOOST_REQUIRE(index.has_value());
  BOOST_TEST(index->ended);
  BOOST_TEST(index->lost_records == 0u);
  BOOST_TEST(index->recorded_sha256 == store::hash_file(path)->sha256);
  const auto in = store::open("s3://bucket/p");
  BOOST_REQUIRE(in.has_value());
  BOOST_TEST(store::hash_object(**in, {index->key, index->bytes})->sha256 == index->sha256);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
