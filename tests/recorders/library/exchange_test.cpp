// Import and export of caches.
#include "library_files.hpp"
#include "shared_data.hpp"

BOOST_AUTO_TEST_SUITE(library_tests)
BOOST_AUTO_TEST_SUITE(exchange_test)

using namespace tickreel;
using namespace tickreel::test;
using gamecache::layout;

namespace {

gamecache::contents cache_in(const std::filesystem::path& path) {
  return taken(gamecache::read(read_file(path)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(imported_caches_are_exported_byte_for_byte) {
  for (const layout each : {layout::flat, layout::flagged}) {
    small_library files;
    gamecache::contents cache = small_cache(each, 0, 5);
    cache.items[1].tail = byte_vector(3, std::byte{0xAA});
    cache.items[2].name.bytes = each == layout::flat ? "bad \xc3" : std::string("\x00\xd8", 2);
    cache.items[3].path = "C:\\\xd0\xdc.w3g";
    cache.items[4].path = cache.items[3].path;
    if (each == layout::flagged) {
      cache.next_age = 3;
      cache.items[0].age = 99;
      cache.items[0].fields |= 1;
      cache.items[0].players.clear();
      cache.items[0].stats_per_player = 0;
      cache.items[0].tail = byte_vector(7, std::byte{1});
      cache.items[0].name = {};
      cache.items[0].ratio = cache.items[0].mode = "";
    }
    const auto in = files.scratch.path() / "gamecache.dat";
    write_cache(in, cache);
    BOOST_TEST(taken(files.index.import_cache(in)).games == 5u);
    const auto out = files.scratch.path() / "out.dat";
    const auto report = taken(files.index.export_cache(out));
    BOOST_TEST(report.games == 5u);
    BOOST_TEST(report.lost_fields == 0u);
    BOOST_TEST(report.left_out.empty());
    BOOST_TEST((read_file(out) == read_file(in)));
    BOOST_TEST((files.index.export_cache(out).error().code == error_code::already_exists));
  }
}

BOOST_AUTO_TEST_CASE(every_golden_file_round_trips) {
  const auto folder = shared_data("gamecache");
  if (folder.empty()) return;
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".json") || name.ends_with(".md") || name.ends_with(".csv") ||
        name.find("empty") != std::string::npos) {
      continue;
    }
    BOOST_TEST_CONTEXT(name) {
      small_library files;
      const auto imported = taken(files.index.import_cache(entry.path()));
      BOOST_TEST(files.find().size() == imported.games);
      const auto out = files.scratch.path() / "out";
      (void)taken(files.index.export_cache(out));
      BOOST_TEST((read_file(out) == read_file(entry.path())));
      ++count;
    }
  }
  BOOST_TEST(count == 10);
}

BOOST_AUTO_TEST_CASE(imported_games_are_kept_without_their_file) {
  small_library files;
  const auto in = files.folder / "cache";
  write_cache(in, small_cache(layout::flat, 0, 3));
  (void)taken(files.index.import_cache(in));
  BOOST_TEST(files.scan().unchanged == 1u);
  std::filesystem::remove(in);
  BOOST_TEST(files.scan().vanished == 0u);
  BOOST_TEST(files.find().size() == 3u);
}

BOOST_AUTO_TEST_CASE(several_caches_become_one) {
  small_library files;
  gamecache::contents newer = small_cache(layout::flagged, 3, 4);
  newer.items[0].modified += 5;
  write_cache(files.folder / "a", small_cache(layout::flagged, 0, 4));
  write_cache(files.folder / "b", newer);
  write_file(files.folder / "bad.butter", as_bytes("?"));
  files.scan();
  const auto out = files.scratch.path() / "out";
  auto report = taken(files.index.export_cache(out));
  BOOST_TEST((report.layout == library::cache_layout::flagged));
  BOOST_TEST(report.games == 7u);
  BOOST_TEST(report.duplicates == 1u);
  BOOST_TEST(report.left_out.at("butter") == 1u);
  gamecache::contents all = cache_in(out);
  BOOST_TEST(all.next_age == 8u);
  BOOST_TEST(all.items[3].modified == newer.items[0].modified);

  report = taken(files.index.export_cache(out, {.max_items = 2, .overwrite = true}));
  BOOST_TEST(report.games == 2u);
  BOOST_TEST(report.evicted == 5u);

  report = taken(files.index.export_cache(
      out, {.games = {.player = "Guest6"}, .layout = library::cache_layout::flat, .overwrite = true}));
  BOOST_TEST(report.games == 1u);
  BOOST_TEST(report.lost_fields == 1u);  // the mode
  all = cache_in(out);
  BOOST_TEST((all.layout == layout::flat));
  BOOST_TEST(gamecache::to_utf8(all.items[0].players[2].name) == "Guest6");
}

BOOST_AUTO_TEST_CASE(other_files_are_rejected) {
  small_library files;
  const auto other = files.scratch.path() / "other";
  write_file(other, as_bytes("TICKREEL"));
  BOOST_TEST(!files.index.import_cache(other));
  BOOST_TEST((files.index.import_cache(files.scratch.path() / "none").error().code == error_code::not_found));
  BOOST_TEST(files.find().empty());
  BOOST_TEST(taken(files.index.export_cache(files.scratch.path() / "out")).games == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
