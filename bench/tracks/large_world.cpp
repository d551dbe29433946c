#include "large_world.hpp"

#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>
#include <utility>

#include "../support/exit_on_error.hpp"
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
  for (std::size_t i = 0; i < changed_per_tick; ++i) {
    light_unit& each = now_->all[random_() % now_->all.size()];
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

  template <described State, class Next>
  void measure(std::string world, std::uint32_t rate_hz, std::size_t ticks, double bound_bytes, Next&& next) {
    if (quick_) ticks = 3 * rate_hz;
    const scratch_folder files("tickreel_bench_large_world");
    recorder_options options;
    options.ticks_per_second = rate_hz;
    options.mode = threading::pumped;
    options.ring_ticks = 4;
    options.seal_frames = rate_hz;
    options.sync_each_chunk = false;
    const auto path = files / "world.reel";
    auto out = must(record<State>(path.c_str(), options));
    double writer_us = 0;
    for (std::size_t i = 0; i < ticks; ++i) {
      (void)out.push({i, static_cast<std::int64_t>(i) * 1'000'000 / rate_hz}, next());
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
    shown_.row({world, figure(bytes), figure(bound_bytes), figure(writer_us), figure(seeks.us(0.5)),
                figure(seeks.us(0.95))});
    rows_.push_back({{"world", std::move(world)},
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
    measure<world_state<Entities>>(
        std::move(name), rate_hz, ticks, information_bytes(options), [&]() -> const auto& {
          now.step();
          std::copy(now.placements().begin(), now.placements().end(), state->placements.begin());
          std::copy(now.conditions().begin(), now.conditions().end(), state->conditions.begin());
          return *state;
        });
  }

  boost::json::array finish() {
    shown_.print();
    return std::move(rows_);
  }

 private:
  bool quick_;
  table shown_{{"by record<T>()", "bytes/tick", "bound", "writer us", "any tick p50 us", "p95 us"}};
  boost::json::array rows_;
};

}  // namespace

void measure_large_worlds(program& self) {
  recordings all(self.quick());
  light_world light;
  all.measure<light_units>("10,000 units of 28 B, 100 random ones changed, 20 Hz", 20, 1200,
                           light_world::bound_bytes(), [&light]() -> const auto& { return light.next(); });
  all.measure_units<5'000>("5,000 units of 64 B, 1 % changed, 20 Hz", 50, 20, 1200);
  all.measure_units<10'000>("10,000 units of 64 B, 1 % changed, 15 Hz", 100, 15, 600);
  all.measure_units<10'000>("10,000 units of 64 B, 10 % changed, 15 Hz", 1'000, 15, 600);
  all.measure_units<10'000>("10,000 units of 64 B, 100 % changed, 15 Hz", 10'000, 15, 150);
  self.results()["worlds"] = all.finish();
}

}  // namespace tickreel::bench
