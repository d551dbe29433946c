#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <set>
#include <thread>

#include "int_encoder.hpp"
#include "library_files.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/record/recorder.hpp"

BOOST_AUTO_TEST_SUITE(library_tests)
BOOST_AUTO_TEST_SUITE(scan_test)

using namespace tickreel;
using namespace tickreel::test;
using gamecache::layout;

BOOST_AUTO_TEST_CASE(every_file_is_read_once) {
  small_library files;
  std::filesystem::create_directories(files.folder / "a" / "b");
  write_cache(files.folder / "one.gamecache", small_cache(layout::flat, 0, 4));
  write_cache(files.folder / "a" / "b" / "two", small_cache(layout::flagged, 10, 3));
  write_file(files.folder / "bad.butter", as_bytes("this is not a recording"));
  write_file(files.folder / "empty.reel", byte_span{});
  write_file(files.folder / "notes.txt", as_bytes("nothing to see"));
  auto report = files.scan();
  BOOST_TEST(report.seen == 5u);
  BOOST_TEST(report.added == 4u);
  BOOST_TEST(report.damaged == 2u);
  BOOST_TEST(report.ignored == 1u);
  BOOST_TEST(!report.interrupted);

  const auto games = files.find();
  BOOST_TEST(games.size() == 4u + 3u + 2u);
  const auto damaged = files.find({.damaged = true});
  BOOST_REQUIRE_EQUAL(damaged.size(), 2u);
  for (const library::game& each : damaged) {
    BOOST_TEST(each.health == "damaged");
    BOOST_TEST(!each.reason.empty());
  }

  report = files.scan();
  BOOST_TEST(report.unchanged == 5u);
  BOOST_TEST(!report.has_changes());
  BOOST_TEST(report.ignored == 0u);
  BOOST_TEST(taken(files.index.scan({files.folder}, {.everything = true})).changed == 4u);
}

