// How fast are StarCraft II replays read: events of decompressed members, and whole files? And how much memory does it take?

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "../support/allocations.hpp"
#include "../support/exit_on_error.hpp"
#include "../support/mean.hpp"
#include "../support/program.hpp"
#include "../support/shared_data.hpp"
#include "../support/throughput.hpp"
#include "memory.hpp"
#include "tickreel/sc2replay/archive.hpp"
#include "tickreel/sc2replay/game_actions.hpp"
#include "tickreel/sc2replay/header.hpp"
#include "tickreel/sc2replay/message.hpp"
#include "tickreel/sc2replay/replay.hpp"
#include "tickreel/sc2replay/tracker_event.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::bench;
namespace sc2r = tickreel::sc2replay;

struct replay {
  std::string name;
  std::filesystem::path path;
  byte_vector file;
  std::uint32_t base_build = 0;
  byte_vector game;
  byte_vector tracker;
  byte_vector message;
  std::uint64_t events = 0;
  double allocations = 0;  // of a whole pass

  [[nodiscard]] double bytes() const {
    return static_cast<double>(game.size() + tracker.size() + message.size());
  }
};

// Every event, and every event with typed access as its struct.
std::uint64_t read_all(const replay& from, sc2r::game_event& game, sc2r::tracker_event& tracker) {
  std::uint64_t count = 0;
  double sum = 0;  // prevents removal by the optimiser
  sc2r::game_event_reader games(from.game, from.base_build);
  for (; must(games.next(game)); ++count) {
    sc2r::command order;
    sc2r::selection_delta selected;
    sc2r::camera_update camera;
    if (sc2r::read_camera_update(game, camera)) {
      if (camera.target) sum += camera.target->x;
    } else if (sc2r::read_command(game, order)) {
      sum += order.flags;
    } else if (sc2r::read_selection_delta(game, selected)) {
      sum += static_cast<double>(selected.added.size());
    }
  }
  sc2r::tracker_event_reader tracks(from.tracker, from.base_build);
  for (; must(tracks.next(tracker)); ++count) {
    sc2r::unit_born born;
    sc2r::unit_died died;
    sc2r::player_stats stats;
    if (sc2r::read_unit_born(tracker, born)) {
      sum += born.place.x;
    } else if (sc2r::read_unit_died(tracker, died)) {
      sum += died.place.x;
    } else if (sc2r::read_player_stats(tracker, stats)) {
      sum += static_cast<double>(stats.food_used);
    } else if (tracker.is(sc2r::tracker_kind::unit_positions)) {
      sc2r::unit_positions places(tracker);
      for (sc2r::indexed_place place; places.next(place);) sum += place.place.x;
    }
  }
  sc2r::message_reader messages(from.message, from.base_build);
  for (sc2r::message said; must(messages.next(said)); ++count) sum += static_cast<double>(said.text.size());
  benchmark::DoNotOptimize(sum);
  return count;
}

std::vector<replay> all_replays() {
  std::vector<replay> out;
  const auto folder = shared_data("sc2");
  if (folder.empty()) return out;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".SC2Replay") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    replay& next = out.emplace_back();
    next.name = file.stem().string();
    next.path = file;
    const std::string content = read_text(file);
    next.file.assign(as_bytes(content).begin(), as_bytes(content).end());
    const auto archive = must(sc2replay::open_archive(byte_span(next.file)));
    next.base_build = must(sc2r::read_header(archive.user_data())).base_build;
    next.game = must(archive.read("replay.game.events"));
    next.message = must(archive.read("replay.message.events"));
    if (archive.find("replay.tracker.events") != nullptr)
      next.tracker = must(archive.read("replay.tracker.events"));
  }
  return out;
}

void events_pass(benchmark::State& loop, replay& from) {
  const auto game = std::make_unique<sc2r::game_event>();
  sc2r::tracker_event tracker;
  from.events = read_all(from, *game, tracker);
  const std::uint64_t before = allocations_of_this_thread();
  for (auto _ : loop) benchmark::DoNotOptimize(read_all(from, *game, tracker));
  from.allocations =
      static_cast<double>(allocations_of_this_thread() - before) / static_cast<double>(loop.iterations());
}

// Every event of a replay whose members are decompressed and parsed.
void read_whole(sc2replay::replay opened, sc2r::game_event& game, sc2r::tracker_event& tracker) {
  replay events;
  events.base_build = opened.base_build();
  events.game = std::move(opened.game_events);
  events.tracker = std::move(opened.tracker_events);
  events.message = std::move(opened.message_events);
  benchmark::DoNotOptimize(read_all(events, game, tracker));
}

