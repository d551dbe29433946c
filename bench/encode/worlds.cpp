#include "worlds.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../support/allocations.hpp"
#include "../support/bandwidth.hpp"
#include "../support/cycle_clock.hpp"
#include "../support/exit_on_error.hpp"
#include "../support/latency.hpp"
#include "../support/throughput.hpp"
#include "../support/world_encoder.hpp"
#include "../support/worlds.hpp"
#include "tickreel/game/game_recorder.hpp"
#include "tickreel/record/recorder.hpp"

namespace tickreel::bench {
namespace {

using types = game::world_types<game::components<placement, condition>>;
using game_recorder = game::game_recorder<types>;

// The default limit of .icrep readers; its tags have 16 bits.
constexpr std::size_t max_icrep_entities = 50'000;
// Ticks before the measured ones: they grow the buffers to their final size.
constexpr std::size_t warm_ticks = 30;

enum class finding { described, compared, marked };

struct outcome {
  percentiles tick;           // the whole tick
  percentiles game_thread;    // of it, on the game's thread
  double bytes_per_tick = 0;  // at the end: in the file, or of frames where there is no file
  double allocations = 0;     // per tick
};

// The frames alone: sdk/describe.
outcome run_frames(const world_options& what, finding how, frame_kind kind, std::size_t ticks,
                   const cycle_clock& clock) {
  world now(what);
  world_frames frames(what.entities);
  byte_vector room(frames.max_frame_size());
  latency_samples samples(ticks);
  std::uint64_t bytes = 0;
  std::uint64_t allocations = 0;
  for (std::size_t tick = 0; tick < warm_ticks + ticks; ++tick) {
    now.step();
    byte_writer out(room);
    const std::uint64_t allocated = allocations_of_this_thread();
    const std::uint64_t start = cycle_clock::now();
    if (kind == frame_kind::keyframe || tick == 0) {
      frames.keyframe(now.placements(), now.conditions(), out);
    } else if (how == finding::compared) {
      frames.compared(now.placements(), now.conditions(), out);
    } else {
      frames.marked(now.placements(), now.conditions(), now.changes(), out);
    }
    const std::uint64_t cycles = cycle_clock::now() - start;
    if (tick < warm_ticks) continue;
    samples.add(cycles, 0);
    allocations += allocations_of_this_thread() - allocated;
    bytes += out.size();
  }
  outcome found;
  found.tick = found.game_thread = samples.summarise(clock);
  found.bytes_per_tick = static_cast<double>(bytes) / static_cast<double>(ticks);
  found.allocations = static_cast<double>(allocations) / static_cast<double>(ticks);
  return found;
}

// Into a reel in memory: copied into the ring, then encoded, compressed and hashed on the same thread, so that the sum covers
// both threads. One chunk per second, as sealed live.
template <std::size_t Entities>
outcome run_reel(const world_options& what, std::size_t ticks, const cycle_clock& clock) {
  using recorder_type = recorder<world_encoder<Entities>>;
  recorder_options options;
  options.mode = threading::pumped;
  options.ring_ticks = 4;
  options.ticks_per_second = what.rate_hz;
  options.seal_frames = what.rate_hz;
  options.seal_interval_ms = 1'000'000;
  std::vector<std::unique_ptr<reel::sink>> sinks;
  sinks.push_back(std::make_unique<reel::memory_sink>());
  auto to = must(recorder_type::open(std::move(sinks), world_encoder<Entities>{}, options));

  world now(what);
  latency_samples all(ticks), pushes(ticks);
  std::uint64_t allocations = 0;
  for (std::size_t tick = 0; tick < warm_ticks + ticks; ++tick) {
    now.step();
    const std::uint64_t allocated = allocations_of_this_thread();
    const std::uint64_t start = cycle_clock::now();
    (void)to.capture([&now](world_state<Entities>& slot) noexcept { now.copy_to(slot); });
    const std::uint64_t pushed = cycle_clock::now();
    (void)to.pump();
    const std::uint64_t end = cycle_clock::now();
    if (tick < warm_ticks) continue;
    pushes.add(pushed - start, 0);
    all.add(end - start, 0);
    allocations += allocations_of_this_thread() - allocated;
  }
  const auto closed = must(to.close());
  outcome found;
  found.tick = all.summarise(clock);
  found.game_thread = pushes.summarise(clock);
  found.bytes_per_tick =
      static_cast<double>(closed.counters.stored_bytes) / static_cast<double>(warm_ticks + ticks);
  found.allocations = static_cast<double>(allocations) / static_cast<double>(ticks);
  return found;
}

std::optional<outcome> run_reel_of(const world_options& what, std::size_t ticks, const cycle_clock& clock) {
  switch (what.entities) {
    case 128:
      return run_reel<128>(what, ticks, clock);
    case 500:
      return run_reel<500>(what, ticks, clock);
    case 10'000:
      return run_reel<10'000>(what, ticks, clock);
    case 100'000:
      return run_reel<100'000>(what, ticks, clock);
    default:
      return std::nullopt;
  }
}

void describe(game_recorder& to, const world& now) {
  for (std::size_t i = 0; i < now.placements().size(); ++i) {
    to.entity({static_cast<std::uint16_t>(i), 1}, "unit").set(now.placements()[i]).set(now.conditions()[i]);
  }
}
void describe_marked(game_recorder& to, const world& now, const change_list& changes) {
  for (const std::uint32_t i : changes.entities()) {
    auto entity = to.entity({static_cast<std::uint16_t>(i), 1});
    if (changes.is_marked(i, placement_slot)) entity.set(now.placements()[i]);
    if (changes.is_marked(i, condition_slot)) entity.set(now.conditions()[i]);
  }
}

// The game's copy of the previous tick, to find changes by comparing.
class comparison {
 public:
  explicit comparison(const world_options& what)
      : placements_(what.entities), conditions_(what.entities), changes_(what.entities) {}

