// What does recording a match cost the game's thread, and how long does a seek to any tick take?

#include <fmt/format.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "../support/allocations.hpp"
#include "../support/cycle_clock.hpp"
#include "../support/exit_on_error.hpp"
#include "../support/latency.hpp"
#include "../support/program.hpp"
#include "tickreel/describe/changes.hpp"
#include "tickreel/game/game_recorder.hpp"
#include "tickreel/game/replay.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::bench;

struct motion {
  std::int32_t x = 0, y = 0, z = 0;
  std::int16_t heading = 0, speed = 0;
  std::uint32_t target = 0;
};
TICKREEL_DESCRIBE(motion, x, y, z, heading, speed, target);
struct body {
  std::uint16_t health = 100, armour = 0;
  std::uint32_t owner = 0;
};
TICKREEL_DESCRIBE(body, health, armour, owner);
struct purse {
  std::int64_t money = 0;
};
TICKREEL_DESCRIBE(purse, money);
struct walk {
  std::uint16_t unit = 0;
  std::int32_t x = 0, y = 0;
};
TICKREEL_DESCRIBE(walk, unit, x, y);
using types = game::world_types<game::components<motion, body>, game::player_fields<purse>>;
using recorder = game::game_recorder<types>;

struct world {
  explicit world(std::size_t units) : motions(units), bodies(units), changes(units) {}

  // Some units move, a few are damaged.
  void step(std::size_t moving, std::mt19937& random) {
    for (std::size_t i = 0; i < moving; ++i) {
      const std::size_t unit = random() % motions.size();
      motions[unit].x += static_cast<std::int32_t>(random() % 64);
      motions[unit].y += static_cast<std::int32_t>(random() % 64);
      changes.mark(unit, 0);
      if (random() % 16 != 0) continue;
      --bodies[unit].health;
      changes.mark(unit, 1);
    }
    for (purse& one : purses) one.money += 5;
  }
  void describe(recorder& to) const {
    for (std::size_t i = 0; i < motions.size(); ++i) {
      to.entity(tag(i), i % 4 == 0 ? "tank" : "rifle").set(motions[i]).set(bodies[i]);
    }
    describe_players(to);
  }
  void describe_marked(recorder& to) const {
    for (const std::uint32_t i : changes.entities()) {
      auto entity = to.entity(tag(i));
      if (changes.is_marked(i, 0)) entity.set(motions[i]);
      if (changes.is_marked(i, 1)) entity.set(bodies[i]);
    }
    describe_players(to);
  }
  void describe_players(recorder& to) const {
    for (std::uint32_t i = 0; i < 4; ++i) to.player(i).set(purses[i]);
  }
  static analysis::unit_tag tag(std::size_t i) { return {static_cast<std::uint16_t>(i), 1}; }

  std::vector<motion> motions;
  std::vector<body> bodies;
  purse purses[4];
  change_list changes;
};

game::match about() {
  game::match out;
  out.game = "bench";
  out.seed = 1;
  out.players = {{0, "A", "", "", 0}, {1, "B", "", "", 0}, {2, "C", "", "", 0}, {3, "D", "", "", 0}};
  return out;
}

struct bench_files {
  std::filesystem::path path = std::filesystem::temp_directory_path() / "tickreel_bench_game.icrep";
  bench_files() { clear(); }
  ~bench_files() { clear(); }
  void clear() const {
    for (const char* suffix : {"", ".reel"}) std::filesystem::remove(path.string() + suffix);
  }
};

