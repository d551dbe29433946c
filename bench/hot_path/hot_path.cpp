// What does recording a tick cost the thread that produces it?

#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "../support/allocations.hpp"
#include "../support/arena_match.hpp"
#include "../support/cycle_clock.hpp"
#include "../support/exit_on_error.hpp"
#include "../support/latency.hpp"
#include "../support/process.hpp"
#include "../support/program.hpp"
#include "../support/small_world.hpp"
#include "../support/world_encoder.hpp"
#include "../support/worlds.hpp"
#include "building.hpp"
#include "counted.hpp"
#include "ring_copy.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/record/recorder.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::bench;

struct options {
  std::string workload;
  std::uint32_t rate_hz = 0;  // 0: back to back
  std::size_t ticks = 0;
};

struct outcome {
  std::size_t bytes = 0;  // that a tick copies
  percentiles push, hot_copy, cold_copy, ring_copy;
  std::vector<histogram_bucket> push_histogram, copy_histogram, ring_histogram;
  double push_allocations = 0;  // per tick, on the pushing thread
  double all_allocations = 0;   // per tick, on all threads
  std::uint64_t dropped = 0;
  double writer_core_percent = 0;   // of one core, while ticks are paced
  std::size_t heap_after_open = 0;  // including the ring, at most
  std::size_t heap_at_end = 0;
};

// Every tick is pushed once and copied three times as the bound: to the same destination as before (hot), to the next of as many
// destinations as the ring has slots (cold), and into a ring that another thread reads. The order alternates, so that a noisy
// machine and warm source bytes favour none.
template <class Encoder>
outcome run(const options& what, const cycle_clock& clock, Encoder&& encoder,
            std::span<const typename std::remove_cvref_t<Encoder>::state_type> states,
            std::size_t bytes_per_tick) {
  using state_type = typename std::remove_cvref_t<Encoder>::state_type;
  using recorder_type = recorder<counted<std::remove_cvref_t<Encoder>>>;

  const scratch_reel file;
  std::atomic<std::uint64_t> encoded{0};
  const std::uint32_t rate_hz = what.rate_hz != 0 ? what.rate_hz : 1000;
  const std::size_t heap_before = heap_bytes();
  recorder_type to =
      must(recorder_type::open(file.path(), counted(std::move(encoder), encoded),
                               {.ring_ticks = ring_ticks, .ticks_per_second = static_cast<double>(rate_hz)}));
  const std::size_t heap_after_open = heap_bytes();

  // The game's own state, the same bytes each tick, as if the game had just computed it.
  auto live = std::make_unique<state_type>();
  const auto cold = std::make_unique<state_type[]>(ring_ticks);
  const auto hot = std::make_unique<state_type>();
  ring_copy<state_type> ring(bytes_per_tick);
  latency_samples push(what.ticks), hot_copy(what.ticks), cold_copy(what.ticks), through_ring(what.ticks);
  const std::size_t heap_of_run = heap_bytes() - heap_after_open;
  std::uint64_t accepted = 0;
  std::uint64_t push_allocations = 0;

  const auto load = [&](std::size_t tick) {
    std::memcpy(static_cast<void*>(live.get()), &states[tick % states.size()], sizeof *live);
  };

  // One unmeasured round of the ring: its pages, the encoder's first keyframe, the file.
  for (std::size_t i = 0; i < ring_ticks; ++i) {
    load(i);
    if (to.push(*live)) ++accepted;
    ring.copy(*live);
    if (i % 64 == 63) {
      drain(encoded, accepted);
      ring.drain();
    }
  }

  tick_schedule schedule(clock, what.rate_hz);
  const auto record = [&] {
    const std::uint64_t allocated = allocations_of_this_thread();
    const std::uint64_t start = cycle_clock::now();
    const bool taken = to.push(*live);
    const std::uint64_t end = cycle_clock::now();
    push_allocations += allocations_of_this_thread() - allocated;
    if (!taken) return;  // a tick that was not copied is not a sample
    ++accepted;
    push.add(end - start, schedule.period());
  };
  const auto copy = [&](state_type& place, latency_samples& samples) {
    const std::uint64_t start = cycle_clock::now();
    std::memcpy(static_cast<void*>(&place), live.get(), bytes_per_tick);
    samples.add(cycle_clock::now() - start, schedule.period());
  };
  const auto copy_through_ring = [&] {
    if (!ring.has_room()) return;
    const std::uint64_t start = cycle_clock::now();
    ring.copy(*live);
    through_ring.add(cycle_clock::now() - start, schedule.period());
  };

  const std::uint64_t all_before = allocations_of_all_threads();
  const double start_ns = clock.nanoseconds(cycle_clock::now());
  const double others_before = process_cpu_ns() - thread_cpu_ns() - ring.reader_cpu_ns();
  for (std::size_t i = 0; i < what.ticks; ++i) {
    load(i);
    schedule.wait();
    for (std::size_t turn = 0; turn < 4; ++turn) {
      switch ((i + turn) % 4) {
        case 0:
          record();
          break;
        case 1:
          copy(cold[i % ring_ticks], cold_copy);
          break;
        case 2:
          copy_through_ring();
          break;
        default:
          copy(*hot, hot_copy);
          break;
      }
    }
    // Back to back in bursts of half a ring: longer bursts would measure rejections by a full ring.
    if (what.rate_hz == 0 && i % (ring_ticks / 2) == ring_ticks / 2 - 1) {
      drain(encoded, accepted);
      ring.drain();
    }
  }
  drain(encoded, accepted);
  const double others_after = process_cpu_ns() - thread_cpu_ns() - ring.reader_cpu_ns();
  const double end_ns = clock.nanoseconds(cycle_clock::now());
  const std::uint64_t all_after = allocations_of_all_threads();

  outcome out;
  out.bytes = bytes_per_tick;
  out.heap_after_open = heap_after_open - heap_before;
  out.heap_at_end = heap_bytes() - heap_of_run - heap_before;
  out.push = push.summarise(clock);
  out.push_histogram = push.histogram(clock);
  out.hot_copy = hot_copy.summarise(clock);
  out.cold_copy = cold_copy.summarise(clock);
  out.copy_histogram = cold_copy.histogram(clock);
  out.ring_copy = through_ring.summarise(clock);
  out.ring_histogram = through_ring.histogram(clock);
  out.push_allocations = static_cast<double>(push_allocations) / static_cast<double>(what.ticks);
  out.all_allocations = static_cast<double>(all_after - all_before) / static_cast<double>(what.ticks);
  out.dropped = to.counters().dropped;
  if (what.rate_hz != 0) {
    out.writer_core_percent = 100 * (others_after - others_before) / (end_ns - start_ns);
  }
  (void)must(to.close());
  return out;
}

