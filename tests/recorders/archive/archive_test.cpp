// Archivers with a real broker. Compared are: the hash of the assembled reel in the index object with the hash of the recorder's
// own file; the hash of the stored object with the one in the index object; and, for reels that are not compacted, the stored
// bytes with those of the recorder's file.
#include "tickreel/archive/archive.hpp"

#include <atomic>
#include <bit>
#include <boost/test/unit_test.hpp>
#include <thread>

#include "administrator.hpp"
#include "delivered.hpp"
#include "fake_s3.hpp"
#include "random.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/store/object_store.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(recorders_archive_tests)
BOOST_AUTO_TEST_SUITE(archive_test)

using namespace tickreel;
using archive::outcome;
using test::fault;
using namespace std::chrono_literals;

namespace {

struct played {
  std::string match;
  byte_vector bytes;
  std::string sha256;
};

void write_reel(const std::string& path, std::mt19937_64& random, std::size_t records) {
  test::growing_reel reel(path, random, nullptr);
  reel.grow(records);
  BOOST_REQUIRE(reel.writer->finish());
}

// Matches that are recorded, delivered and closed.
std::vector<played> play(const test::nats_server& broker, const test::scratch_folder& folder,
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

archive::archive_options quick(const test::scratch_folder& folder) {
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

std::string why(const result<archive::archive_report>& from) {
  if (!from) return describe(from.error());
  return from->last_failure ? describe(*from->last_failure) : "";
}

// Every match is archived once and complete, and nothing else is.
void check_archive(const std::string& where, const std::vector<played>& matches) {
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

struct runner {
  float x = 0;
  std::int32_t score = 0;
};
TICKREEL_DESCRIBE(runner, x, score);

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

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_described_reel_is_stored_compacted_and_equal, broker_in_folder,
                        *test::with_broker) {
  const std::string path = folder / "runner.reel";
  constexpr int ticks = 600;
  {
    auto out = record<runner>(path, {.seal_frames = 20, .ring_ticks = 1024, .ticks_per_second = 60});
    BOOST_REQUIRE(out.has_value());
    for (int tick = 0; tick < ticks; ++tick) {
      (void)out->push({static_cast<float>(tick) / 7, tick / 60});  // dropped records are counted
    }
    BOOST_REQUIRE(out->close().has_value());
  }
  publish("described", path);
  std::optional<store::index_object> index;
  auto how = quick(folder);
  how.reported = [&](const outcome& about) {
    if (about.what == outcome::kind::archived) index = about.index;
  };
  const auto report = archive_to(archive_folder, how);
  BOOST_REQUIRE(index.has_value());
  BOOST_TEST(index->compacted);
  BOOST_TEST(index->bytes < index->recorded_bytes);
  BOOST_TEST(index->recorded_sha256 == store::hash_file(path)->sha256);
  const std::string stored = folder / "archive/" + index->key;
  BOOST_TEST(store::hash_file(stored)->sha256 == index->sha256);
  auto before = files::open(path);
  auto after = files::open(stored);
  BOOST_REQUIRE((before && after));
  std::uint64_t compared = 0;
  for (auto more = (*before)->next(); more && *more; more = (*before)->next()) {
    BOOST_REQUIRE(*(*after)->next());
    std::string was, is;
    (*before)->append_state(was);
    (*after)->append_state(is);
    BOOST_REQUIRE(was == is);
    BOOST_REQUIRE((*before)->position().time_ms == (*after)->position().time_ms);
    ++compared;
  }
  BOOST_TEST(!*(*after)->next());
  BOOST_TEST(compared == index->ticks);
  BOOST_TEST(compared + index->lost_ticks == std::uint64_t{ticks});
}

// Noise does not compress, so the archiver stops trying early in the match.
BOOST_FIXTURE_TEST_CASE(a_reel_that_compaction_does_not_shrink_is_stored_as_recorded, broker_in_folder,
                        *test::with_broker) {
  auto random = test::seeded_random("noise");
  const std::string path = folder / "noise.reel";
  {
    auto out = record<runner>(path, {.mode = threading::pumped, .seal_frames = 60, .ticks_per_second = 60});
    BOOST_REQUIRE(out.has_value());
    for (int tick = 0; tick < 600; ++tick) {
      const auto noise = static_cast<std::int32_t>(static_cast<std::uint32_t>(random()));
      BOOST_REQUIRE(out->push({std::bit_cast<float>(noise & 0x7EFFFFFF), noise}));
      if (tick % 50 == 0) out->pump();
    }
    BOOST_REQUIRE(out->close().has_value());
  }
  publish("noise", path);
  std::optional<store::index_object> index;
  auto how = quick(folder);
  how.reported = [&](const outcome& about) { index = about.index; };
  const auto report = archive_to(archive_folder, how);
  BOOST_REQUIRE(index.has_value());
  BOOST_TEST(!index->compacted);
  BOOST_TEST((test::read_file(folder / "archive/" + index->key) == test::read_file(path)));
}

BOOST_FIXTURE_TEST_CASE(matches_are_archived_once_and_complete, broker_in_folder, *test::with_broker) {
  auto random = test::seeded_random("archived matches");
  // Without any publisher.
  const auto nothing = archive_to(archive_folder, quick(folder));
  BOOST_TEST(nothing.archived == 0u);
  const auto matches = play(broker, folder, random, 3);
  const auto first = archive_to(archive_folder, quick(folder));
  BOOST_TEST(first.archived == 3u);
  BOOST_TEST(first.failed == 0u);
  check_archive(archive_folder, matches);
  const auto second = archive_to(archive_folder, quick(folder));
  BOOST_TEST(second.archived + second.there == 0u);
  // Reported to all subscribers.
  auto connected = fleet::broker::connect(broker.url());
  const auto subjects = fleet::subjects_of({"a league", matches[0].match});
  const auto reported = connected->last(fleet::status_stream, subjects->archived);
  BOOST_REQUIRE((reported.has_value() && reported->has_value()));
  BOOST_TEST(fleet::read_archived((*reported)->body())->ended);
  // The spool is empty.
  BOOST_TEST(std::filesystem::is_empty(folder / "spool"));
}

BOOST_FIXTURE_TEST_CASE(a_match_without_an_end_is_archived_when_its_recorder_is_silent, broker_in_folder,
                        *test::with_broker) {
  auto random = test::seeded_random("silent recorders");
  const std::string path = folder / "silent.reel";
  test::growing_reel reel(path, random, nullptr);
  reel.grow(20);
  publish("silent", path);
  auto how = quick(folder);
  const auto waits = archive_to(archive_folder, how);
  BOOST_TEST(waits.incomplete == 0u);
  BOOST_TEST(waits.waiting > 0u);
  how.idle = 0s;
  std::optional<store::index_object> index;
  how.reported = [&](const outcome& about) {
    if (about.index) index = about.index;
  };
  BOOST_TEST(test::eventually([&] {
    const auto report = archive_to(archive_folder, how);
    return report.incomplete == 1;
  }));
  BOOST_REQUIRE(index.has_value());
  BOOST_TEST(!index->ended);
  BOOST_TEST(index->records > 0u);
  // The rest arrives later and is archived, too.
  reel.grow(10);
  BOOST_REQUIRE(reel.writer->finish());
  publish("silent", path);
  BOOST_TEST(test::eventually([&] {
    const auto report = archive_to(archive_folder, how);
    return index->ended;
  }));
  BOOST_TEST(index->recorded_sha256 == store::hash_file(path)->sha256);
}

// A full broker dropped the start and the end.
BOOST_FIXTURE_TEST_CASE(missing_parts_of_an_archive_are_added_later, broker_in_folder, *test::with_broker) {
  auto random = test::seeded_random("later records");
  (void)play(broker, folder, random, 1);
  const std::string path = folder / "late.reel";
  write_reel(path, random, 8);
  auto opened = reel::reader::open(path);
  auto connected = fleet::broker::connect(broker.url());
  const auto subjects = fleet::subjects_of({"a league", "late"});
  BOOST_REQUIRE((opened && connected && subjects));
  fleet::message_head head;
  head.reel = fleet::reel_id(opened->header_bytes(), *subjects);
  BOOST_REQUIRE(connected->publish(subjects->records, opened->header_bytes(), fleet::to_fields(head)));
  const std::size_t last = opened->contents().records.size() - 1;
  byte_vector bytes;
  BOOST_REQUIRE(opened->read_stored(last, bytes));
  head = fleet::head_of_record(head.reel, opened->contents().records[last]);
  BOOST_REQUIRE(connected->publish(subjects->records, bytes, fleet::to_fields(head)));
  const std::string work = fleet::to_json(fleet::archive_work{{"a league", "late"}, head.reel});
  BOOST_REQUIRE(connected->publish(subjects->work, as_bytes(work)));
  auto how = quick(folder);
  how.idle = 0s;
  std::optional<store::index_object> index;
  how.reported = [&](const outcome& about) {
    if (about.index && about.name.match == "late") index = about.index;
  };
  const auto first = archive_to(archive_folder, how);
  BOOST_REQUIRE(index.has_value());
  BOOST_TEST(index->lost_records != 0u);
  BOOST_TEST(index->ticks == 0u);
  publish("late", path);
  const auto second = archive_to(archive_folder, how);
  BOOST_TEST(index->lost_records == 0u);
  BOOST_TEST(index->recorded_sha256 == store::hash_file(path)->sha256);
}

// Every publisher of a league may send any message under its subjects.
BOOST_FIXTURE_TEST_CASE(an_offer_cannot_name_files_outside_of_the_spool, broker_and_bucket,
                        *test::with_broker) {
  auto random = test::seeded_random("offers of files");
  (void)play(broker, folder, random, 1);
  test::write_file(folder / "other.reel", as_bytes("not of the archiver"));
  auto connected = fleet::broker::connect(broker.url());
  const auto subjects = fleet::subjects_of({"a league", "forged"});
  BOOST_REQUIRE((connected && subjects));
  fleet::match_status status;
  status.name = {"a league", "forged"};
  status.reel = "../../other";  // from spool/archiver-N
  status.state = "ended";
  const fleet::archive_work work{status.name, status.reel};
  BOOST_REQUIRE(connected->publish(subjects->records, as_bytes("x")));
  BOOST_REQUIRE(connected->publish(subjects->status, as_bytes(fleet::to_json(status))));
  BOOST_REQUIRE(connected->publish(subjects->work, as_bytes(fleet::to_json(work))));
  const auto report = archive_to("s3://bucket/p", quick(folder));
  BOOST_TEST(report.archived == 1u);
  BOOST_TEST((test::read_file(folder / "other.reel") ==
              byte_vector(as_bytes("not of the archiver").begin(), as_bytes("not of the archiver").end())));
}

BOOST_FIXTURE_TEST_CASE(foreign_messages_change_no_archive, broker_in_folder, *test::with_broker) {
  auto random = test::seeded_random("foreign messages");
  const std::string path = folder / "match.reel";
  write_reel(path, random, 40);
  const auto opened = reel::reader::open(path);
  const auto subjects = fleet::subjects_of({"a league", "match"});
  auto connected = fleet::broker::connect(broker.url());
  BOOST_REQUIRE((opened && subjects && connected));
  BOOST_REQUIRE(
      connected->ensure_stream({.name = subjects->stream, .subjects = {subjects->league_subjects}}));
  const std::string id = fleet::reel_id(opened->header_bytes(), *subjects);
  const auto send = [&](const fleet::message_head& head, byte_span body) {
    BOOST_REQUIRE(connected->publish(subjects->records, body, fleet::to_fields(head)));
  };
  // The header of another reel comes first.
  write_reel(folder / "other.reel", random, 5);
  send({.reel = id}, reel::reader::open(folder / "other.reel")->header_bytes());
  publish("match", path);
  for (const auto& info : opened->contents().records) {
    fleet::message_head head = fleet::head_of_record(id, info);
    for (const std::uint32_t more : {0u, 7u, 100'000u, 4'000'000'000u}) {
      head.sequence = info.sequence + more;
      send(head, as_bytes("no record"));
    }
    head.parts = 3;
    send(head, as_bytes("no part"));
  }
  auto how = quick(folder);
  how.idle = 0s;
  std::optional<store::index_object> index;
  how.reported = [&](const outcome& about) { index = about.index; };
  const auto report = archive_to(archive_folder, how);
  BOOST_TEST(report.archived == 1u);
  BOOST_REQUIRE(index.has_value());
  BOOST_TEST(index->ended);
  BOOST_TEST(index->lost_records == 0u);
  BOOST_TEST(index->recorded_sha256 == store::hash_file(path)->sha256);
}

// A stream with limits discards the header first, and its recorder is dead.
BOOST_FIXTURE_TEST_CASE(a_long_match_without_its_header_waits, broker_in_folder, *test::with_broker) {
  auto random = test::seeded_random("no header");
  (void)play(broker, folder, random, 1);
  const auto subjects = fleet::subjects_of({"a league", "headless"});
  auto connected = fleet::broker::connect(broker.url());
  BOOST_REQUIRE((subjects && connected));
  fleet::message_head head;
  head.reel = std::string(32, 'a');
  constexpr std::uint32_t records = 4200;  // more than may wait
  for (std::uint32_t each = 0; each < records; ++each) {
    head.sequence = each;
    BOOST_REQUIRE(
        connected->publish_later(subjects->records, as_bytes("x"), fleet::to_fields(head), each + 1));
  }
  for (std::uint32_t answers = 0; answers < records; ++answers) {
    const auto answer = connected->next_answer(60s);
    BOOST_REQUIRE((answer && *answer && (*answer)->stored));
  }
  const std::string work = fleet::to_json(fleet::archive_work{{"a league", "headless"}, head.reel});
  BOOST_REQUIRE(connected->publish(subjects->work, as_bytes(work)));
  auto how = quick(folder);
  how.idle = 0s;
  const auto report = archive_to(archive_folder, how);
  BOOST_TEST(report.archived == 1u);
  BOOST_TEST(report.failed == 0u);
  BOOST_TEST(report.waiting == 1u);
}

BOOST_FIXTURE_TEST_CASE(names_that_are_not_utf8_are_archived_under_their_own_keys, broker_in_folder,
                        *test::with_broker) {
  auto random = test::seeded_random("bytes of names");
  const std::string path = folder / "bytes.reel";
  write_reel(path, random, 20);
  BOOST_REQUIRE(fleet::publish_reel(broker.url("league \xFF", "\xE4match"), path, test::quick_options()));
  const auto report = archive_to(archive_folder, quick(folder));
  BOOST_TEST(report.archived == 1u);
  const auto in = store::open(folder / "archive");
  BOOST_REQUIRE(in.has_value());
  std::size_t objects = 0;
  BOOST_REQUIRE((*in)->list("league=20=FF/=E4match.", [&](const store::object&) { return ++objects, true; }));
  BOOST_TEST(objects == 2u);
}

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

BOOST_AUTO_TEST_CASE(an_unreachable_store_is_not_created_as_a_folder) {
  for (const char* const where :
       {"s3:/league/2026", "S3://league", "https://bucket.s3.amazonaws.com/x", "file:///x"}) {
    const auto opened = store::open(where);
    BOOST_REQUIRE(!opened.has_value());
    BOOST_TEST((opened.error().code == error_code::invalid_argument), where);
  }
}

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
    auto dead = fleet::broker::connect(broker.url());
    BOOST_REQUIRE(dead.has_value());
    auto shared =
        dead->share_work(fleet::work_stream, fleet::archivers_consumer, how.acknowledge_within, 1'000'000);
    BOOST_REQUIRE(shared.has_value());
    auto came = shared->next(10s);
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
  // As a separate process.
  ::setenv("TICKREEL_TEST_ARCHIVER", fleet::to_text(broker.url()).c_str(), 1);
  ::setenv("TICKREEL_TEST_SPOOL", (folder / "spool").c_str(), 1);
  char name[] = "archiver";
  char argument[] = "--run_test=recorders_archive_tests/archive_test/run_an_archiver_process";
  char* words[] = {name, argument, nullptr};
  pid_t child = -1;
  BOOST_REQUIRE(::posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, words, environ) == 0);
  ::unsetenv("TICKREEL_TEST_ARCHIVER");
  BOOST_REQUIRE(test::eventually([&] { return parts > 0; }));
  BOOST_TEST(s3.uploads().size() == 1u);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
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
