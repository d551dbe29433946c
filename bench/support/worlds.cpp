#include "worlds.hpp"

namespace tickreel::bench {

std::vector<world_options> all_worlds() {
  return {{"RTS, 500 units, 1 % changed", 500, 5, 15},
          {"RTS, 500 units, 10 % changed", 500, 50, 15},
          {"RTS, 500 units, 100 % changed", 500, 500, 15},
          {"RTS, 10000 units, 1 % changed", 10'000, 100, 15},
          {"RTS, 10000 units, 10 % changed", 10'000, 1'000, 15},
          {"RTS, 10000 units, 100 % changed", 10'000, 10'000, 15},
          {"shooter, 128 players", 128, 128, 128},
          {"simulation, 100000 entities, 1 % changed", 100'000, 1'000, 10}};
}

double information_bytes(const world_options& of) noexcept {
  // The random bits in step(): dx, dy and heading; whether health and target change; both for one in eight. Which
  // entities change is not random.
  constexpr double moved = 6 + 6 + 8;
  constexpr double is_hit = 0.5436;  // the entropy of one in eight
  constexpr double hit = 4 + 32;
  return static_cast<double>(std::min(of.changed, of.entities)) * (moved + is_hit + hit / 8) / 8;
}

world::world(const world_options& options)
    : placements_(options.entities),
      conditions_(options.entities),
      changes_(options.entities),
      changed_(std::min(options.changed, options.entities)),
      seed_(20220716 + options.entities) {
  for (std::size_t i = 0; i < options.entities; ++i) {
    const std::uint64_t bits = random();
    placements_[i].x = static_cast<std::int32_t>(bits & 0xFFFFF);
    placements_[i].y = static_cast<std::int32_t>(bits >> 20 & 0xFFFFF);
    placements_[i].heading = static_cast<std::uint16_t>(bits >> 40);
    conditions_[i].owner = static_cast<std::uint32_t>(i % 8);
  }
}

void world::step() noexcept {
  changes_.clear();
  for (std::size_t i = 0; i < changed_; ++i) {
    // A prime that divides none of the sizes: visits the whole world without repetition.
    next_ = (next_ + 7919) % placements_.size();
    const std::uint64_t bits = random();
    placement& at = placements_[next_];
    at.dx = static_cast<std::int32_t>(bits & 0x3F) - 32;
    at.dy = static_cast<std::int32_t>(bits >> 6 & 0x3F) - 32;
    at.x += at.dx;
    at.y += at.dy;
    at.heading = static_cast<std::uint16_t>(at.heading + (bits >> 12 & 0xFF));
    ++at.animation;
    changes_.mark(next_, placement_slot);
    if ((bits >> 20 & 7) != 0) continue;
    condition& of = conditions_[next_];
    of.health -= static_cast<std::int32_t>(bits >> 23 & 0xF);
    of.target = static_cast<std::uint32_t>(bits >> 32);
    changes_.mark(next_, condition_slot);
  }
}

// splitmix64, as published by Sebastiano Vigna: few instructions, the same everywhere.
std::uint64_t world::random() noexcept {
  std::uint64_t bits = seed_ += 0x9E3779B97F4A7C15u;
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
  return bits ^ bits >> 31;
}

}  // namespace tickreel::bench
