// What does recording a tick cost the thread that has it?

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "../support/allocations.hpp"
#include "../support/arena_match.hpp"
#include "../support/cycle_clock.hpp"
#include "../support/latency.hpp"
#include "../support/must.hpp"
#include "../support/program.hpp"
#include "../support/small_world.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/record/recorder.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::bench;

// An encoder that also tells how many ticks it has had, so that a burst can wait until the ring is empty.
template <class Encoder>
class counted : public Encoder {
 public:
  counted(Encoder&& base, std::atomic<std::uint64_t>& encoded)
      : Encoder(std::move(base)), encoded_(&encoded) {}
  void encode(const typename Encoder::state_type& from, frame_kind kind, byte_writer& out) noexcept {
    Encoder::encode(from, kind, out);
    encoded_->fetch_add(1, std::memory_order_release);
  }

 private:
  std::atomic<std::uint64_t>* encoded_;
};

// How a game that captures in place might fill the slot.
template <class State>
void fill(State& slot, const State& from) noexcept {
  if constexpr (requires { copy_state(slot, from); }) {
    copy_state(slot, from);
  } else {
    slot = from;
  }
}

struct options {
  std::string workload;
  std::uint32_t rate_hz = 0;  // 0: back to back
  std::size_t ticks = 0;
};

struct outcome {
  std::size_t bytes = 0;  // that a tick copies
  percentiles push, capture, hot_copy, cold_copy;
  double push_allocations = 0;  // per tick, on the pushing thread
  double all_allocations = 0;   // per tick, on all threads
  std::uint64_t dropped = 0;
};

constexpr std::uint32_t ring_ticks = 256;

// Every tick is recorded once, by push and capture in turn, and copied twice as the bound: to the place where
// it was copied before (hot) and to the next of as many places as the ring has (cold). Whether the recorder
// or the bound comes first takes turns too, so that a noisy machine and warm source bytes favour neither.
template <class Encoder>
outcome run(const options& what, const cycle_clock& clock, Encoder&& encoder,
            std::span<const typename std::remove_cvref_t<Encoder>::state_type> states,
            std::size_t bytes_per_tick) {
  using state_type = typename std::remove_cvref_t<Encoder>::state_type;
  using recorder_type = recorder<counted<std::remove_cvref_t<Encoder>>>;

  const std::filesystem::path path = std::filesystem::temp_directory_path() / "tickreel_bench_hot_path.reel";
  std::filesystem::remove(path);
  std::atomic<std::uint64_t> encoded{0};
  const std::uint32_t rate_hz = what.rate_hz != 0 ? what.rate_hz : 1000;
  const auto opened = must(recorder_type::open(path.string(), counted(std::move(encoder), encoded),
                                               {.ring_ticks = ring_ticks, .tick_rate_mhz = rate_hz * 1000}));
  recorder_type& to = *opened;

  // The game's own state, the same bytes each tick, as the game has just computed it.
  auto live = std::make_unique<state_type>();
  const auto cold = std::make_unique<state_type[]>(ring_ticks);
  const auto hot = std::make_unique<state_type>();
  latency_samples push(what.ticks), capture(what.ticks), hot_copy(what.ticks), cold_copy(what.ticks);
  std::uint64_t accepted = 0;
  std::uint64_t push_allocations = 0;

  const auto drain = [&] {
    while (encoded.load(std::memory_order_acquire) < accepted) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  };
  const auto load = [&](std::size_t tick) {
    std::memcpy(live.get(), &states[tick % states.size()], sizeof *live);
  };

  // Once round the ring unmeasured: its pages, the encoder's first keyframe, the file.
  for (std::size_t i = 0; i < ring_ticks; ++i) {
    load(i);
    if (to.push(*live)) ++accepted;
    if (i % 64 == 63) drain();
  }

  tick_schedule schedule(clock, what.rate_hz);
  const auto record = [&](bool by_capture) {
    const std::uint64_t allocated = allocations_of_this_thread();
    const std::uint64_t start = cycle_clock::now();
    const bool taken =
        by_capture ? to.capture([&live](state_type& slot) noexcept { fill(slot, *live); }) : to.push(*live);
    const std::uint64_t end = cycle_clock::now();
    push_allocations += allocations_of_this_thread() - allocated;
    if (!taken) return;  // a tick that was not copied is no sample
    ++accepted;
    (by_capture ? capture : push).add(end - start, schedule.period());
  };
  const auto copy = [&](state_type& place, latency_samples& samples) {
    const std::uint64_t start = cycle_clock::now();
    std::memcpy(static_cast<void*>(&place), live.get(), bytes_per_tick);
    samples.add(cycle_clock::now() - start, schedule.period());
  };
  const auto copy_as_bound = [&](std::size_t tick) {
    copy(cold[tick % ring_ticks], cold_copy);
    copy(*hot, hot_copy);
  };

  const std::uint64_t all_before = allocations_of_all_threads();
  for (std::size_t i = 0; i < what.ticks; ++i) {
    load(i);
    schedule.wait();
    const bool by_capture = i % 2 != 0;
    const bool bound_first = i % 4 >= 2;
    if (bound_first) copy_as_bound(i);
    record(by_capture);
    if (!bound_first) copy_as_bound(i);
    // Back to back in bursts of half a ring: more would measure how a full ring refuses.
    if (what.rate_hz == 0 && i % (ring_ticks / 2) == ring_ticks / 2 - 1) drain();
  }
  drain();
  const std::uint64_t all_after = allocations_of_all_threads();

  outcome out;
  out.bytes = bytes_per_tick;
  out.push = push.summarise(clock);
  out.capture = capture.summarise(clock);
  out.hot_copy = hot_copy.summarise(clock);
  out.cold_copy = cold_copy.summarise(clock);
  out.push_allocations = static_cast<double>(push_allocations) / static_cast<double>(what.ticks);
  out.all_allocations = static_cast<double>(all_after - all_before) / static_cast<double>(what.ticks);
  out.dropped = to.counters().dropped;
  (void)must(to.close());
  std::filesystem::remove(path);
  return out;
}

