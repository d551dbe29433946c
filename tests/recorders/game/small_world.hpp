// A small world that changes at random: units are created, move, die, and their indices are reused.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tickreel/game/game_recorder.hpp"
#include "why.hpp"

namespace tickreel::test {

struct place {
  std::int32_t x = 0, y = 0;
};
TICKREEL_DESCRIBE(place, x, y);
struct health {
  std::uint16_t points = 100;
  short_text<4> badge;
};
TICKREEL_DESCRIBE(health, points, badge);
struct credits {
  std::int64_t amount = 0;
};
TICKREEL_DESCRIBE(credits, amount);
struct weather {
  float wind = 0;
};
TICKREEL_DESCRIBE(weather, wind);

using little_types = game::world_types<game::components<place, health>, game::player_fields<credits>,
                                       game::singletons<weather>>;
using little_recorder = game::game_recorder<little_types>;

struct little_unit {
  analysis::unit_tag tag;
  bool alive = false;
  bool fresh = false;  // created since the last keyframe
  bool tank = false;
  place at;
  health body;
};

struct small_world {
  std::uint64_t tick = 0;
  std::uint64_t random = 1;
  std::vector<little_unit> units = std::vector<little_unit>(24);
  std::array<credits, 2> players;
  weather air;
  std::int32_t ore = 1000;
  // The changes that the tracked recording receives.
  change_list changes{24};
  std::vector<analysis::unit_tag> gone;

  std::uint64_t next() {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return random;
  }

  void step() {
    ++tick;
    for (std::size_t i = 0; i < units.size(); ++i) {
      little_unit& unit = units[i];
      unit.tag.index = static_cast<std::uint16_t>(i);
      const std::uint64_t dice = next() % 64;
      if (!unit.alive && dice < 3) {
        ++unit.tag.generation;
        unit = {unit.tag, true, true, dice == 0, {static_cast<std::int32_t>(next() % 100), 7}, {}};
        changes.mark_all(i);
      } else if (unit.alive && dice == 10) {
        unit.alive = false;
        gone.push_back(unit.tag);
      } else if (unit.alive && dice < 16) {
        unit.at.x += static_cast<std::int32_t>(next() % 3) - 1;  // may return to an earlier position
        changes.mark(i, 0);
      } else if (unit.alive && dice < 18) {
        unit.body.points = static_cast<std::uint16_t>(next() % 100);
        unit.body.badge = dice == 16 ? "a" : "bcd";
        changes.mark(i, 1);
      }
    }
    players[next() % 2].amount += 5;
    if (next() % 8 == 0) air.wind = static_cast<float>(next() % 10);
    if (next() % 4 == 0) --ore;
  }

  // FNV-1a over the units.
  [[nodiscard]] std::uint64_t hash() const {
    std::uint64_t value = 14695981039346656037u;
    const auto mix = [&](std::uint64_t bits) { value = (value ^ bits) * 1099511628211u; };
    mix(tick);
    mix(random);
    for (const little_unit& unit : units) {
      mix(unit.alive ? std::uint64_t{unit.tag.generation} : 0);
      mix(static_cast<std::uint32_t>(unit.at.x));
      mix(unit.body.points);
    }
    return value;
  }

  void describe_rest(little_recorder& to) const {
    for (std::uint32_t i = 0; i < 2; ++i) to.player(i).set(players[i]);
    to.world(air);
    to.cell({3, 4, 0}, "ore", ore);
    const component_bytes<credits> seed = to_component_bytes(credits{static_cast<std::int64_t>(random)});
    to.generator(seed);
  }
  void describe(little_recorder& to) const {
    for (const little_unit& unit : units) {
      if (unit.alive) to.entity(unit.tag, unit.tank ? "tank" : "rifle").set(unit.at).set(unit.body);
    }
    describe_rest(to);
  }
  // Only the changes; forgets them.
  void describe_changes(little_recorder& to) {
    if (to.wants_whole_world()) {
      describe(to);
    } else {
      for (const auto tag : gone) to.remove(tag);
      for (const std::uint32_t i : changes.entities()) {
        const little_unit& unit = units[i];
        if (!unit.alive) continue;
        if (unit.fresh) {
          to.entity(unit.tag, unit.tank ? "tank" : "rifle").set(unit.at).set(unit.body);
          continue;
        }
        auto writer = to.entity(unit.tag);
        if (changes.is_marked(i, 0)) writer.set(unit.at);
        if (changes.is_marked(i, 1)) writer.set(unit.body);
      }
      describe_rest(to);
    }
    changes.clear();
    gone.clear();
    for (little_unit& unit : units) unit.fresh = false;
  }
};

inline game::match little_match() {
  game::match about;
  about.game = "little";
  about.seed = 42;
  about.replay_id = "00000000-0000-4000-8000-000000000001";
  about.timestamp = "2027-03-15T15:00:00Z";
  about.players = {{0, "A", "red", "", 0}, {1, "B", "blue", "", 0}};
  return about;
}

inline game::match_options pumped_options(std::uint32_t interval) {
  game::match_options options;
  options.mode = threading::pumped;
  options.keyframe_interval_ticks = interval;
  options.full_keyframe_interval = 4;
  return options;
}

}  // namespace tickreel::test