struct bench_run {
  std::size_t units = 500;
  std::size_t ticks = 3000;
  std::uint32_t keyframe_interval_ticks = 10;
  std::size_t moving = 25;  // per tick
  bool marked = false;
  bool compare_first = false;  // the game finds changes by comparing marked entities
};
struct bench_costs {
  latency_samples tick_with_orders{10'000};
  latency_samples full_keyframe{10'000};
  latency_samples delta_keyframe{10'000};
  std::uint64_t allocations = 0;  // after the first keyframes
};

// tick() is the complete tick on the game's thread, including the handover of the previous tick and its keyframe.
bench_costs run(const bench_run& what) {
  const bench_files files;
  game::match_options options;
  options.mode = threading::pumped;
  options.keyframe_interval_ticks = what.keyframe_interval_ticks;
  auto to = must(recorder::begin(files.path.string(), about(), options));
  to.changes_only(what.marked || what.compare_first);
  std::mt19937 random(1);
  world now(what.units);
  world before = now;
  bench_costs costs;
  for (std::uint64_t tick = 0; tick < what.ticks; ++tick) {
    now.step(what.moving, random);
    const bool is_full = tick % (what.keyframe_interval_ticks * 10) == 0;
    const std::uint64_t allocated = allocations_of_this_thread();
    const std::uint64_t start = cycle_clock::now();
    const bool due = must(to.tick(tick, tick + 1));
    if (due && to.wants_whole_world()) {
      now.describe(to);
    } else if (due && what.compare_first) {
      const auto mark = [&](unsigned component) {
        return [&now, component](std::size_t unit) { now.changes.mark(unit, component); };
      };
      now.changes.clear();
      compare_records(std::as_bytes(std::span(before.motions)), std::as_bytes(std::span(now.motions)),
                      sizeof(motion), mark(0));
      compare_records(std::as_bytes(std::span(before.bodies)), std::as_bytes(std::span(now.bodies)),
                      sizeof(body), mark(1));
      now.describe_marked(to);
      for (const std::uint32_t i : now.changes.entities()) {
        before.motions[i] = now.motions[i];
        before.bodies[i] = now.bodies[i];
      }
    } else if (due) {
      now.describe_marked(to);
    }
    if (!due) {
      for (std::uint32_t i = 0; i < 10; ++i) must(to.order(i % 4, 1, walk{1, 2, 3}, i * 100));
    }
    const std::uint64_t cycles = cycle_clock::now() - start;
    if (tick >= 300) costs.allocations += allocations_of_this_thread() - allocated;
    if (due && to.wants_whole_world() && what.compare_first) before = now;
    if (due) now.changes.clear();
    // The first of them grow the buffers to their final size.
    if (tick >= 300)
      (!due ? costs.tick_with_orders : is_full ? costs.full_keyframe : costs.delta_keyframe).add(cycles, 0);
    (void)to.pump();
  }
  (void)must(to.end());
  return costs;
}

class report {
 public:
  explicit report(const cycle_clock& clock) : clock_(clock) {}
  void row(std::string name, latency_samples& samples, double bar_us) {
    const percentiles found = samples.summarise(clock_);
    out_.row({name, figure(found.p50 / 1000), figure(found.p90 / 1000), figure(found.p99 / 1000),
              figure(found.max / 1000), figure(bar_us), std::to_string(found.samples)});
    boost::json::object json = to_json(found);
    json["work"] = std::move(name);
    json["bar_us"] = bar_us;
    json["p99_us"] = found.p99 / 1000;
    rows_.push_back(std::move(json));
  }
  boost::json::array finish() {
    out_.print();
    return std::move(rows_);
  }

 private:
  const cycle_clock& clock_;
  table out_{{"us", "p50", "p90", "p99", "max", "bar", "samples"}};
  boost::json::array rows_;
};

}  // namespace

int main(int argc, char** argv) {
  program self(argc, argv, "game", "what does recording a match cost the game's thread, and reading it?");
  fmt::print(
      "A unit has 28 bytes in two components. Times of the game's thread alone; bars are for p99.\n\n");
  const cycle_clock clock;
  report rows(clock);
  const std::size_t ticks = self.quick() ? 900 : 30'000;

  bench_costs usual = run({.ticks = ticks});
  rows.row("tick with 10 orders", usual.tick_with_orders, 1);
  rows.row("500 units, delta keyframe", usual.delta_keyframe, 50);
  rows.row("500 units, full keyframe", usual.full_keyframe, 150);
  const std::uint64_t allocations = usual.allocations;
  const std::size_t large_ticks = self.quick() ? 400 : 3'000;
  bench_run large{.units = 10'000, .ticks = large_ticks, .keyframe_interval_ticks = 1, .moving = 100};
  bench_costs all = run(large);
  rows.row("10000 units, all described", all.delta_keyframe, 500);
  large.compare_first = true;
  bench_costs compared = run(large);
  rows.row("10000 units, 1 % changed, compared", compared.delta_keyframe, 500);
  large.compare_first = false;
  large.marked = true;
  bench_costs marked = run(large);
  rows.row("10000 units, 1 % changed, marked", marked.delta_keyframe, 60);

  // An hour at 15 ticks per second, written as in the background.
  const bench_files files;
  const std::uint64_t hour = self.quick() ? 3'000 : 54'000;
  std::uint64_t bytes = 0;
  std::uint64_t keyframes = 0;
  {
    game::match_options options;
    options.mode = threading::pumped;
    auto to = must(recorder::begin(files.path.string(), about(), options));
    std::mt19937 random(2);
    world now(500);
    for (std::uint64_t tick = 0; tick < hour; ++tick) {
      now.step(25, random);
      must(to.tick(tick, random(), [&](recorder& keyframe) { now.describe(keyframe); }));
      for (auto i = static_cast<std::uint32_t>(random() % 3); i > 0; --i) {
        must(to.order(i, 1, walk{static_cast<std::uint16_t>(random() % 500), 7, 8},
                      static_cast<std::uint32_t>(random() % 60'000)));
      }
      (void)to.pump();
    }
    const auto ended = must(to.end());
    bytes = ended.file_bytes;
    keyframes = ended.counters.keyframes;
  }
  const auto replay = must(game::replay::open(files.path.string()));
  std::mt19937 random(3);
  const std::size_t seeks = self.quick() ? 200 : 2'000;
  latency_samples restores(seeks), played(seeks);
  for (std::size_t i = 0; i < seeks; ++i) {
    const std::uint64_t tick = random() % hour;
    const std::uint64_t start = cycle_clock::now();
    const auto state = must(replay.restore(tick));
    restores.add(cycle_clock::now() - start, 0);
    if (state.gap || !state.warnings.empty() || state.snapshot.core.tick + state.tick_count != tick) {
      fmt::print(stderr, "tick {} could not be restored\n", tick);
      return 1;
    }
    const std::uint64_t again = cycle_clock::now();
    (void)must(replay.restore(tick, [](const auto&) {}, [](const auto&) {}));
    played.add(cycle_clock::now() - again, 0);
  }
  rows.row("restore(T) without playing", restores, 2000);
  rows.row("restore(T) with its orders read", played, 0);
  self.results()["rows"] = rows.finish();
  fmt::print(
      "\nan hour at 15 ticks a second, 500 units: {} bytes, {} keyframes; {} allocations while ticking\n",
      bytes, keyframes, allocations);
  self.results()["hour_bytes"] = bytes;
  self.results()["hour_keyframes"] = keyframes;
  self.results()["allocations"] = allocations;
  return self.finish();
}
