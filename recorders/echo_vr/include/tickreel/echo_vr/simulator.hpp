// A deterministic Echo VR match, for trials and tests. Needs no game.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "tickreel/echo/events.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::echo_vr {

struct simulation_options {
  std::uint64_t seed = 1;
  echo::mode mode = echo::mode::arena;
  std::uint32_t rate_hz = 60;          // ticks per simulated second
  std::uint32_t players_per_team = 4;  // 1 to 5
  std::uint32_t spectators = 1;
  bool private_match = true;
  bool bones = true;
  // Simulates joins, leaves, a team change, pauses, goals, stuns, restart requests. Without it: only play.
  bool incidents = true;
  float match_seconds = 600;                       // then post_match; the source ends 5 s later
  bool keep_played = false;                        // see match_simulator::played()
  std::int64_t start_time_ms = 1'750'000'000'000;  // recorded_time_ms of the first tick
};

// The events that the simulator caused, from its own rules, not from the published state.
struct played_event {
  std::uint64_t tick = 0;
  echo::event_data what;
};

// The same options give the same match, bit for bit, on every machine: only integer and float arithmetic, no
// library functions whose last bit depends on the platform. Values are rounded as the game rounds them (3
// decimals). One thread at a time; allocates only at construction, and for the list of played events.
class match_simulator {
 public:
  explicit match_simulator(const simulation_options& options = {});
  match_simulator(match_simulator&&) noexcept;
  match_simulator& operator=(match_simulator&&) noexcept;
  ~match_simulator();

  // Writes the next tick to `out`. Returns false when the match and its post-match time are over; `out` is
  // then unchanged.
  bool next(echo::state& out) noexcept;

  void rewind() noexcept;

  // All events up to the last tick, in order, if simulation_options::keep_played is set. Only people, sides,
  // points and names of types are filled in. Valid until the next call.
  [[nodiscard]] std::span<const played_event> played() const noexcept;

 private:
  struct world;
  std::unique_ptr<world> world_;
};

}  // namespace tickreel::echo_vr
