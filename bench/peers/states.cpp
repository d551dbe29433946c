#include "states.hpp"

#include <cmath>
#include <memory>
#include <random>

namespace tickreel::bench {
namespace {

template <class State>
std::vector<State> world_states(std::size_t changed, std::size_t ticks) {
  std::vector<State> out(ticks);
  world now({.entities = State::count, .changed = changed});
  for (State& tick : out) {
    now.step();
    now.copy_to(tick);
  }
  return out;
}

constexpr float tick_s = 1.0f / 60;

// q + q * (spin, 0) * tick_s / 2, of length 1.
void turn(body& of) {
  const auto [x, y, z, w] = of.rotation;
  const float half = tick_s / 2;
  const float a = of.spin[0] * half, b = of.spin[1] * half, c = of.spin[2] * half;
  const std::array<float, 4> turned{x + w * a + y * c - z * b, y + w * b + z * a - x * c,
                                    z + w * c + x * b - y * a, w - x * a - y * b - z * c};
  const float length = std::sqrt(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2] +
                                 turned[3] * turned[3]);
  for (std::size_t i = 0; i < 4; ++i) of.rotation[i] = turned[i] / length;
}

// A box of 100 by 100 m, open above. A bounce loses a tenth of the speed and changes the spin.
void step(body& of, std::mt19937& random) {
  of.velocity[2] -= 9.81f * tick_s;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    of.position[axis] += of.velocity[axis] * tick_s;
    const bool low = of.position[axis] < 0;
    if (!low && (axis == 2 || of.position[axis] <= 100)) continue;
    of.position[axis] = low ? 0.0f : 100.0f;
    of.velocity[axis] *= axis == 2 && of.velocity[axis] > -1 ? -1.5f : -0.9f;
    for (float& each : of.spin) each = static_cast<float>(random() % 2000) / 250 - 4;
  }
  turn(of);
}

}  // namespace

std::vector<shooter_state> shooter_states(std::size_t ticks) {
  return world_states<shooter_state>(128, ticks);
}
std::vector<strategy_state> strategy_states(std::size_t ticks) {
  return world_states<strategy_state>(50, ticks);
}

std::vector<physics_state> physics_states(std::size_t ticks) {
  std::vector<physics_state> out;
  out.reserve(ticks);
  std::mt19937 random(20261129);
  const auto now = std::make_unique<physics_state>();
  for (body& each : now->bodies) {
    for (float& at : each.position) at = static_cast<float>(random() % 100'000) / 1000;
    for (float& speed : each.velocity) speed = static_cast<float>(random() % 20'000) / 1000 - 10;
    for (float& speed : each.spin) speed = static_cast<float>(random() % 2000) / 250 - 4;
  }
  for (std::size_t i = 0; i < ticks; ++i) {
    for (body& each : now->bodies) step(each, random);
    out.push_back(*now);
  }
  return out;
}

}  // namespace tickreel::bench