boost::json::object push_to_json(const outcome& from) {
  boost::json::object out = bench::to_json(from.push);
  out["allocations"] = from.push_allocations;
  out["ratio_to_copy"] = ratio_to_json(ratio(from.push, from.cold_copy));
  out["ratio_to_hot_copy"] = ratio_to_json(ratio(from.push, from.hot_copy));
  out["ratio_to_ring_copy"] = ratio_to_json(ratio(from.push, from.ring_copy));
  out["histogram"] = bench::to_json(from.push_histogram);
  return out;
}

boost::json::object to_json(const options& what, const outcome& from) {
  boost::json::object copied = bench::to_json(from.cold_copy);
  copied["histogram"] = bench::to_json(from.copy_histogram);
  boost::json::object ring = bench::to_json(from.ring_copy);
  ring["histogram"] = bench::to_json(from.ring_histogram);
  return {{"workload", what.workload},
          {"rate_hz", what.rate_hz},
          {"bytes_per_tick", from.bytes},
          {"push", push_to_json(from)},
          {"copy", std::move(copied)},
          {"hot_copy", bench::to_json(from.hot_copy)},
          {"ring_copy", std::move(ring)},
          {"allocations_on_all_threads", from.all_allocations},
          {"dropped", from.dropped},
          {"writer_core_percent", from.writer_core_percent},
          {"heap_bytes_after_open", from.heap_after_open},
          {"heap_bytes_at_end", from.heap_at_end}};
}

