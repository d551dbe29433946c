// Scans of a store: what is found, and how much of it is fetched for that.
#include <boost/test/unit_test.hpp>

#include "fake_s3.hpp"
#include "library_files.hpp"
#include "random.hpp"
#include "random_reel.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/reel/writer.hpp"
#include "tickreel/store/index_object.hpp"
#include "tickreel/store/object_bytes.hpp"

BOOST_AUTO_TEST_SUITE(library_objects_tests)
BOOST_AUTO_TEST_SUITE(objects_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

constexpr std::uint64_t MiB = std::uint64_t{1} << 20;

std::string text_of(const byte_vector& from) {
  return std::string(as_text(from));
}

// Of an unknown game, about 15 MiB.
byte_vector large_reel(const std::string& path, std::mt19937_64& random) {
  reel::header head;
  head.encoder_name = "random";
  auto writer = reel::writer::create(path, head);
  BOOST_REQUIRE(writer.has_value());
  frame_stamp stamp;
  for (int chunk = 0; chunk < 256; ++chunk) {
    const frame_stamp first = stamp;
    byte_vector payload;
    for (std::uint32_t frames = 0; payload.size() < 64'000; frames += 1) {
      byte_vector frame(32'000);
      for (auto& each : frame) each = static_cast<std::byte>(random());
      byte_vector before(32);
      byte_writer to(before);
      write_leb128(to, frames == 0 ? 0 : 1);
      write_leb128(to, zigzag_encode(frames == 0 ? 0 : 1000));
      write_leb128(to, frame.size() * 2 + (frames == 0 ? 1 : 0));
      payload.insert(payload.end(), before.begin(), before.begin() + static_cast<std::ptrdiff_t>(to.size()));
      payload.insert(payload.end(), frame.begin(), frame.end());
      if (frames != 0) stamp = {stamp.tick + 1, stamp.time_us + 1000};
    }
    reel::record_info about;
    about.kind = reel::record_kind::chunk;
    about.flags = reel::starts_with_keyframe;
    about.first_tick = first.tick;
    about.first_time_us = first.time_us;
    about.last_tick = stamp.tick;
    about.last_time_us = stamp.time_us;
    about.frames = static_cast<std::uint32_t>(stamp.tick - first.tick + 1);
    BOOST_REQUIRE(writer->append(about, payload).has_value());
    stamp = {stamp.tick + 1, stamp.time_us + 1000};
  }
  BOOST_REQUIRE(writer->finish().has_value());
  return read_file(path);
}

struct archived_library : small_library {
  archived_library() { s3.set_environment(); }

  // As an archiver stores a match of Alice and Bob.
  void archive(const std::string& match, std::uint64_t bytes, bool lost = false) {
    const std::string key = "2026/finals/" + match + ".0123.reel";
    s3.put(key, std::string(bytes, 'x'));
    files::summary archived_summary;
    archived_summary.format = "reel";
    archived_summary.format_version = 1;
    archived_summary.ticks = 3600;
    archived_summary.duration_ms = 60'000;
    archived_summary.players = {{"Alice", "blue", 7, {{"points", std::int64_t{3}}}},
                                {"Bob", "orange", {}, {}}};
    archived_summary.facts = {{"map", std::string("arena \xC3\xA4")}, {"winner", std::string("blue")}};
    store::index_object about;
    about.league = "finals";
    about.match = match;
    about.reel = "0123";
    about.key = key.substr(5);
    about.bytes = bytes;
    about.sha256 = match.back() + std::string(63, 'a');
    about.ended = true;
    about.lost_records = lost ? 2 : 0;
    about.started_us = 1'767'225'600'000'000;
    files::append_summary("", archived_summary, about.info);
    s3.put("2026/finals/" + match + ".0123.json", store::to_json(about));
  }
  library::scan_report scan_store(const library::scan_options& how = {}) {
    return taken(index.scan({"s3://bucket/2026/"}, how));
  }

  fake_s3 s3;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(objects, archived_library)

BOOST_AUTO_TEST_CASE(an_archive_is_indexed_from_its_index_objects_alone) {
  for (int number = 0; number < 5; ++number) archive("match " + std::to_string(number), 4 * MiB);
  archive("match 5", 4 * MiB, true);
  s3.put("other/not here.reel", "TICKREEL");
  auto found = scan_store();
  BOOST_TEST(found.seen == 6u);
  BOOST_TEST(found.added == 6u);
  BOOST_TEST(found.unreadable_objects == 0u);
  // 24 MiB of recordings; only the list and six small objects were fetched.
  BOOST_TEST(s3.sent_bytes() < 16'384u);

  const auto games = find({.player = "alice", .result = "won"});
  BOOST_REQUIRE(games.size() == 6u);
  const auto& game = games.back();
  BOOST_TEST(game.file.utf8().starts_with("s3://bucket/2026/finals/match "));
  BOOST_TEST(game.file.utf8().ends_with(".0123.reel"));
  BOOST_TEST(game.name.starts_with("match "));
  BOOST_TEST(game.format == "reel");
  BOOST_TEST(game.bytes == 4 * MiB);
  BOOST_TEST(game.map == "arena \xC3\xA4");
  BOOST_TEST(game.result == "blue");
  BOOST_TEST(game.ticks == 3600u);
  BOOST_TEST(game.duration_ms == 60'000);
  BOOST_TEST(game.started_ms.value() == 1'767'225'600'000);
  BOOST_TEST(game.players[0].statistics == "{\"points\":3}");
  BOOST_TEST(game.players[0].userid.value() == 7u);
  BOOST_TEST(find({.damaged = true}).size() == 1u);  // failed on the way
  const auto sums = taken(index.stats());
  BOOST_TEST(sums.games == 6u);
  BOOST_TEST(sums.players == 2u);

  // Unchanged: one list request, and nothing else.
  std::uint64_t requests = s3.requests();
  found = scan_store();
  BOOST_TEST(found.unchanged == 6u);
  BOOST_TEST(found.vanished == 0u);
  BOOST_TEST(s3.requests() == requests + 1);

  // Archived again, with more ticks; removed.
  archive("match 1", 5 * MiB);
  s3.remove("2026/finals/match 2.0123.reel");
  s3.remove("2026/finals/match 2.0123.json");
  requests = s3.requests();
  found = scan_store();
  BOOST_TEST(found.changed == 1u);
  BOOST_TEST(found.vanished == 1u);
  BOOST_TEST(s3.requests() == requests + 2);
  BOOST_TEST(find().size() == 5u);
  archive("match 2", 4 * MiB);
  BOOST_TEST(scan_store().unchanged == 5u + 1u);
  BOOST_TEST(find().size() == 6u);

  // Folders are treated differently.
  scan();
  BOOST_TEST(find().size() == 6u);
}

BOOST_AUTO_TEST_CASE(a_recording_without_an_index_object_is_read_in_parts) {
  auto random = seeded_random("objects without index");
  const byte_vector reel = large_reel(scratch / "large.reel", random);
  s3.put("2026/large.reel", text_of(reel));
  s3.put("2026/notes.txt", std::string(MiB, 'n'));
  s3.put("2026/folder/", "");
  auto found = scan_store({.threads = 2});
  BOOST_TEST(found.seen == 2u);
  BOOST_TEST(found.added == 1u);
  BOOST_TEST(found.ignored == 1u);
  BOOST_TEST(reel.size() > 15 * MiB);
  BOOST_TEST(s3.sent_bytes() < MiB / 2);
  auto games = find();
  BOOST_REQUIRE(games.size() == 1u);
  BOOST_TEST(games[0].health == "whole");
  std::filesystem::copy_file(scratch / "large.reel", folder / "large.reel");
  scan();
  games = find();
  BOOST_REQUIRE(games.size() == 2u);
  BOOST_TEST(games[0].ticks == games[1].ticks);
  BOOST_TEST(games[0].duration_ms == games[1].duration_ms);

  // An index object of another recording, or a missing one, is not used.
  store::index_object wrong;
  wrong.reel = "0";
  wrong.key = "large.reel";
  wrong.bytes = 5;
  wrong.info = R"({"format":"reel","health":"whole","ticks":1})";
  for (const std::string& content : {store::to_json(wrong), std::string("{}"), std::string("\xFF{")}) {
    s3.put("2026/large.json", content);
    BOOST_TEST(scan_store().changed == 1u);
    BOOST_TEST(find()[0].ticks == games[0].ticks);
    BOOST_TEST(find()[1].ticks == games[0].ticks);
  }
  s3.remove("2026/large.json");

  // Without its own index, only a full read reveals its contents.
  s3.put("2026/large.reel", text_of(reel).substr(0, reel.size() - 100'000));
  std::uint64_t before = s3.sent_bytes();
  BOOST_TEST(scan_store().changed == 1u);
  BOOST_TEST(s3.sent_bytes() - before < 9 * MiB);
  BOOST_TEST(find({.damaged = true}).empty());
  const auto count_unread = [&] {
    const auto all = find();
    return std::ranges::count(all, "unread", &library::game::health);
  };
  BOOST_TEST(count_unread() == 1);
  BOOST_TEST(scan_store({.everything = true, .thorough = true}).changed == 1u);
  BOOST_TEST(count_unread() == 0);
  BOOST_TEST(find({.damaged = true}).size() == 1u);
}

BOOST_AUTO_TEST_CASE(every_format_is_the_same_in_a_store) {
  std::size_t files = 0;
  for (const auto& each : std::filesystem::directory_iterator(TICKREEL_KEPT_RECORDINGS "/0.1.0/recordings")) {
    const std::string name = each.path().filename().string();
    // The recorder's files beside it are not part of an object.
    if (name.starts_with("live.icrep")) continue;
    s3.put("2026/" + name, text_of(read_file(each.path())));
    std::filesystem::copy_file(each.path(), folder / name);
    ++files;
  }
  scan();
  const auto there = find();
  const auto found = scan_store();
  BOOST_TEST(found.seen == files);
  BOOST_TEST(found.unreadable_objects == 0u);
  const auto all = find();
  BOOST_TEST(all.size() == 2 * there.size());
  for (const auto& local : there) {
    const std::string name = std::filesystem::path(local.file.utf8()).filename().string();
    BOOST_TEST_CONTEXT(name) {
      const auto same = std::ranges::find_if(all, [&](const library::game& other) {
        return other.file.utf8() == "s3://bucket/2026/" + name && other.place == local.place;
      });
      BOOST_REQUIRE((same != all.end()));
      BOOST_TEST(same->format == local.format);
      BOOST_TEST(same->health == local.health);
      BOOST_TEST(same->reason == local.reason);
      BOOST_TEST(same->ticks == local.ticks);
      BOOST_TEST(same->duration_ms == local.duration_ms);
      BOOST_TEST(same->players.size() == local.players.size());
    }
  }
}

BOOST_AUTO_TEST_CASE(events_of_objects_are_stored) {
  const std::filesystem::path kept = TICKREEL_KEPT_RECORDINGS "/0.1.0/recordings";
  std::string name;
  for (const auto& each : std::filesystem::directory_iterator(kept)) {
    const auto opened = files::open(each.path());
    if (!opened || (*opened)->offers().echo == nullptr) continue;
    name = each.path().filename().string();
    s3.put("2026/" + name, text_of(read_file(each.path())));
  }
  BOOST_REQUIRE(!name.empty());
  const auto stored = [&] {
    std::size_t files = 0;
    std::string problem;
    (void)taken(index.sql(
        "SELECT path FROM files WHERE events IS NOT NULL", [](const auto&) {},
        [&](const auto&) { return ++files != 0; }, problem));
    return files;
  };
  scan_store();
  const std::size_t all = stored();
  BOOST_TEST(all > 3u);
  // Without tags in the list, it is not known which object was read.
  s3.lists_tags = false;
  scan_store();
  BOOST_TEST(stored() == 0u);
  s3.lists_tags = true;
  scan_store();
  BOOST_TEST(stored() == all);
  // Bytes after the end are a loss, which each query reports.
  const auto at = kept / name;
  s3.put("2026/" + name, text_of(read_file(at)).substr(0, std::filesystem::file_size(at) / 2));
  scan_store();
  BOOST_TEST(stored() == all - 1);
}

BOOST_AUTO_TEST_CASE(parts_of_two_objects_are_not_mixed) {
  const std::string first(2 * MiB, 'a');
  s3.put("2026/x", first);
  const auto in = taken(store::open("s3://bucket/2026"));
  store::object_bytes bytes(*in, "x", first.size(), first.size());
  byte_vector part(1000);
  BOOST_TEST(taken(bytes.read_at(part, 0)) == part.size());
  BOOST_TEST(bytes.tag() == taken(in->head("x"))->tag);
  BOOST_TEST(!bytes.tag().empty());
  s3.put("2026/x", std::string(first.size(), 'b'));
  const auto mixed = bytes.read_at(part, MiB + 5);
  BOOST_REQUIRE(!mixed.has_value());
  BOOST_TEST((mixed.error().code == error_code::checksum_mismatch));
  BOOST_TEST((bytes.failure()->code == error_code::checksum_mismatch));
  s3.put("2026/x", "short");
  store::object_bytes shorter(*in, "x", first.size(), first.size());
  BOOST_TEST(!shorter.read_at(part, MiB).has_value());
}

// What both answers state is compared: a server may state less in some of them.
BOOST_AUTO_TEST_CASE(an_object_with_tags_in_some_answers_is_read) {
  const std::string first(2 * MiB, 'a');
  byte_vector part(1000);
  struct {
    const char* date;
    std::size_t bytes;
    bool is_noticed;
  } const later[] = {{"Sun, 29 Nov 2026 11:00:01 GMT", first.size(), true},
                     {"Sun, 29 Nov 2026 11:00:00 GMT", first.size() + 1, true},
                     {"Sun, 29 Nov 2026 11:00:00 GMT", first.size(), false}};
  s3.tagless_answers = 2;
  for (const auto& [date, size, is_noticed] : later) {
    s3.put("2026/x", first);
    s3.modified = "Sun, 29 Nov 2026 10:00:00 GMT";
    const auto in = taken(store::open("s3://bucket/2026"));
    store::object_bytes bytes(*in, "x", first.size(), 2 * first.size());
    // Distant blocks, so that each needs a request: without a tag, with one, without one.
    for (const std::uint64_t offset : {std::uint64_t{0}, MiB, MiB / 2}) {
      BOOST_TEST(taken(bytes.read_at(part, offset)) == part.size());
    }
    BOOST_TEST(bytes.tag().empty());
    // With a tag, also another date is of the same object.
    s3.modified = "Sun, 29 Nov 2026 11:00:00 GMT";
    BOOST_TEST(taken(bytes.read_at(part, MiB + MiB / 2)) == part.size());
    s3.modified = date;
    if (is_noticed) s3.put("2026/x", std::string(size, 'b'));
    const auto last = bytes.read_at(part, MiB / 4);
    BOOST_TEST(last.has_value() == !is_noticed);
    if (!last) BOOST_TEST((last.error().code == error_code::checksum_mismatch));
    // So that the next one begins without a tag again.
    (void)in->head("x");
  }
}

BOOST_AUTO_TEST_CASE(an_oversized_list_costs_nothing) {
  s3.listed_bytes = std::uint64_t{1} << 60;
  for (const char* const head : {"ICRP", "MPQ\x1B", "TICKREEL", "\x03"}) {
    s3.put("2026/a." + std::to_string(static_cast<int>(*head)), head + std::string(1000, '\0'));
  }
  for (const bool thorough : {false, true}) {
    const auto found = scan_store({.everything = true, .thorough = thorough});
    BOOST_TEST(found.seen == 4u);
    BOOST_TEST(found.unlisted == 0u);
  }
  BOOST_TEST(s3.sent_bytes() < 64'000u);
}

BOOST_AUTO_TEST_CASE(an_unfetchable_object_is_named_and_kept) {
  for (int number = 0; number < 3; ++number) archive("m" + std::to_string(number), MiB);
  scan_store();
  archive("m1", MiB + 1);
  archive("m3", MiB);
  s3.faults = [](const std::string&, const std::string& target, std::uint64_t) {
    return target.find("m1.0123") != std::string::npos ? fault::status_404 : fault::none;
  };
  auto found = scan_store();
  // Removed since it was listed.
  BOOST_TEST(found.added == 1u);
  BOOST_TEST(found.unreadable_objects == 0u);
  BOOST_TEST(find().size() == 4u);

  s3.faults = nullptr;
  archive("m1", MiB + 2);
  s3.change("2026/finals/m1.0123.json", [](auto& object) { object.content = "none"; });
  s3.faults = [](const std::string&, const std::string& target, std::uint64_t) {
    return target.find("m1.0123.reel") != std::string::npos ? fault::refused : fault::none;
  };
  found = scan_store();
  BOOST_TEST(found.unreadable_objects == 1u);
  BOOST_TEST(found.unlisted == 0u);
  BOOST_REQUIRE(found.unread.size() == 1u);
  BOOST_TEST(found.unread[0].url == "s3://bucket/2026/finals/m1.0123.reel");
  BOOST_TEST((found.unread[0].why.code == error_code::permission_denied));
  BOOST_TEST(find().size() == 4u);

  // A failed list does not mean that objects were removed.
  s3.faults = [](const std::string&, const std::string&, std::uint64_t) { return fault::refused; };
  found = scan_store();
  BOOST_TEST(found.unlisted == 1u);
  BOOST_TEST(found.vanished == 0u);
  BOOST_REQUIRE(found.unread.size() == 1u);
  BOOST_TEST(found.unread[0].url == "s3://bucket/2026");
  BOOST_TEST(find().size() == 4u);
  s3.faults = nullptr;
  found = taken(index.scan({"s3://bucket/202", "s3://no"}));
  BOOST_TEST(found.unlisted == 2u);
  BOOST_TEST(find().size() == 4u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
