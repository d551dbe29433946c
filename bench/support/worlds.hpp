// Workloads: worlds of described structs in arrays, 64 bytes per entity. The same on every machine and in every run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tickreel/describe/changes.hpp"
#include "tickreel/describe/describe.hpp"

namespace tickreel::bench {

struct placement {
  std::int32_t x = 0, y = 0, z = 0;
  std::int32_t dx = 0, dy = 0, dz = 0;
  std::uint16_t heading = 0, pitch = 0;
  std::uint32_t animation = 0;
};
TICKREEL_DESCRIBE(placement, x, y, z, dx, dy, dz, heading, pitch, animation);
struct condition {
  std::int32_t health = 100, shield = 0, energy = 0;
  std::uint32_t target = 0, owner = 0, order = 0, cooldown = 0, flags = 0;
};
TICKREEL_DESCRIBE(condition, health, shield, energy, target, owner, order, cooldown, flags);
static_assert(sizeof(placement) + sizeof(condition) == 64);

// Components by their numbers in a change_list.
inline constexpr unsigned placement_slot = 0;
inline constexpr unsigned condition_slot = 1;

struct world_options {
  std::string name = {};
  std::size_t entities = 0;
  std::size_t changed = 0;  // each tick, never the same twice
  std::uint32_t rate_hz = 0;
};

// An RTS of 500 and 10,000 units with 1 %, 10 % and 100 % changed per tick, a shooter of 128 players, a
// simulation of 100,000 entities.
[[nodiscard]] std::vector<world_options> all_worlds();

// The information in what a tick of such a world changes, in bytes: no coding is smaller on average. Without the state at
// the beginning, which a reader needs as well.
[[nodiscard]] double information_bytes(const world_options& of) noexcept;

// The copy that a recorder makes: a described struct.
template <std::size_t Entities>
struct world_state {
  static constexpr std::size_t count = Entities;
  std::array<placement, Entities> placements{};
  std::array<condition, Entities> conditions{};
};

class world {
 public:
  explicit world(const world_options& options);

  // The next tick: that many entities move, one in eight of them is also damaged. Replaces changes().
  void step() noexcept;

  [[nodiscard]] std::span<const placement> placements() const noexcept { return placements_; }
  [[nodiscard]] std::span<const condition> conditions() const noexcept { return conditions_; }
  [[nodiscard]] const change_list& changes() const noexcept { return changes_; }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return placements_.size() * (sizeof(placement) + sizeof(condition));
  }

  template <std::size_t Entities>
  void copy_to(world_state<Entities>& to) const noexcept {
    std::copy_n(placements_.begin(), Entities, to.placements.begin());
    std::copy_n(conditions_.begin(), Entities, to.conditions.begin());
  }

 private:
  std::uint64_t random() noexcept;

  std::vector<placement> placements_;
  std::vector<condition> conditions_;
  change_list changes_;
  std::size_t changed_;
  std::size_t next_ = 0;
  std::uint64_t seed_;
};

}  // namespace tickreel::bench

namespace tickreel {
template <std::size_t Entities>
struct described_as<bench::world_state<Entities>> {
  using world = bench::world_state<Entities>;
  static constexpr std::string_view name = "world";
  static constexpr auto fields = std::tuple(described_field{"placements", &world::placements},
                                            described_field{"conditions", &world::conditions});
};
}  // namespace tickreel