// A file in memory.
void whole_pass(benchmark::State& loop, const replay& from) {
  const auto game = std::make_unique<sc2r::game_event>();
  sc2r::tracker_event tracker;
  for (auto _ : loop) read_whole(must(sc2replay::replay::open(from.file)), *game, tracker);
}

// A file on disk.
replay_memory memory_of(const replay& from, const std::filesystem::path& scratch) {
  return measure_memory(from.path, scratch, [&from] {
    auto opened = [&from] {
      const std::string content = read_text(from.path);
      return must(sc2replay::replay::open(as_bytes(content)));
    }();
    const auto game = std::make_unique<sc2r::game_event>();
    const auto tracker = std::make_unique<sc2r::tracker_event>();
    read_whole(std::move(opened), *game, *tracker);
  });
}

std::string whole_name(const replay& of) {
  return "whole " + of.name;
}

}  // namespace

int main(int argc, char** argv) {
  program self(argc, argv, "sc2replay",
               "how fast are StarCraft II replays read, events and whole files, and in how much memory?");
  auto all = all_replays();
  for (replay& each : all) {
    benchmark::RegisterBenchmark(each.name.c_str(),
                                 [&each](benchmark::State& loop) { events_pass(loop, each); });
    benchmark::RegisterBenchmark(whole_name(each).c_str(),
                                 [&each](benchmark::State& loop) { whole_pass(loop, each); });
  }
  const auto found = run_registered(self.quick());
  table out({"replay", "events", "kB", "us", "million events/s", "MB/s", "allocations", "whole file ms"});
  table memory({"replay", "unpacked kB", "decode kB", "/ unpacked", "info", "verify", "convert"});
  boost::json::array rows;
  double events = 0, ns = 0, peak_memory = 0;
  std::vector<double> whole_ms;
  const scratch_folder scratch("tickreel_bench_sc2replay");
  for (const replay& each : all) {
    const double took_ns = found.at(each.name).median_ns;
    const auto count = static_cast<double>(each.events);
    whole_ms.push_back(found.at(whole_name(each)).median_ns / 1e6);
    events += count;
    ns += took_ns;
    out.row({each.name, figure(count), figure(each.bytes() / 1000), figure(took_ns / 1000),
             figure(count * 1000 / took_ns), figure(each.bytes() * 1000 / took_ns), figure(each.allocations),
             figure(whole_ms.back())});
    const replay_memory peak = memory_of(each, scratch / "converted.icrep");
    const auto unpacked = static_cast<double>(peak.unpacked_bytes);
    const auto times_unpacked = [&](std::uint64_t bytes) { return static_cast<double>(bytes) / unpacked; };
    peak_memory = std::max(peak_memory, times_unpacked(peak.decode));
    memory.row({each.name, figure(unpacked / 1000), figure(static_cast<double>(peak.decode) / 1000),
                figure(times_unpacked(peak.decode)), figure(times_unpacked(peak.info)),
                figure(times_unpacked(peak.verify)), figure(times_unpacked(peak.convert))});
    rows.push_back({{"replay", each.name},
                    {"events", each.events},
                    {"bytes", each.bytes()},
                    {"ns", took_ns},
                    {"events_per_second", count * 1e9 / took_ns},
                    {"allocations", each.allocations},
                    {"whole_file_ms", whole_ms.back()},
                    {"unpacked_bytes", peak.unpacked_bytes},
                    {"peak_bytes", peak.decode},
                    {"peak_to_unpacked", times_unpacked(peak.decode)},
                    {"info_peak_to_unpacked", times_unpacked(peak.info)},
                    {"verify_peak_to_unpacked", times_unpacked(peak.verify)},
                    {"convert_peak_to_unpacked", times_unpacked(peak.convert)}});
  }
  if (!all.empty()) {
    std::sort(whole_ms.begin(), whole_ms.end());
    const double median_ms = whole_ms[whole_ms.size() / 2];
    out.row({"all; median", figure(events), "", figure(ns / 1000), figure(events * 1000 / ns), "", "",
             figure(median_ms)});
    self.results()["whole_file_median_ms"] = median_ms;
    self.results()["most_peak_to_unpacked"] = peak_memory;
  }
  out.print();
  fmt::print("\nMemory at its most, and that as a multiple of the unpacked members.\n\n");
  memory.print();
  self.results()["rows"] = std::move(rows);
  if (!all.empty()) self.results()["events_per_second"] = events * 1e9 / ns;
  return self.finish();
}