  const change_list& changes_of(const world& now) {
    changes_.clear();
    find(now.placements(), placements_, placement_slot);
    find(now.conditions(), conditions_, condition_slot);
    return changes_;
  }

 private:
  template <class Component>
  void find(std::span<const Component> now, std::vector<Component>& before, unsigned slot) {
    compare_records(std::as_bytes(std::span(before)), std::as_bytes(now), sizeof(Component),
                    [&](std::size_t at) {
                      changes_.mark(at, slot);
                      before[at] = now[at];
                    });
  }

  std::vector<placement> placements_;
  std::vector<condition> conditions_;
  change_list changes_;
};

// A keyframe every tick, as games record that cannot be simulated again; whole keyframes, every hundredth tick, are not samples
// of deltas.
outcome run_match(const world_options& what, finding how, std::size_t ticks, const cycle_clock& clock,
                  game::container file) {
  const scratch_folder files("tickreel_bench_encode");
  const std::filesystem::path path = files / "world.icrep";
  game::match_options options;
  options.file = file;
  options.mode = threading::pumped;
  options.keyframe_interval_ticks = 1;
  options.full_keyframe_interval = 100;
  options.sync_interval_ms = 0;
  game::match about;
  about.game = "bench";
  about.ticks_per_second = what.rate_hz;
  about.players = {{0, "A", "", "", 0}};
  auto to = must(game_recorder::begin(path.string(), about, options));
  to.changes_only(how != finding::described);

  world now(what);
  comparison before(what);
  latency_samples all(ticks), game_thread(ticks);
  std::uint64_t allocations = 0;
  std::size_t measured = 0;
  for (std::size_t tick = 0; tick < warm_ticks + ticks; ++tick) {
    now.step();
    const bool whole = tick % 100 == 0;
    const std::uint64_t allocated = allocations_of_this_thread();
    const std::uint64_t start = cycle_clock::now();
    (void)must(to.tick(tick, tick + 1));
    if (to.wants_whole_world()) {
      describe(to, now);
      if (how == finding::compared) (void)before.changes_of(now);
    } else {
      describe_marked(to, now, how == finding::compared ? before.changes_of(now) : now.changes());
    }
    const std::uint64_t described = cycle_clock::now();
    const std::uint64_t on_game_thread = allocations_of_this_thread() - allocated;
    (void)to.pump();
    const std::uint64_t end = cycle_clock::now();
    // tick() hands over the previous keyframe.
    if (tick < warm_ticks || whole || tick % 100 == 1) continue;
    game_thread.add(described - start, 0);
    all.add(end - start, 0);
    allocations += on_game_thread;
    ++measured;
  }
  const auto ended = must(to.end());
  outcome found;
  found.tick = all.summarise(clock);
  found.game_thread = game_thread.summarise(clock);
  found.bytes_per_tick = static_cast<double>(ended.file_bytes) / static_cast<double>(warm_ticks + ticks);
  found.allocations = static_cast<double>(allocations) / static_cast<double>(measured);
  return found;
}

outcome run_icrep(const world_options& what, finding how, std::size_t ticks, const cycle_clock& clock) {
  return run_match(what, how, ticks, clock, game::container::icrep);
}

class report {
 public:
  report(boost::json::array& rows, double bandwidth) : rows_(&rows), bandwidth_(bandwidth) {}

  void row(std::string encoder, const world_options& what, std::string frame, const outcome& found) {
    // The world's bytes are counted once, however often they were read.
    const double world_bytes = static_cast<double>(what.entities * 64);
    const double gb_per_second = world_bytes / found.game_thread.p50;
    out_.row({encoder, what.name, frame, figure(found.tick.p50), figure(found.game_thread.p50),
              figure(found.game_thread.p99), figure(found.bytes_per_tick), figure(found.allocations),
              figure(gb_per_second / bandwidth_)});
    const auto range = [](const spread& of) { return boost::json::array{of.least, of.most}; };
    rows_->push_back({{"encoder", std::move(encoder)},
                      {"workload", what.name},
                      {"frame", std::move(frame)},
                      {"entities", what.entities},
                      {"changed", what.changed},
                      {"ns_per_tick", found.tick.p50},
                      {"game_thread_ns_per_tick", found.game_thread.p50},
                      {"game_thread_p99_ns", found.game_thread.p99},
                      {"bytes_per_tick", found.bytes_per_tick},
                      {"allocations", found.allocations},
                      {"world_gb_per_second", gb_per_second},
                      {"ratio_to_read_bandwidth", gb_per_second / bandwidth_},
                      {"spread",
                       {{"ns_per_tick", range(found.tick.p50_spread)},
                        {"game_thread_ns_per_tick", range(found.game_thread.p50_spread)}}}});
  }
  void print() const { out_.print(); }

