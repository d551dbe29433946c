#include "building.hpp"

#include <fmt/format.h>

#include <memory>

#include "../support/allocations.hpp"
#include "../support/exit_on_error.hpp"
#include "../support/small_world.hpp"
#include "../support/world_encoder.hpp"
#include "../support/worlds.hpp"
#include "counted.hpp"
#include "tickreel/record/recorder.hpp"

namespace tickreel::bench {
namespace {

// A game that stores each kind of value in a separate array.
class small_game {
 public:
  void step() noexcept {
    ++number_;
    for (std::size_t i = number_ % 4; i < positions_.size(); i += 4) positions_[i][number_ % 3] += 0.25f;
  }
  void build(small_world& to) const noexcept {
    to.number = number_;
    for (std::size_t i = 0; i < to.things.size(); ++i) {
      small_world::thing& thing = to.things[i];
      std::copy_n(positions_[i].data(), 3, thing.position);
      std::copy_n(velocities_[i].data(), 3, thing.velocity);
      std::copy_n(rotations_[i].data(), 3, thing.rotation);
      thing.flags = flags_[i];
    }
  }

 private:
  using vectors = std::array<std::array<float, 3>, std::tuple_size_v<decltype(small_world::things)>>;
  std::uint64_t number_ = 0;
  vectors positions_{}, velocities_{}, rotations_{};
  std::array<std::uint32_t, std::tuple_size_v<decltype(small_world::things)>> flags_{};
};

class shooter_game {
 public:
  void step() noexcept { world_.step(); }
  void build(world_state<128>& to) const noexcept { world_.copy_to(to); }

 private:
  world world_{{"shooter", 128, 128, 128}};
};

template <class Encoder, class Game>
boost::json::object compare(const char* workload, Game game, std::size_t ticks, const cycle_clock& clock) {
  using state_type = typename Encoder::state_type;
  const scratch_reel file;
  std::atomic<std::uint64_t> encoded{0};
  auto to = must(recorder<counted<Encoder>>::open(file.path(), counted(Encoder{}, encoded),
                                                  {.ring_ticks = ring_ticks, .ticks_per_second = 1'000}));
  const auto built = std::make_unique<state_type>();
  latency_samples in_place(ticks), beside(ticks);
  std::uint64_t accepted = 0;
  std::uint64_t allocations = 0;
  const std::size_t first = ring_ticks;  // one unmeasured round of the ring
  for (std::size_t i = 0; i < first + ticks; ++i) {
    game.step();
    const bool by_capture = i % 2 != 0;
    const std::uint64_t allocated = allocations_of_this_thread();
    const std::uint64_t start = cycle_clock::now();
    bool taken = false;
    if (by_capture) {
      taken = to.capture([&game](state_type& slot) noexcept { game.build(slot); });
    } else {
      game.build(*built);
      taken = to.push(*built);
    }
    const std::uint64_t end = cycle_clock::now();
    if (by_capture && i >= first) allocations += allocations_of_this_thread() - allocated;
    if (taken) ++accepted;
    if (taken && i >= first) (by_capture ? in_place : beside).add(end - start, 0);
    if (i % (ring_ticks / 2) == ring_ticks / 2 - 1) drain(encoded, accepted);
  }
  drain(encoded, accepted);
  (void)must(to.close());

  const percentiles captured = in_place.summarise(clock);
  const percentiles pushed = beside.summarise(clock);
  fmt::print("{}, {} bytes, gathered from the game's arrays, back to back\n", workload, sizeof(state_type));
  table out({"ns", "p50", "p90", "p99", "p99.9", "max", "samples"});
  add_row(out, "capture: built in the slot", captured);
  add_row(out, "push: built beside it, copied", pushed);
  add_ratio(out, "capture / push", ratio(captured, pushed));
  out.print();
  boost::json::object capture = to_json(captured);
  capture["allocations"] = static_cast<double>(allocations) / static_cast<double>(ticks);
  capture["ratio_to_build_and_push"] = ratio_to_json(ratio(captured, pushed));
  return {{"workload", workload},
          {"bytes_per_tick", sizeof(state_type)},
          {"capture_in_place", std::move(capture)},
          {"build_and_push", to_json(pushed)}};
}

}  // namespace

boost::json::array compare_building(bool quick, const cycle_clock& clock) {
  const std::size_t ticks = quick ? 4'000 : 40'000;
  boost::json::array rows;
  rows.push_back(compare<small_world_encoder>("small struct", small_game{}, ticks, clock));
  rows.push_back(compare<world_encoder<128>>("shooter, 128 players", shooter_game{}, ticks, clock));
  return rows;
}

}  // namespace tickreel::bench