void print(const options& what, const outcome& from) {
  fmt::print("{}, {}, {} bytes a tick: {} allocations a tick while pushing, {} on all threads, {} dropped\n",
             what.workload, what.rate_hz == 0 ? "back to back" : fmt::format("{} Hz", what.rate_hz),
             from.bytes, figure(from.push_allocations), figure(from.all_allocations), from.dropped);
  fmt::print("the recorder took {:.1f} MB of memory when opened and had {:.1f} MB at the end",
             static_cast<double>(from.heap_after_open) / 1e6, static_cast<double>(from.heap_at_end) / 1e6);
  if (what.rate_hz != 0) fmt::print("; its thread took {} % of a core", figure(from.writer_core_percent));
  fmt::print("\n");
  table out({"ns", "p50", "p90", "p99", "p99.9", "max", "samples"});
  add_row(out, "push", from.push);
  add_row(out, "memcpy to the next of 256 places", from.cold_copy);
  add_row(out, "memcpy to the same place", from.hot_copy);
  add_row(out, "memcpy into a ring that is read", from.ring_copy);
  add_ratio(out, "push / memcpy into a ring", ratio(from.push, from.ring_copy));
  add_ratio(out, "push / memcpy to the next", ratio(from.push, from.cold_copy));
  add_ratio(out, "push / memcpy to the same", ratio(from.push, from.hot_copy));
  out.print();
}

// As large as one or two seconds of a shooter.
std::vector<world_state<128>> shooter_ticks() {
  std::vector<world_state<128>> ticks(256);
  world now({"shooter", 128, 128, 128});
  for (world_state<128>& tick : ticks) {
    now.step();
    now.copy_to(tick);
  }
  return ticks;
}

}  // namespace

int main(int argc, char** argv) {
  program self(argc, argv, "hot_path", "what does recording a tick cost the thread that has it?");
  fmt::print(
      "Ratios are to a memcpy of the same bytes, measured in the same run. A call longer than a tick counts "
      "for\n"
      "every tick it would have held up. The clock's own cost is taken off.\n\n");
  const cycle_clock clock;

  std::vector<small_world> worlds(300);
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    if (i > 0) worlds[i] = worlds[i - 1];
    advance(worlds[i], i);
  }
  const auto plain_match = arena_match({.bones = false});
  const auto bones_match = arena_match({.bones = true});

  const auto shooter = shooter_ticks();

  boost::json::array rows;
  std::optional<boost::json::object> headline;
  const auto measure = [&](std::string workload, std::uint32_t rate_hz, double seconds, auto&& encoder,
                           const auto& states, std::size_t bytes) {
    const auto ticks = rate_hz != 0 ? static_cast<std::size_t>((self.quick() ? 0.5 : seconds) * rate_hz)
                                    : (self.quick() ? std::size_t{2'000} : std::size_t{30'000});
    const options what{std::move(workload), rate_hz, ticks};
    const outcome found = run(what, clock, std::move(encoder), std::span(states), bytes);
    print(what, found);
    rows.push_back(to_json(what, found));
    return found;
  };
  // The heaviest state at the highest paced rate is the headline: its tail has the most samples.
  for (const std::uint32_t rate_hz : {60u, 1000u, 0u}) {
    measure("small struct", rate_hz, 3, small_world_encoder{}, worlds, sizeof(small_world));
    measure("8 players", rate_hz, 3, butter::encoder{}, plain_match, used_bytes(plain_match[0]));
    const outcome found = measure("8 players with bones", rate_hz, rate_hz == 1000 ? 10 : 3,
                                  butter::encoder{}, bones_match, used_bytes(bones_match[0]));
    if (rate_hz == 1000) {
      headline = rows.back().as_object();
      print("Histogram of push, the last run:", found.push_histogram);
      print("Histogram of the memcpy into a ring that is read:", found.ring_histogram);
    }
  }
  for (const std::uint32_t rate_hz : {128u, 0u}) {
    measure("shooter, 128 players", rate_hz, 5, world_encoder<128>{}, shooter, sizeof(world_state<128>));
  }

  const boost::json::array built = compare_building(self.quick(), clock);

  // For scripts. `runs` and `building` contain all of them.
  self.results()["push"] = headline->at("push");
  self.results()["ratio_to_copy"] = headline->at("push").at("ratio_to_copy");
  self.results()["ratio_to_ring_copy"] = headline->at("push").at("ratio_to_ring_copy");
  self.results()["capture"] = built.back().at("capture_in_place");
  self.results()["runs"] = std::move(rows);
  self.results()["building"] = built;
  return self.finish();
}