 private:
  boost::json::array* rows_;
  double bandwidth_;
  table out_{{"encoder", "workload", "frames", "ns/tick", "game thread", "its p99", "bytes/tick",
              "allocations/tick", "/ read bandwidth"}};
};

// How the cost grows: with the size of the world at constant changes, and with the changes at constant size.
boost::json::object measure_scaling(bool quick, const cycle_clock& clock) {
  const std::size_t ticks = quick ? 30 : 200;
  table out(
      {"entities", "changed", "marked, ns", "compared, ns", ".icrep marked, ns", ".icrep compared, ns"});
  const auto measure = [&](std::size_t entities, std::size_t changed) {
    const world_options what{"scaling", entities, changed, 60};
    boost::json::object row{{"entities", entities}, {"changed", changed}};
    boost::json::object spreads;
    std::vector<std::string> cells{std::to_string(entities), std::to_string(changed)};
    const auto add = [&](const char* key, const percentiles& found) {
      row[key] = found.p50;
      spreads[key] = boost::json::array{found.p50_spread.least, found.p50_spread.most};
      cells.push_back(figure(found.p50));
    };
    for (const auto& [key, how] : {std::pair{"marked_ns_per_tick", finding::marked},
                                   std::pair{"compared_ns_per_tick", finding::compared}}) {
      add(key, run_frames(what, how, frame_kind::delta, ticks, clock).tick);
    }
    if (entities <= max_icrep_entities) {
      for (const auto& [key, how] : {std::pair{"icrep_marked_ns_per_tick", finding::marked},
                                     std::pair{"icrep_compared_ns_per_tick", finding::compared}}) {
        add(key, run_icrep(what, how, ticks, clock).game_thread);
      }
    }
    row["spread"] = std::move(spreads);
    out.row(std::move(cells));
    return row;
  };
  boost::json::array by_size, by_changes;
  for (const std::size_t entities : {500u, 1'000u, 2'000u, 5'000u, 10'000u, 20'000u, 50'000u, 100'000u}) {
    by_size.push_back(measure(entities, 100));
  }
  for (const std::size_t changed : {10u, 30u, 100u, 300u, 1'000u, 3'000u, 10'000u}) {
    by_changes.push_back(measure(10'000, changed));
  }
  fmt::print("Cost against the world's size, then against what changed; medians of the game's thread:\n");
  out.print();
  return {{"by_size", std::move(by_size)}, {"by_changes", std::move(by_changes)}};
}

}  // namespace

void measure_worlds(program& self, boost::json::array& rows) {
  const cycle_clock clock;
  // Much larger than any cache.
  const double bandwidth = read_bandwidth(clock, std::size_t{256} << 20);
  fmt::print(
      "Worlds of 64 bytes an entity in two components. Medians of the ticks; one core reads {} GB/s from "
      "memory.\n"
      "frames: sdk/describe alone. reel: the same frames, copied, encoded, sealed with zstd. icrep: a "
      "keyframe "
      "every\n"
      "tick, and what the game's thread has of it; match reel: the same match, kept as a reel. The last "
      "column: the world's size / that thread's time / "
      "the bandwidth.\n\n",
      figure(bandwidth));
  self.results()["read_gb_per_second"] = bandwidth;
  report out(rows, bandwidth);
  for (const world_options& what : all_worlds()) {
    const std::size_t few = self.quick() ? 30 : 100;
    const std::size_t ticks = what.entities >= 10'000 ? few : 3 * few;
    const auto frames = [&](finding how, frame_kind kind) {
      return run_frames(what, how, kind, ticks, clock);
    };
    out.row("frames", what, "keyframe", frames(finding::compared, frame_kind::keyframe));
    out.row("frames, compared", what, "delta", frames(finding::compared, frame_kind::delta));
    out.row("frames, marked", what, "delta", frames(finding::marked, frame_kind::delta));
    if (const auto found = run_reel_of(what, ticks, clock)) out.row("reel, compared", what, "mixed", *found);
    if (what.entities > max_icrep_entities) continue;
    out.row("icrep, all described", what, "delta", run_icrep(what, finding::described, ticks, clock));
    out.row("icrep, compared", what, "delta", run_icrep(what, finding::compared, ticks, clock));
    out.row("icrep, marked", what, "delta", run_icrep(what, finding::marked, ticks, clock));
    const auto match = [&](finding how) { return run_match(what, how, ticks, clock, game::container::reel); };
    out.row("match reel, all described", what, "delta", match(finding::described));
    out.row("match reel, compared", what, "delta", match(finding::compared));
    out.row("match reel, marked", what, "delta", match(finding::marked));
  }
  out.print();
  self.results()["scaling"] = measure_scaling(self.quick(), clock);
}

}  // namespace tickreel::bench