BOOST_AUTO_TEST_CASE(fields_of_an_indexed_game) {
  small_library files;
  write_cache(files.folder / "one", small_cache(layout::flat, 3, 1));
  files.scan();
  const auto games = files.find();
  BOOST_REQUIRE_EQUAL(games.size(), 1u);
  const library::game& one = games[0];
  BOOST_TEST(one.file == files.folder / "one");
  BOOST_TEST(one.format == "gamecache");
  BOOST_TEST(one.health == "whole");
  BOOST_TEST(one.name == "game 3");
  BOOST_TEST(one.map == "DotA 6.60");
  BOOST_TEST(one.result == "scourge");
  BOOST_TEST(one.duration_ms == 603'000);
  BOOST_TEST(one.started_ms.value_or(0) == (1'600'000'000LL + 3 * 86'400) * 1000 - 603'000);
  BOOST_REQUIRE_EQUAL(one.players.size(), 3u);
  BOOST_TEST(one.players[0].name == "Alice");
  BOOST_TEST(one.players[0].team == "sentinel");
  BOOST_TEST(one.players[0].won.value_or(true) == false);
  BOOST_TEST(one.players[1].won.value_or(false) == true);
  BOOST_TEST(one.players[1].statistics.find("\"kills\":2") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(changed_removed_and_restored) {
  small_library files;
  const auto path = files.folder / "one.gamecache";
  write_cache(path, small_cache(layout::flat, 0, 2));
  files.scan();
  write_cache(path, small_cache(layout::flat, 0, 5));
  BOOST_TEST(files.scan().changed == 1u);
  BOOST_TEST(files.find().size() == 5u);

  const auto aside = files.scratch.path() / "aside";
  std::filesystem::rename(path, aside);
  BOOST_TEST(files.scan().vanished == 1u);
  BOOST_TEST(files.scan().vanished == 0u);
  BOOST_TEST(files.find().empty());
  BOOST_TEST(files.find({.vanished = true}).size() == 5u);
  BOOST_TEST(files.find({.vanished = true}).front().vanished);

  std::filesystem::rename(aside, path);
  const auto report = files.scan();
  BOOST_TEST(report.unchanged == 1u);
  BOOST_TEST(files.find().size() == 5u);
}

BOOST_AUTO_TEST_CASE(moved_and_renamed_files_are_recognised) {
  small_library files;
  write_cache(files.folder / "one", small_cache(layout::flat, 0, 2));
  write_cache(files.folder / "two", small_cache(layout::flat, 5, 2));
  files.scan();
  const auto before = files.find();
  std::filesystem::create_directories(files.folder / "deep");
  std::filesystem::rename(files.folder / "one", files.folder / "deep" / "renamed");
  const auto report = files.scan();
  BOOST_TEST(report.moved == 1u);
  BOOST_TEST(report.added == 0u);
  BOOST_TEST(report.vanished == 0u);
  const auto after = files.find();
  BOOST_REQUIRE_EQUAL(after.size(), before.size());
  for (std::size_t at = 0; at < after.size(); ++at) BOOST_TEST(after[at].id == before[at].id);
  BOOST_TEST(after.back().file == files.folder / "deep" / "renamed");

  // A copy is another file.
  std::filesystem::copy_file(files.folder / "two", files.folder / "copy");
  BOOST_TEST(files.scan().added == 1u);
  BOOST_TEST(files.find().size() == 6u);

  // Two copies of a removed file: one of them takes its place.
  std::filesystem::copy_file(files.folder / "two", files.folder / "first");
  std::filesystem::copy_file(files.folder / "two", files.folder / "second");
  std::filesystem::remove(files.folder / "two");
  const auto both = files.scan();
  BOOST_TEST(both.moved == 1u);
  BOOST_TEST(both.added == 1u);
  BOOST_TEST(both.vanished == 0u);
}

BOOST_AUTO_TEST_CASE(only_files_of_the_scanned_folder_are_removed) {
  small_library files;
  std::filesystem::create_directories(files.folder / "a");
  std::filesystem::create_directories(files.folder / "ab");
  write_cache(files.folder / "a" / "one", small_cache(layout::flat, 0, 1));
  write_cache(files.folder / "ab" / "two", small_cache(layout::flat, 1, 1));
  files.scan();
  std::filesystem::remove_all(files.folder / "ab");
  BOOST_TEST(taken(files.index.scan({files.folder / "a"})).vanished == 0u);
  BOOST_TEST(taken(files.index.scan({files.folder / "ab"})).vanished == 1u);
}

#ifndef _WIN32
BOOST_AUTO_TEST_CASE(unusual_names) {
  small_library files;
  const std::string names[] = {"new\nline",
                               "quo\"te",
                               "apo's",
                               "bad\xff\xfe"
                               "bytes",
                               "\x1b[31mred",
                               "%s%n*?[a]",
                               "'); DROP TABLE files; --",
                               "-rf",
                               " lead",
                               "ünï"};
  std::uint32_t number = 0;
  for (const std::string& each : names) {
    write_cache(files.folder / each, small_cache(layout::flat, 10 * number++, 1));
  }
  BOOST_TEST(files.scan().added == std::size(names));
  BOOST_TEST(files.scan().unchanged == std::size(names));
  std::set<std::filesystem::path> found;
  for (const library::game& each : files.find()) found.insert(filesystem_path(each.file).filename());
  for (const std::string& each : names) BOOST_TEST(found.contains(each), each);
}
#endif

BOOST_AUTO_TEST_CASE(links_to_folders_are_not_followed) {
  small_library files;
  write_cache(files.folder / "one", small_cache(layout::flat, 0, 1));
  std::error_code problem;
  std::filesystem::create_directory_symlink(files.folder, files.folder / "loop", problem);
  if (problem) return;
  BOOST_TEST(files.scan().seen == 1u);
}

BOOST_AUTO_TEST_CASE(stopped_and_resumed) {
  small_library files;
  for (std::uint32_t number = 0; number < 300; ++number) {
    write_cache(files.folder / std::to_string(number), small_cache(layout::flat, number, 1));
  }
  int asked = 0;
  library::scan_options options;
  options.watch.cancelled = [&] { return ++asked > 20; };
  const auto first = taken(files.index.scan({files.folder}, options));
  BOOST_TEST(first.interrupted);
  BOOST_TEST(first.vanished == 0u);
  const auto second = files.scan();
  BOOST_TEST(second.added + second.unchanged == 300u);
  BOOST_TEST(second.unchanged == first.added);
  BOOST_TEST(files.find().size() == 300u);
}

// Damage in a part that a quick summary does not read.
BOOST_AUTO_TEST_CASE(thorough_scans_find_more) {
  small_library files;
  const std::string path = (files.folder / "ints.reel").string();
  auto recorder = tickreel::recorder<int_encoder, loss_policy::block>::open(path, int_encoder{});
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 2000; ++tick) BOOST_REQUIRE(recorder->push(state_of_tick(tick)));
  BOOST_REQUIRE(recorder->close());
  {
    auto reel = taken(reel::reader::open(path));
    const auto chunk =
        std::ranges::find(reel.contents().records, reel::record_kind::chunk, &reel::record_info::kind);
    BOOST_REQUIRE(chunk != reel.contents().records.end());
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(chunk->offset + 200));
    file << "damage";
  }
  BOOST_TEST(files.scan().damaged == 0u);
  BOOST_TEST(files.find().front().ticks == 2000u);
  BOOST_TEST(files.find().front().health == "whole");
  BOOST_TEST(taken(files.index.scan({files.folder}, {.thorough = true})).unchanged == 1u);
  const auto again = taken(files.index.scan({files.folder}, {.everything = true, .thorough = true}));
  BOOST_TEST(again.damaged == 1u);
  BOOST_TEST(files.find().front().health == "damaged");
  BOOST_TEST(!files.find().front().reason.empty());
}

BOOST_AUTO_TEST_CASE(two_concurrent_scans) {
  small_library files;
  for (std::uint32_t number = 0; number < 200; ++number) {
    write_cache(files.folder / std::to_string(number), small_cache(layout::flat, number, 2));
  }
  std::atomic<int> failures = 0;
  std::vector<std::thread> scanners;
  for (int each = 0; each < 3; ++each) {
    scanners.emplace_back([&] {
      auto own = library::catalogue::open(files.database);
      if (!own || !own->scan({files.folder}, {.threads = 2})) ++failures;
    });
  }
  for (std::thread& each : scanners) each.join();
  BOOST_TEST(failures == 0);
  BOOST_TEST(files.find().size() == 400u);
  BOOST_TEST(files.scan().unchanged == 200u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