boost::json::object to_json(const outcome& from, const percentiles& of) {
  boost::json::object out = bench::to_json(of);
  out["allocations"] = from.push_allocations;
  out["ratio_to_copy"] = ratio_to_json(ratio(of, from.cold_copy));
  out["ratio_to_hot_copy"] = ratio_to_json(ratio(of, from.hot_copy));
  return out;
}

boost::json::object to_json(const options& what, const outcome& from) {
  return {{"workload", what.workload},
          {"rate_hz", what.rate_hz},
          {"bytes_per_tick", from.bytes},
          {"push", to_json(from, from.push)},
          {"capture", to_json(from, from.capture)},
          {"copy", bench::to_json(from.cold_copy)},
          {"hot_copy", bench::to_json(from.hot_copy)},
          {"allocations_on_all_threads", from.all_allocations},
          {"dropped", from.dropped}};
}

void print(const options& what, const outcome& from) {
  fmt::print("{}, {}, {} bytes a tick: {} allocations a tick while pushing, {} on all threads, {} dropped\n",
             what.workload, what.rate_hz == 0 ? "back to back" : fmt::format("{} Hz", what.rate_hz),
             from.bytes, figure(from.push_allocations), figure(from.all_allocations), from.dropped);
  table out({"ns", "p50", "p90", "p99", "p99.9", "max", "samples"});
  const auto row = [&](std::string name, const percentiles& p, bool counted_samples = true) {
    out.row({std::move(name), figure(p.p50), figure(p.p90), figure(p.p99), figure(p.p999), figure(p.max),
             counted_samples ? std::to_string(p.samples) : ""});
  };
  row("push", from.push);
  row("capture", from.capture);
  row("memcpy to the next of 256 places", from.cold_copy);
  row("memcpy to the same place", from.hot_copy);
  row("push / memcpy to the next", ratio(from.push, from.cold_copy), false);
  row("push / memcpy to the same", ratio(from.push, from.hot_copy), false);
  out.print();
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

  boost::json::array rows;
  std::optional<boost::json::object> headline;
  for (const std::uint32_t rate_hz : {60u, 250u, 1000u, 0u}) {
    const double seconds = self.quick() ? 0.5 : 10;
    const auto ticks = rate_hz != 0 ? static_cast<std::size_t>(seconds * rate_hz)
                                    : (self.quick() ? std::size_t{2'000} : std::size_t{50'000});
    const auto measure = [&](std::string workload, auto&& encoder, const auto& states, std::size_t bytes) {
      const options what{std::move(workload), rate_hz, ticks};
      const outcome found = run(what, clock, std::move(encoder), std::span(states), bytes);
      print(what, found);
      rows.push_back(to_json(what, found));
      return found;
    };
    measure("small struct", small_world_encoder{}, worlds, sizeof(small_world));
    measure("8 players", butter::encoder{}, plain_match, used_bytes(plain_match[0]));
    measure("8 players with bones", butter::encoder{}, bones_match, used_bytes(bones_match[0]));
    if (rate_hz == 1000) headline = rows.back().as_object();
  }

  // For scripts: the heaviest state at the highest paced rate. `runs` has all of them.
  self.results()["push"] = headline->at("push");
  self.results()["capture"] = headline->at("capture");
  self.results()["ratio_to_copy"] = headline->at("push").at("ratio_to_copy");
  self.results()["runs"] = std::move(rows);
  return self.finish();
}
