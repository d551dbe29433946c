// A small deterministic real-time strategy game: workers harvest, bases train, soldiers fight. The same seed
// and the same commands produce the same match.
#pragma once

#include <array>
#include <cstdlib>
#include <map>
#include <tickreel/describe/component.hpp>
#include <vector>

namespace rts {

enum class kind : std::uint8_t { base, worker, soldier };
enum class job : std::uint8_t { idle, harvest, attack };

// The components of a unit; all of them are recorded and restored.
struct position {
  std::int16_t x = 0, y = 0;
};
TICKREEL_DESCRIBE(position, x, y);
struct body {
  rts::kind kind = kind::worker;
  std::uint8_t owner = 0;
  std::int16_t health = 0, cargo = 0;
};
TICKREEL_DESCRIBE(body, kind, owner, health, cargo);
struct task {
  rts::job job = job::idle;
  std::uint16_t target = 0;  // a unit, or a field of ore
};
TICKREEL_DESCRIBE(task, job, target);
struct economy {
  std::int32_t ore = 200;
};
TICKREEL_DESCRIBE(economy, ore);
struct births {
  std::uint16_t next = 1;
};
TICKREEL_DESCRIBE(births, next);

// The players' commands. For train, `target` is the kind.
enum class action : std::uint8_t { harvest, attack, train };
struct command {
  rts::action action = action::harvest;
  std::uint16_t unit = 0, target = 0;
};
TICKREEL_DESCRIBE(command, action, unit, target);
struct given {
  std::uint32_t player = 0;
  rts::command command;
};

struct unit {
  position at;
  rts::body body;
  rts::task task;
};

class game {
 public:
  static constexpr std::size_t players = 4;
  static constexpr int map_size = 64;
  static constexpr std::size_t peak_units = 500;
  static constexpr std::uint64_t peace_ticks = 2400;
  std::map<std::uint16_t, unit> units;  // by number: the order in which they act
  std::array<economy, players> economies;
  std::array<std::int32_t, 16> ore{};  // the remaining ore of each field
  rts::births births;
  std::uint64_t random = 1;

  explicit game(std::uint64_t seed) : random(seed | 1) {
    ore.fill(2000);
    for (std::uint8_t player = 0; player < players; ++player) {
      add(kind::base, player);
      for (int i = 0; i < 4; ++i) add(kind::worker, player);
    }
  }

  void step(const std::vector<given>& commands) {
    for (const given& one : commands) obey(one);
    for (auto& [number, one] : units) act(one);
    std::erase_if(units, [](const auto& entry) { return entry.second.body.health <= 0; });
  }

  // All players follow the same rules in turn: harvest, train, and attack the nearest enemy with a large
  // army.
  [[nodiscard]] std::vector<given> bots(std::uint64_t tick) const {
    std::vector<given> out;
    if (tick % 3 != 0) return out;
    const auto player = static_cast<std::uint32_t>(tick / 3 % players);
    std::array<std::uint16_t, players> first{};  // each player's oldest unit
    std::size_t workers = 0;
    for (const auto& [number, one] : units) {
      if (first[one.body.owner] == 0) first[one.body.owner] = number;
      if (one.body.owner != player) continue;
      workers += one.body.kind == kind::worker;
    }
    std::uint16_t enemy = 0;
    for (std::size_t i = 1; i < players && enemy == 0; ++i) enemy = first[(player + i) % players];
    for (const auto& [number, one] : units) {
      if (one.body.owner != player || one.task.job != job::idle) continue;
      if (one.body.kind == kind::worker) {
        out.push_back({player, {action::harvest, number, std::uint16_t((number * 7u + tick) % ore.size())}});
      } else if (one.body.kind == kind::soldier && tick >= peace_ticks && enemy != 0) {
        out.push_back({player, {action::attack, number, enemy}});
      } else if (one.body.kind == kind::base) {
        const kind wanted = workers < 30 ? kind::worker : kind::soldier;
        out.push_back({player, {action::train, number, std::uint16_t(wanted)}});
      }
    }
    return out;
  }

  // FNV-1a over the whole state.
  [[nodiscard]] std::uint64_t hash() const {
    std::uint64_t value = 14695981039346656037u;
    const auto mix = [&](const auto& part) {
      for (const std::byte byte : tickreel::to_component_bytes(part)) {
        value = (value ^ std::to_integer<std::uint64_t>(byte)) * 1099511628211u;
      }
    };
    for (const auto& [number, one] : units) mix(number), mix(one.at), mix(one.body), mix(one.task);
    mix(economies), mix(ore), mix(births), mix(random);
    return value;
  }

 private:
  std::uint64_t dice(std::uint64_t sides) {  // xorshift64
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return random % sides;
  }
  static position home(unsigned player) {
    return {std::int16_t(player % 2 == 0 ? 4 : map_size - 4),
            std::int16_t(player / 2 == 0 ? 4 : map_size - 4)};
  }
  static position field(std::uint16_t number) {
    return {std::int16_t(8 + number % 4 * 16), std::int16_t(8 + number / 4 % 4 * 16)};
  }
  void add(rts::kind kind, std::uint8_t owner) {
    const std::int16_t health = kind == kind::base ? 600 : kind == kind::soldier ? 40 : 20;
    units[births.next++] = {home(owner), {kind, owner, health, 0}, {}};
  }

  void obey(const given& order) {
    const auto found = units.find(order.command.unit);
    if (found == units.end() || found->second.body.owner != order.player) return;
    unit& one = found->second;
    switch (order.command.action) {
      case action::harvest:
        one.task = {job::harvest, std::uint16_t(order.command.target % ore.size())};
        break;
      case action::attack:
        one.task = {job::attack, order.command.target};
        break;
      case action::train: {
        const std::int32_t price = order.command.target == std::uint16_t(kind::worker) ? 30 : 50;
        auto& money = economies[order.player].ore;
        if (one.body.kind != kind::base || money < price || units.size() >= peak_units) break;
        money -= price;
        add(price == 30 ? kind::worker : kind::soldier, one.body.owner);
      }
    }
  }

  // True if the unit has arrived.
  static bool walk(unit& one, position goal) {
    const auto nearer = [](std::int16_t from, std::int16_t to) {
      return std::int16_t(from + (to > from) - (to < from));
    };
    one.at = {nearer(one.at.x, goal.x), nearer(one.at.y, goal.y)};
    return std::abs(one.at.x - goal.x) <= 1 && std::abs(one.at.y - goal.y) <= 1;
  }

  void act(unit& one) {
    if (one.body.health <= 0) return;
    if (one.task.job == job::harvest) {
      std::int32_t& left = ore[one.task.target];
      if (one.body.cargo < 10 && left > 0) {
        if (!walk(one, field(one.task.target))) return;
        ++one.body.cargo;
        --left;
      } else if (walk(one, home(one.body.owner))) {
        economies[one.body.owner].ore += one.body.cargo;
        one.body.cargo = 0;
        if (left == 0) one.task = {};
      }
    } else if (one.task.job == job::attack) {
      const auto target = units.find(one.task.target);
      if (target == units.end()) {
        one.task = {};
      } else if (walk(one, target->second.at)) {
        target->second.body.health = std::int16_t(target->second.body.health - 1 - std::int16_t(dice(6)));
      }
    }
  }
};

}  // namespace rts
