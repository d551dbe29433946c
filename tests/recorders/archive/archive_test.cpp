// Archived matches, compared with the reels of their recorders.
#include <bit>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "archived_matches.hpp"
#include "random.hpp"
#include "s3/signature.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(recorders_archive_tests)
BOOST_AUTO_TEST_SUITE(archive_test)

using namespace archived_matches;

namespace {

struct runner {
  float x = 0;
  std::int32_t score = 0;
};
TICKREEL_DESCRIBE(runner, x, score);

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
  auto connected = test::connected_to(broker.url());
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
  // It still has no end.
  const auto again = archive_to(archive_folder, how);
  BOOST_TEST(again.there == 1u);
  BOOST_TEST(again.with_loss == 1u);
  // The rest arrives later and is archived, too.
  reel.grow(10);
  BOOST_REQUIRE(reel.writer->finish());
  publish("silent", path);
  BOOST_TEST(test::eventually([&] {
    const auto report = archive_to(archive_folder, how);
    if (index->ended) BOOST_TEST(report.with_loss == 0u);
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
  sent_by_record late(broker, "late", path);
  late.send(late.count() - 1);
  late.offer();
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

// Between a hole and what fills it are more records than wait in memory.
BOOST_FIXTURE_TEST_CASE(a_hole_is_filled_from_the_end_of_the_stream, broker_in_folder, *test::with_broker) {
  auto random = test::seeded_random("late records");
  const std::string path = folder / "refilled.reel";
  write_reel(path, random, 4300);
  (void)play(broker, folder, random, 1);  // makes the streams
  sent_by_record refilled(broker, "refilled", path);
  const auto is_late = [](std::size_t number) { return (number >= 10 && number < 13) || number == 50; };
  for (const bool late : {false, true}) {
    for (std::size_t number = 0; number < refilled.count(); ++number) {
      if (is_late(number) == late) refilled.send(number);
    }
  }
  const auto followed = test::followed(broker.url("a league", "refilled"), folder / "followed");
  BOOST_TEST((followed == test::read_file(path)));
  refilled.offer();
  auto how = quick(folder);
  how.idle = 0s;
  std::optional<store::index_object> index;
  how.reported = [&](const outcome& about) {
    if (about.index && about.name.match == "refilled") index = about.index;
  };
  BOOST_TEST(archive_to(archive_folder, how).archived == 2u);
  BOOST_REQUIRE(index.has_value());
  BOOST_TEST(index->lost_records == 0u);
  BOOST_TEST(index->recorded_sha256 == store::hash_file(path)->sha256);
}

BOOST_FIXTURE_TEST_CASE(a_damaged_archive_is_replaced, broker_in_folder, *test::with_broker) {
  auto random = test::seeded_random("damaged archive");
  const auto matches = play(broker, folder, random, 1);
  BOOST_TEST(archive_to(archive_folder, quick(folder)).archived == 1u);
  for (const bool is_truncated : {true, false}) {
    for (const auto& each : std::filesystem::recursive_directory_iterator(archive_folder)) {
      if (each.path().extension() != ".reel") continue;
      if (is_truncated) {
        std::filesystem::resize_file(each.path(), 100);
      } else {
        std::filesystem::remove(each.path());
      }
      break;
    }
    publish(matches[0].match, folder / "0.reel");
    BOOST_TEST(archive_to(archive_folder, quick(folder)).archived == 1u);
    check_archive(archive_folder, matches);
  }
}

// Each `publish` of a match is work of its own. The other archiver stores the whole match at any moment after the first one
// has begun to assemble a part.
void check_two_archivers(broker_in_folder& stage, const std::string& where) {
  auto random = test::seeded_random("overlapping archivers");
  const test::scratch_folder& folder = stage.folder;
  (void)play(stage.broker, folder, random, 1);
  (void)stage.archive_to(where, quick(folder));
  int moments = 0;
  for (bool is_reached = true; is_reached; ++moments) {
    is_reached = false;
    const std::string match = "overlap" + std::to_string(moments);
    const std::string path = folder / (match + ".reel");
    write_reel(path, random, 12);
    sent_by_record part(stage.broker, match, path);
    part.send(0);
    part.send(part.count() - 1);
    part.offer();

    bool is_done = false;
    auto other = quick(folder);
    other.spool = folder / "other";
    other.idle = 0s;
    other.reported = [&](const outcome& about) {
      is_done = is_done || (about.name.match == match && about.index && about.index->lost_records == 0);
    };
    other.cancelled = [&] { return is_done; };
    auto how = quick(folder);
    how.idle = 0s;
    bool is_over = false;
    how.reported = [&](const outcome& about) {
      is_over = is_over || (about.name.match == match && about.what != outcome::kind::failed);
    };
    int polls = 0;
    how.cancelled = [&] {
      if (is_over) return true;
      bool has_begun = false;
      for (const auto& each : std::filesystem::recursive_directory_iterator(folder / "spool")) {
        has_begun = has_begun || each.path().extension() == ".reel";
      }
      if (is_reached || !has_begun || polls++ != moments) return false;
      is_reached = true;
      stage.publish(match, path);
      (void)stage.archive_to(where, other);
      BOOST_TEST(is_done);
      return false;
    };
    (void)stage.archive_to(where, how);
    if (!is_reached) break;
    BOOST_TEST_CONTEXT("moment " << moments) {
      const auto in = store::open(where);
      BOOST_REQUIRE(in);
      const std::string key = "a=20league/" + match + '.' + part.id;
      const auto index = store::fetch_index(**in, key + std::string(store::index_ending));
      BOOST_REQUIRE((index && *index));
      BOOST_TEST((*index)->lost_records == 0u);
      BOOST_TEST((*index)->recorded_sha256 == store::hash_file(path)->sha256);
      byte_vector stored((*index)->bytes + 1);
      stored.resize((*in)->read((*index)->key, 0, stored).value());
      BOOST_TEST(store::sha256_hex(stored) == (*index)->sha256);
    }
  }
  BOOST_TEST(moments > 3);
}

BOOST_FIXTURE_TEST_CASE(two_archivers_of_a_match_leave_the_whole_one, broker_in_folder, *test::with_broker) {
  check_two_archivers(*this, archive_folder);
}

BOOST_FIXTURE_TEST_CASE(two_archivers_with_a_bucket_leave_the_whole_one, broker_and_bucket,
                        *test::with_broker) {
  check_two_archivers(*this, "s3://bucket/p");
  BOOST_TEST(s3.conditional() != 0u);
  BOOST_TEST(s3.bad_signatures() == 0u);
}

// Every publisher of a league may send any message under its subjects.
BOOST_FIXTURE_TEST_CASE(an_offer_cannot_name_files_outside_of_the_spool, broker_and_bucket,
                        *test::with_broker) {
  auto random = test::seeded_random("offers of files");
  (void)play(broker, folder, random, 1);
  test::write_file(folder / "other.reel", as_bytes("not of the archiver"));
  auto connected = test::connected_to(broker.url());
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
  auto connected = test::connected_to(broker.url());
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

BOOST_FIXTURE_TEST_CASE(messages_without_a_valid_head_are_counted, broker_in_folder, *test::with_broker) {
  auto random = test::seeded_random("malformed heads");
  const std::string path = folder / "match.reel";
  write_reel(path, random, 20);
  publish("match", path);
  const auto subjects = fleet::subjects_of({"a league", "match"});
  auto connected = test::connected_to(broker.url());
  BOOST_REQUIRE((subjects && connected));
  const auto opened = reel::reader::open(path);
  BOOST_REQUIRE(opened);
  auto malformed = fleet::to_fields({.reel = fleet::reel_id(opened->header_bytes(), *subjects)});
  malformed.emplace_back("Tickreel-Sequence", "no number");
  // Before the end of the match: a second publication of it does not send the records again.
  BOOST_REQUIRE(connected->publish(subjects->records, as_bytes("no head")));
  BOOST_REQUIRE(connected->publish(subjects->records, as_bytes("no record"), malformed));
  auto how = quick(folder);
  how.idle = 0s;
  std::uint64_t refused = 0;
  how.reported = [&](const outcome& about) { refused = about.refused_messages; };
  const auto report = archive_to(archive_folder, how);
  BOOST_TEST(report.archived == 1u);
  BOOST_TEST(report.with_loss == 0u);
  BOOST_TEST(refused == 2u);
}

BOOST_FIXTURE_TEST_CASE(malformed_offers_are_ignored_and_counted, broker_in_folder, *test::with_broker) {
  auto random = test::seeded_random("malformed offers");
  (void)play(broker, folder, random, 1);
  auto connected = test::connected_to(broker.url());
  const auto subjects = fleet::subjects_of({"a league", "offered"});
  BOOST_REQUIRE((connected && subjects));
  BOOST_REQUIRE(connected->publish(subjects->work, as_bytes("no offer")));
  const fleet::archive_work of_another{{"a league", "another"}, std::string(32, 'a')};
  BOOST_REQUIRE(connected->publish(subjects->work, as_bytes(fleet::to_json(of_another))));
  auto how = quick(folder);
  std::vector<std::string> reported;
  how.malformed_offer = [&](std::string_view subject) { reported.emplace_back(subject); };
  const auto report = archive_to(archive_folder, how);
  BOOST_TEST(report.archived == 1u);
  BOOST_TEST(report.malformed_offers == 2u);
  BOOST_TEST((reported == std::vector<std::string>{subjects->work, subjects->work}));
  BOOST_TEST(archive_to(archive_folder, how).malformed_offers == 0u);
}

// A stream with limits discards the header first, and its recorder is dead.
BOOST_FIXTURE_TEST_CASE(a_long_match_without_its_header_waits, broker_in_folder, *test::with_broker) {
  auto random = test::seeded_random("no header");
  (void)play(broker, folder, random, 1);
  const auto subjects = fleet::subjects_of({"a league", "headless"});
  auto connected = test::connected_to(broker.url());
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

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
