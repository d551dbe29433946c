#include "tickreel/echo_vr/simulator.hpp"

#include "match.hpp"

namespace tickreel::echo_vr {

struct match_simulator::world {
  explicit world(const simulation_options& with) noexcept : options(with), now(with) {}

  simulation_options options;
  match now;
};

match_simulator::match_simulator(const simulation_options& options)
    : world_(std::make_unique<world>(options)) {}
match_simulator::match_simulator(match_simulator&&) noexcept = default;
match_simulator& match_simulator::operator=(match_simulator&&) noexcept = default;
match_simulator::~match_simulator() = default;

bool match_simulator::next(echo::state& out) noexcept {
  return world_->now.next(out);
}

std::span<const played_event> match_simulator::played() const noexcept {
  return world_->now.played();
}

void match_simulator::rewind() noexcept {
  world_->now = match(world_->options);
}

}  // namespace tickreel::echo_vr
