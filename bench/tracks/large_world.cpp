#include "large_world.hpp"

#include <cmath>
#include <filesystem>
#include <numbers>

#include "../support/exit_on_error.hpp"
#include "../support/process.hpp"
#include "../support/throughput.hpp"
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

void measure_large_world(program& self) {
  const scratch_folder files("tickreel_bench_large_world");
  const std::size_t ticks = self.quick() ? 60 : 1200;
  recorder_options options;
  options.ticks_per_second = 20;
  options.mode = threading::pumped;
  options.ring_ticks = 4;
  options.seal_frames = 20;
  options.sync_each_chunk = false;
  const auto path = files / "world.reel";
  auto out = must(record<light_units>(path.c_str(), options));
  light_world world;
  double writer_us = 0;
  for (std::size_t i = 0; i < ticks; ++i) {
    (void)out.push({i, static_cast<std::int64_t>(i) * 50'000}, world.next());
    const double start = thread_cpu_ns();
    (void)out.pump();
    writer_us += (thread_cpu_ns() - start) / 1000;
  }
  (void)must(out.close());
  auto in = must(replay<light_units>(path.c_str()));
  const seek_times seeks(in, ticks, self.quick() ? 50 : 1000);
  const auto count = static_cast<double>(ticks);
  const double bytes = static_cast<double>(std::filesystem::file_size(path)) / count;
  table shown(
      {"10000 units of 28 B, by record<T>()", "bytes/tick", "bound", "writer us", "seek p50 us", "p95 us"});
  shown.row({"100 random changed", figure(bytes), figure(light_world::bound_bytes()),
             figure(writer_us / count), figure(seeks.us(0.5)), figure(seeks.us(0.95))});
  shown.print();
  auto& all = self.results();
  all["world_bytes_per_tick"] = bytes;
  all["world_bound_bytes_per_tick"] = light_world::bound_bytes();
  all["world_writer_us"] = writer_us / count;
  all["world_seek_p50_us"] = seeks.us(0.5);
  all["world_seek_p95_us"] = seeks.us(0.95);
}

}  // namespace tickreel::bench
