// Folders of small recordings, and an index over them.
#pragma once

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "file_bytes.hpp"
#include "scratch_folder.hpp"
#include "taken.hpp"
#include "tickreel/gamecache/file.hpp"
#include "tickreel/library/catalogue.hpp"

namespace tickreel::test {

inline gamecache::text named(const std::string& words, gamecache::layout layout) {
  return gamecache::from_utf8(
      words, layout == gamecache::layout::flat ? gamecache::text_form::plain : gamecache::text_form::wide);
}

// A game that `winner` won, between Alice and Bob and a third player of that file.
inline gamecache::item small_game(gamecache::layout layout, std::uint32_t number, std::int8_t winner = 1) {
  gamecache::item out;
  out.path = "C:\\r\\" + std::to_string(number) + ".w3g";
  out.modified = 1'600'000'000 + number * 86'400;
  out.name = named("game " + std::to_string(number), layout);
  out.length_ms = 600'000 + number * 1000;
  out.map_version = gamecache::make_version(6, number % 2 == 0 ? 59 : 60);
  out.warcraft_version = gamecache::make_version(1, 24);
  out.winner = winner;
  if (layout == gamecache::layout::flagged) {
    out.fields = gamecache::field::all;
    out.age = number;
    out.mode = "-ap";
    out.ratio = "2v1";
    out.stats_per_player = 5;
  } else {
    out.mode_bits = 1;
  }
  const std::string names[] = {"Alice", "Bob", "Guest" + std::to_string(number)};
  for (std::uint8_t slot = 0; slot < 3; ++slot) {
    gamecache::player each;
    each.name = named(names[slot], layout);
    each.team = slot == 1 ? 1 : 0;
    each.kills = slot + 1;
    out.players.push_back(std::move(each));
  }
  return out;
}

inline gamecache::contents small_cache(gamecache::layout layout, std::uint32_t first, std::uint32_t count) {
  gamecache::contents out{.layout = layout, .items = {}};
  for (std::uint32_t number = first; number < first + count; ++number) {
    out.items.push_back(small_game(layout, number, number % 3 == 0 ? std::int8_t{2} : std::int8_t{1}));
  }
  if (layout == gamecache::layout::flagged) out.next_age = first + count;
  return out;
}

inline void write_cache(const std::filesystem::path& path, const gamecache::contents& from) {
  write_file(path, taken(gamecache::write(from)));
}

// A folder `files` and an index beside it.
struct small_library {
  scratch_folder scratch;
  std::filesystem::path folder = scratch.path() / "files";
  std::filesystem::path database = scratch.path() / "index" / "library.db";
  library::catalogue index = open();

  library::catalogue open() {
    std::filesystem::create_directories(folder);
    return taken(library::catalogue::open(database));
  }
  library::scan_report scan() { return taken(index.scan({folder})); }
  std::vector<library::game> find(const library::query& what = {}) {
    std::vector<library::game> out;
    const auto count = taken(index.find(what, [&](const library::game& each) {
      out.push_back(each);
      return true;
    }));
    BOOST_TEST(count == out.size());
    return out;
  }
};

}  // namespace tickreel::test
