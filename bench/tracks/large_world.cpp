#include "large_world.hpp"

#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>

#include "../support/exit_on_error.hpp"
#include "../support/latency.hpp"
#include "../support/process.hpp"
#include "../support/throughput.hpp"
#include "../support/worlds.hpp"
#include "seeks.hpp"
#include "tickreel/tickreel.hpp"

namespace tickreel::bench {

namespace {
constexpr std::size_t changed_per_tick = 100;
}

light_world::light_world() : now_(std::make_unique<light_units>()) {
  std::uint32_t id = 0;
  for (light_unit& each : now_->all) {
    each.x = static_cast<std::int32_t>(random_() % 100'000);
    each.y = static_cast<std::int32_t>(random_() % 100'000);
    each.heading = static_cast<std::uint16_t>(random_());
    each.kind = static_cast<std::uint16_t>(random_() % 20);
    each.owner = id % 8;
    each.id = id++;
  }
}

const light_units& light_world::next() {
  changed_.clear();
  for (std::size_t i = 0; i < changed_per_tick; ++i) {
    changed_.push_back(random_() % now_->all.size());
    light_unit& each = now_->all[changed_.back()];
    each.x += 3;
    each.y += 2;
    each.health = static_cast<std::int32_t>(random_() % 100);
  }
  return *now_;
}

double light_world::bound_bytes() noexcept {
  constexpr double changed = changed_per_tick;
  return ((changed * std::log2(10'000.0) - std::lgamma(changed + 1.0) / std::numbers::ln2) +
          changed * std::log2(100.0)) /
         8;
}

namespace {

// A table of recordings, each sealed every second.
class recordings {
 public:
  explicit recordings(bool quick) : quick_(quick) {}

  // Of the worlds that follow.
  void set_whole_state_every(std::uint32_t seconds) noexcept { whole_state_seconds_ = seconds; }

  // push(recording, stamp) pushes the next tick.
  template <described State, class Push>
  void measure(std::string world, std::uint32_t rate_hz, std::size_t ticks, double bound_bytes, Push&& push) {
    if (quick_) ticks = 3 * rate_hz;
    const scratch_folder files("tickreel_bench_large_world");
    recorder_options options;
    options.ticks_per_second = rate_hz;
    options.mode = threading::pumped;
    options.ring_ticks = 4;
    options.seal_frames = rate_hz;
    options.sync_each_chunk = false;
    options.cadence = {.keyframe_interval_ticks = 0, .keyframe_interval_ms = whole_state_seconds_ * 1000};
    const auto path = files / "world.reel";
    const double before_open = thread_cpu_ns();
    auto out = must(record<State>(path.c_str(), options));
    const double open_us = (thread_cpu_ns() - before_open) / 1000;
    double writer_us = 0;
    for (std::size_t i = 0; i < ticks; ++i) {
      push(out, frame_stamp{i, static_cast<std::int64_t>(i) * 1'000'000 / rate_hz});
      const double start = thread_cpu_ns();
      (void)out.pump();
      writer_us += (thread_cpu_ns() - start) / 1000;
    }
    (void)must(out.close());
    auto in = must(replay<State>(path.c_str()));
    const seek_times seeks(in, ticks, quick_ ? 50 : 500);
    const auto count = static_cast<double>(ticks);
    const double bytes = static_cast<double>(std::filesystem::file_size(path)) / count;
    writer_us /= count;
    shown_.row({world, figure(open_us), figure(bytes), figure(bound_bytes), figure(writer_us),
                figure(seeks.us(0.5)), figure(seeks.us(0.95))});
    rows_.push_back({{"world", std::move(world)},
                     {"open_us", open_us},
                     {"bytes_per_tick", bytes},
                     {"bound_bytes_per_tick", bound_bytes},
                     {"writer_us", writer_us},
                     {"seek_p50_us", seeks.us(0.5)},
                     {"seek_p95_us", seeks.us(0.95)}});
  }

  template <std::size_t Entities>
  void measure_units(std::string name, std::size_t changed, std::uint32_t rate_hz, std::size_t ticks) {
    const world_options options{.entities = Entities, .changed = changed};
    world now(options);
    const auto state = std::make_unique<world_state<Entities>>();
    measure<world_state<Entities>>(std::move(name), rate_hz, ticks, information_bytes(options),
                                   [&](auto& out, frame_stamp stamp) {
                                     now.step();
                                     now.copy_to(*state);
                                     (void)out.push(stamp, *state);
                                   });
  }

  boost::json::array finish() {
    shown_.print();
    return std::move(rows_);
  }

 private:
  bool quick_;
  std::uint32_t whole_state_seconds_ = 10;  // record<T>()'s default
  table shown_{
      {"by record<T>()", "open us", "bytes/tick", "bound", "writer us", "any tick p50 us", "p95 us"}};
  boost::json::array rows_;
};

void mark(change_list& changed, const light_world& of) noexcept {
  for (const std::size_t each : of.changed())
    changed.mark(each, member_number<light_units, &light_units::all>);
}

}  // namespace

void measure_pushed_changes(program& self) {
  const scratch_folder files("tickreel_bench_pushed_changes");
  const cycle_clock clock;
  const std::size_t ticks = self.quick() ? 100 : 3'000;
  constexpr std::uint32_t ring_ticks = 16;
  const recorder_options options{.ring_ticks = ring_ticks, .ticks_per_second = 200};
  auto as_changes = must(record<light_units>(files / "changes.reel", options));
  auto as_states = must(record<light_units>(files / "states.reel", options));
  light_world world;
  change_list changed(std::tuple_size_v<decltype(light_units::all)>);
  latency_samples of_changes(ticks), of_states(ticks);
  tick_schedule schedule(clock, 200);
  const auto push_changes = [&](const light_units& now) {
    const std::uint64_t start = cycle_clock::now();
    mark(changed, world);
    const bool taken = as_changes.push_changes(now, changed);
    changed.clear();
    if (taken) of_changes.add(cycle_clock::now() - start, 0);
  };
  const auto push_state = [&](const light_units& now) {
    const std::uint64_t start = cycle_clock::now();
    if (as_states.push(now)) of_states.add(cycle_clock::now() - start, 0);
  };
  for (std::size_t i = 0; i < ticks; ++i) {
    schedule.wait();
    const light_units& now = world.next();
    if (i % 2 == 0) push_changes(now);
    push_state(now);
    if (i % 2 != 0) push_changes(now);
  }
  (void)must(as_changes.close());
  (void)must(as_states.close());
  const percentiles changes = of_changes.summarise(clock), states = of_states.summarise(clock);
  const percentiles times = ratio(changes, states);
  table out({"10,000 units of 28 B, 100 changed, 200 Hz", "p50", "p99", "max"});
  out.row({"push(), ns", figure(states.p50), figure(states.p99), figure(states.max)});
  out.row({"marks and push_changes(), ns", figure(changes.p50), figure(changes.p99), figure(changes.max)});
  out.row({"ratio", figure(times.p50), figure(times.p99), figure(times.max)});
  out.print();
  self.results()["pushed_changes"] = {{"world_push_p50_ns", states.p50},
                                      {"world_push_changes_p50_ns", changes.p50},
                                      {"world_push_changes_p99_ns", changes.p99},
                                      {"world_push_changes_to_push_p50", times.p50},
                                      {"world_push_changes_to_push_p99", times.p99}};
}

void measure_large_worlds(program& self) {
  recordings all(self.quick());
  light_world light;
  all.measure<light_units>("10,000 units of 28 B, 100 random ones changed, 20 Hz", 20, 1200,
                           light_world::bound_bytes(),
                           [&light](auto& out, frame_stamp stamp) { (void)out.push(stamp, light.next()); });
  light_world marked;
  change_list changed(std::tuple_size_v<decltype(light_units::all)>);
  all.measure<light_units>("the same, pushed as changes", 20, 1200, light_world::bound_bytes(),
                           [&](auto& out, frame_stamp stamp) {
                             const light_units& now = marked.next();
                             mark(changed, marked);
                             (void)out.push_changes(stamp, now, changed);
                             changed.clear();
                           });
  all.set_whole_state_every(12);
  light_world rarely_whole;
  all.measure<light_units>(
      "10,000 units of 28 B, 100 random ones changed, whole every 12 s", 20, 1200, light_world::bound_bytes(),
      [&rarely_whole](auto& out, frame_stamp stamp) { (void)out.push(stamp, rarely_whole.next()); });
  all.set_whole_state_every(6);
  all.measure_units<5'000>("5,000 units of 64 B, 1 % changed, whole every 6 s", 50, 20, 1200);
  all.set_whole_state_every(10);
  all.measure_units<5'000>("5,000 units of 64 B, 1 % changed, 20 Hz", 50, 20, 1200);
  all.measure_units<10'000>("10,000 units of 64 B, 1 % changed, 15 Hz", 100, 15, 600);
  all.measure_units<10'000>("10,000 units of 64 B, 10 % changed, 15 Hz", 1'000, 15, 600);
  all.measure_units<10'000>("10,000 units of 64 B, 100 % changed, 15 Hz", 10'000, 15, 150);
  self.results()["worlds"] = all.finish();
}

}  // namespace tickreel::bench
