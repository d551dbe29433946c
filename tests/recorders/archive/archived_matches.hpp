// Matches of a real broker, archivers of them, and the check that each is archived once and complete: the hash of the assembled
// reel in the index object equals the hash of the recorder's own file, and the hash of the stored object the one in the index
// object. The stored bytes of reels that are not compacted equal those of the recorder's file.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "delivered.hpp"
#include "fake_s3.hpp"
#include "preconditions.hpp"
#include "taken.hpp"
#include "tickreel/archive/archive.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/store/object_store.hpp"

namespace recorders_archive_tests::archived_matches {

using namespace tickreel;
using archive::outcome;
using test::fault;
using namespace std::chrono_literals;

struct played {
  std::string match;
  byte_vector bytes;
  std::string sha256;
};

inline void write_reel(const std::string& path, std::mt19937_64& random, std::size_t records) {
  test::growing_reel reel(path, random, nullptr);
  reel.grow(records);
  BOOST_REQUIRE(reel.writer->finish());
}

// Matches that are recorded, delivered and closed.
inline std::vector<played> play(const test::nats_server& broker, const test::scratch_folder& folder,
                                std::mt19937_64& random, int matches, std::size_t records = 40) {
  std::vector<played> out;
  for (int number = 0; number < matches; ++number) {
    const std::string match = "match " + std::to_string(number) + " *.>\xC3\xA4";
    const std::string path = folder / (std::to_string(number) + ".reel");
    write_reel(path, random, records);
    const auto published = fleet::publish_reel(broker.url("a league", match), path, test::quick_options());
    BOOST_REQUIRE(published.has_value());
    out.push_back({match, test::read_file(path), store::hash_file(path)->sha256});
  }
  return out;
}

inline archive::archive_options quick(const test::scratch_folder& folder) {
  archive::archive_options out;
  out.spool = folder / "spool";
  out.once = true;
  out.look_again = 100ms;
  out.acknowledge_within = 2s;
  out.store.part_bytes = 4096;
  out.store.limits.first_pause = 1ms;
  out.store.limits.longest_pause = 10ms;
  return out;
}

inline std::string why(const result<archive::archive_report>& from) {
  if (!from) return describe(from.error());
  return from->last_failure ? describe(*from->last_failure) : "";
}

// Every match is archived once and complete, and nothing else is.
inline void check_archive(const std::string& where, const std::vector<played>& matches) {
  const auto in = store::open(where);
  BOOST_REQUIRE(in.has_value());
  std::size_t objects = 0;
  BOOST_REQUIRE((*in)->list("", [&](const store::object&) { return ++objects, true; }).has_value());
  BOOST_TEST(objects == 2 * matches.size());
  for (const played& each : matches) {
    BOOST_TEST_CONTEXT(each.match) {
      std::string key;
      const std::string begin = "a=20league/" + *fleet::to_token(each.match) + '.';
      BOOST_REQUIRE((*in)
                        ->list(begin,
                               [&](const store::object& found) {
                                 key = found.key.ends_with(store::index_ending) ? found.key : key;
                                 return true;
                               })
                        .has_value());
      BOOST_REQUIRE(!key.empty());
      byte_vector text(1 << 16);
      text.resize((*in)->read(key, 0, text).value());
      const auto index = store::read_index(text);
      BOOST_REQUIRE(index.has_value());
      BOOST_TEST(index->match == each.match);
      BOOST_TEST(index->recorded_sha256 == each.sha256);
      BOOST_TEST(index->recorded_bytes == each.bytes.size());
      BOOST_TEST(index->ended);
      BOOST_TEST(index->lost_records == 0u);
      BOOST_TEST(index->ticks > 0u);
      byte_vector content(1 << 20);
      content.resize((*in)->read(index->key, 0, content).value());
      BOOST_TEST(content.size() == index->bytes);
      if (!index->compacted) BOOST_TEST((content == each.bytes));
    }
  }
}

// A reel of which a test sends single records.
struct sent_by_record {
  fleet::broker to;
  fleet::match_subjects subjects;
  reel::reader from;
  std::string match;
  std::string id = fleet::reel_id(from.header_bytes(), subjects);

  // Sends the header.
  sent_by_record(const test::nats_server& broker, std::string name, const std::string& path)
      : to(test::taken(test::connected_to(broker.url()))),
        subjects(test::taken(fleet::subjects_of({"a league", name}))),
        from(test::taken(reel::reader::open(path))),
        match(std::move(name)) {
    fleet::message_head head;
    head.reel = id;
    BOOST_REQUIRE(to.publish(subjects.records, from.header_bytes(), fleet::to_fields(head)));
  }
  [[nodiscard]] std::size_t count() const { return from.contents().records.size(); }
  void send(std::size_t number) {
    byte_vector bytes;
    BOOST_REQUIRE(from.read_stored(number, bytes));
    const auto head = fleet::head_of_record(id, from.contents().records[number]);
    BOOST_REQUIRE(to.publish(subjects.records, bytes, fleet::to_fields(head)));
  }
  // To archivers.
  void offer() {
    const std::string work = fleet::to_json(fleet::archive_work{{"a league", match}, id});
    BOOST_REQUIRE(to.publish(subjects.work, as_bytes(work)));
  }
};

// A broker, and archivers of its matches.
struct broker_in_folder {
  test::scratch_folder folder;
  test::nats_server broker{folder.path()};
  const std::string archive_folder = folder / "archive";

  archive::archive_report archive_to(const std::string& where, const archive::archive_options& options) {
    auto report = archive::archive_from(broker.url(), where, options);
    BOOST_REQUIRE_MESSAGE(report.has_value(), why(report));
    return *std::move(report);
  }

  void publish(const std::string& match, const std::string& path) {
    const auto report = fleet::publish_reel(broker.url("a league", match), path, test::quick_options());
    BOOST_REQUIRE_MESSAGE(report.has_value(), match);
  }
};

// A bucket that the environment names, too.
struct broker_and_bucket : broker_in_folder {
  test::fake_s3 s3;

  broker_and_bucket() { s3.set_environment(); }
};

}  // namespace recorders_archive_tests::archived_matches
