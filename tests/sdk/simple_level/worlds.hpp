// A struct with a member of every kind, and ticks of it that resemble a game.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include "tickreel/tickreel.hpp"

namespace tickreel::test {

enum class phase : std::int8_t { lobby = -1, playing, over };
TICKREEL_DESCRIBE_ENUM(phase, lobby, playing, over);

struct unit {
  std::array<float, 3> position{};
  std::int16_t health = 0;
  std::optional<std::uint32_t> target;
  bool operator==(const unit&) const = default;
};
TICKREEL_DESCRIBE(unit, position, health, target);
TICKREEL_DECLARE(unit, (position, decimals(3), unit_name("m")));

struct rich_world {
  entities<unit, 8> units;
  std::array<double, 3> forward{}, up{}, left{};
  phase now = phase::lobby;
  bool paused = false;
  std::uint64_t seed = 0;
  std::int64_t score = 0;
  float raw = 0;
  double clock = 0;
  short_text<20> caption;
  fixed_value<16> gravity;
  std::uint8_t lives[3] = {};
};
TICKREEL_DESCRIBE(rich_world, units, forward, up, left, now, paused, seed, score, raw, clock, caption,
                  gravity, lives);
TICKREEL_DECLARE(rich_world, (forward, unit_vector), (up, orthogonal("forward")),
                 (left, cross("up", "forward")), (clock, decimals(2)));

// Advances by a tick; occasionally with a value that no predictor expects.
inline void advance(rich_world& world, std::mt19937_64& random) {
  const auto chance = [&](unsigned one_in) { return random() % one_in == 0; };
  if (chance(5))
    (void)world.units.add(
        {.position = {1, 2, 3}, .health = static_cast<std::int16_t>(random()), .target = {}});
  world.units.for_each([&](entity_id id, unit& each) {
    each.position[0] = std::round((each.position[0] + 0.05f) * 1000) / 1000;
    each.health = static_cast<std::int16_t>(each.health - 1);
    if (chance(20)) each.target = static_cast<std::uint32_t>(random());
    if (chance(50)) world.units.remove(id);
  });
  const double angle = static_cast<double>(random() % 1000) / 1000;
  world.forward = {std::cos(angle), std::sin(angle), 0};
  world.up = {0, 0, 1};
  world.left = {-std::sin(angle), std::cos(angle), 0};
  if (chance(40)) world.now = static_cast<phase>(static_cast<int>(random() % 5) - 2);
  world.paused = chance(10);
  world.seed = random();
  world.score += static_cast<std::int64_t>(random() % 7) - 3;
  constexpr float odd[] = {std::numeric_limits<float>::quiet_NaN(), -0.0f,
                           std::numeric_limits<float>::infinity(), std::numeric_limits<float>::denorm_min(),
                           std::numeric_limits<float>::max()};
  world.raw = chance(8) ? odd[random() % 5] : world.raw + 0.1f;
  world.clock = std::round((world.clock + 0.02) * 100) / 100;
  if (chance(60))
    world.caption = std::string_view(std::string(random() % 20, static_cast<char>('a' + random() % 26)));
  world.gravity.raw = static_cast<std::int32_t>(random() % 3);
  world.lives[random() % 3] = static_cast<std::uint8_t>(random());
}

}  // namespace tickreel::test
