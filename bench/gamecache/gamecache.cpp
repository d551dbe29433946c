// How long does a cache of 2048 games take to open and to write?
#include <fmt/format.h>

#include <cstring>
#include <string>
#include <vector>

#include "../support/exit_on_error.hpp"
#include "../support/mean.hpp"
#include "../support/program.hpp"
#include "../support/shared_data.hpp"
#include "tickreel/gamecache/file.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::bench;

constexpr std::uint32_t item_count = 2048;  // the limit of the programs up to 2.04

struct cache_file {
  std::string name;
  byte_vector bytes;
};

// Ten players, every field.
gamecache::item made_up_game(gamecache::layout layout, std::uint32_t number) {
  const bool flat = layout == gamecache::layout::flat;
  const auto named = [flat](const std::string& words) {
    return gamecache::from_utf8(words, flat ? gamecache::text_form::plain : gamecache::text_form::wide);
  };
  gamecache::item out;
  out.path = fmt::format("C:\\Program Files\\Warcraft III\\replay\\DotA\\game {:04}.w3g", number);
  out.modified = 1'240'000'000 + number;
  out.name = named(fmt::format("-rdsp no noobs #{}", number % 50));
  out.length_ms = 2'400'000 + number;
  out.map_version = gamecache::make_version(6, 59, 1);
  out.warcraft_version = gamecache::make_version(1, 23);
  if (!flat) {
    out.fields = gamecache::field::all;
    out.age = number;
    out.ratio = "5v5";
    out.mode = "-rdsp";
  }
  for (std::uint32_t slot = 0; slot < 10; ++slot) {
    gamecache::player one;
    one.name = named(fmt::format("Player{:05}", number * 7 % 400 * 10 + slot));
    one.hero = static_cast<std::uint8_t>((number + slot) % 91);
    one.team = slot % 2 == 0 ? 0 : 1;
    one.kills = static_cast<std::int32_t>(slot);
    one.item_gold = 9000;
    out.players.push_back(std::move(one));
  }
  return out;
}

cache_file made_up(gamecache::layout layout) {
  gamecache::contents all{.layout = layout, .items = {}};
  for (std::uint32_t number = 0; number < item_count; ++number) {
    all.items.push_back(made_up_game(layout, number));
  }
  all.next_age = layout == gamecache::layout::flagged ? item_count : 0;
  return {fmt::format("{}, {} games of ten", name(layout), item_count), must(gamecache::write(all))};
}

std::vector<cache_file> all_files() {
  std::vector<cache_file> out;
  out.push_back(made_up(gamecache::layout::flagged));
  out.push_back(made_up(gamecache::layout::flat));
  if (const auto folder = shared_data("gamecache"); !folder.empty()) {
    for (const char* const file : {"v209-2048-items.gamecache", "real-3.04b.gamecache.dat"}) {
      const std::string text = read_text(folder / file);
      const byte_span bytes = as_bytes(text);
      out.push_back({file, byte_vector(bytes.begin(), bytes.end())});
    }
  }
  return out;
}

void open_pass(benchmark::State& loop, const cache_file& from) {
  for (auto _ : loop) benchmark::DoNotOptimize(must(gamecache::read(from.bytes)));
}

void write_pass(benchmark::State& loop, const cache_file& from) {
  const gamecache::contents all = must(gamecache::read(from.bytes));
  for (auto _ : loop) benchmark::DoNotOptimize(must(gamecache::write(all)));
}

void copy_pass(benchmark::State& loop, const cache_file& from) {
  byte_vector to(from.bytes.size());
  for (auto _ : loop) {
    std::memcpy(to.data(), from.bytes.data(), to.size());
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
}

}  // namespace

int main(int argc, char** argv) {
  program self(argc, argv, "gamecache", "how long does a cache of 2048 games take to open and to write?");
  fmt::print("Processor time from bytes in memory and back, median of the repetitions.\n\n");
  const auto files = all_files();
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto run = [&, i](const char* what, void (*pass)(benchmark::State&, const cache_file&)) {
      benchmark::RegisterBenchmark(fmt::format("{} {}", what, i).c_str(),
                                   [pass, &from = files[i]](benchmark::State& loop) { pass(loop, from); });
    };
    run("open", open_pass);
    run("write", write_pass);
    run("copy", copy_pass);
  }
  const auto found = run_registered(self.quick());
  table out({"cache", "bytes", "open ms", "write ms", "memcpy ms"});
  boost::json::array rows;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto ms = [&](const char* what) { return found.at(fmt::format("{} {}", what, i)).median_ns / 1e6; };
    out.row({files[i].name, figure(static_cast<double>(files[i].bytes.size())), figure(ms("open")),
             figure(ms("write")), figure(ms("copy"))});
    rows.push_back({{"cache", files[i].name},
                    {"bytes", files[i].bytes.size()},
                    {"open_ms", ms("open")},
                    {"write_ms", ms("write")},
                    {"copy_ms", ms("copy")}});
  }
  out.print();
  self.results()["rows"] = std::move(rows);
  return self.finish();
}
