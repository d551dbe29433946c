// What does a library of 100,000 recordings cost to scan, to rescan and to query?
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "../support/exit_on_error.hpp"
#include "../support/program.hpp"
#include "tickreel/gamecache/file.hpp"
#include "tickreel/library/catalogue.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::bench;

// The folder for the files: in memory if possible, so that the disk is not measured.
std::filesystem::path place_for(std::uint64_t bytes) {
  std::error_code problem;
  const std::filesystem::path memory = "/dev/shm";
  const auto space = std::filesystem::space(memory, problem);
  if (!problem && space.available >= bytes) return memory;
  return std::filesystem::temp_directory_path();
}

// Removed at the end.
class folder {
 public:
  explicit folder(const std::filesystem::path& inside) {
    std::random_device seed;
    path_ = inside / fmt::format("tickreel-bench-{}", seed());
    std::filesystem::create_directories(path_);
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  ~folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// A game of ten of 5000 players, as a cache with one item: the smallest recording that has players.
byte_vector small_recording(std::uint32_t number) {
  gamecache::contents out{.layout = gamecache::layout::flat, .items = {}};
  gamecache::item& game = out.items.emplace_back();
  game.path = fmt::format("C:\\replay\\{}.w3g", number);
  game.modified = 1'240'000'000 + number;
  game.name = {gamecache::text_form::plain, fmt::format("game {}", number)};
  game.length_ms = 1'800'000 + number;
  game.map_version = gamecache::make_version(6, 50 + number % 20);
  game.winner = static_cast<std::int8_t>(number % 3);
  for (std::uint32_t slot = 0; slot < 10; ++slot) {
    gamecache::player one;
    one.name = {gamecache::text_form::plain, fmt::format("Player{}", (number * 7 + slot * 501) % 5000)};
    one.team = slot % 2 == 0 ? 0 : 1;
    one.kills = static_cast<std::int32_t>(slot);
    game.players.push_back(std::move(one));
  }
  return must(gamecache::write(out));
}

void make_files(const std::filesystem::path& root, std::uint32_t count) {
  constexpr std::uint32_t per_folder = 500;
  for (std::uint32_t number = 0; number < count; ++number) {
    const auto inside = root / fmt::format("{:03}", number / per_folder);
    if (number % per_folder == 0) std::filesystem::create_directories(inside);
    std::ofstream file(inside / fmt::format("{}.gamecache", number), std::ios::binary);
    const byte_vector bytes = small_recording(number);
    file << as_text(bytes);
  }
}

template <class Work>
double milliseconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

template <class Work>
double median_ms(int runs, const Work& work) {
  std::vector<double> all;
  for (int run = 0; run < runs; ++run) all.push_back(milliseconds(work));
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  program self(argc, argv, "library",
               "what does a library of recordings cost to scan, to scan again and to ask?");
  const std::uint32_t files = self.quick() ? 2000 : 100'000;
  // A file takes a page, its rows in the index a little less.
  constexpr std::uint64_t bytes_each = 16 << 10;
  const folder scratch(place_for(files * bytes_each));
  fmt::print("{} generated files in {} folders of {}, a game of ten players each; time on the clock.\n\n",
             files, (files + 499) / 500, scratch.path().parent_path().string());
  const auto root = scratch.path() / "files";
  fmt::print("made in {:.1f} s\n", milliseconds([&] { make_files(root, files); }) / 1000);
  library::catalogue index = must(library::catalogue::open(scratch.path() / "library.db"));
  table out({"work", "ms"});
  boost::json::object results;
  const auto add = [&](const char* key, const std::string& what, double ms) {
    out.row({what, figure(ms)});
    results[key] = ms;
  };
  library::scan_report report;
  const auto scan = [&] { report = must(index.scan({root})); };
  const auto expect = [&](std::uint64_t found) {
    if (found == files) return;
    fmt::print(stderr, "{} files instead of {}\n", found, files);
    std::exit(1);
  };
  add("scan_ms", "scan", milliseconds(scan));
  expect(report.added);
  add("rescan_ms", "scan again, nothing changed, median of 5", median_ms(5, scan));
  expect(report.unchanged);
  // The bound: reading every file's size and time, and nothing else.
  add("walk_ms", "walk the folders and look at each file, median of 5", median_ms(5, [&] {
        std::uint64_t bytes = 0;
        for (const auto& each : std::filesystem::recursive_directory_iterator(root)) {
          if (each.is_regular_file()) bytes += each.file_size();
        }
        if (bytes == 0) std::exit(1);
      }));
  std::uint64_t games = 0;
  const auto ask = [&](library::query what) {
    return median_ms(21, [&] { games = must(index.find(what, [](const library::game&) { return true; })); });
  };
  const double by_player = ask({.player = "Player77"});
  add("player_query_ms", fmt::format("games of one player ({} of them), median of 21", games), by_player);
  add("player_won_query_ms", "those that the player won, median of 21",
      ask({.player = "Player77", .result = "won"}));
  add("latest_query_ms", "the latest 20, median of 21", ask({.limit = 20}));
  add("stats_ms", "statistics over all", milliseconds([&] { (void)must(index.stats()); }));
  out.print();
  results["files"] = files;
  self.results()["library"] = std::move(results);
  return self.finish();
}
