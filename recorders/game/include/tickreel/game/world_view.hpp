// A recorded state, with the game's own types for its bytes.
#pragma once

#include <optional>
#include <string_view>

#include "tickreel/describe/component.hpp"
#include "tickreel/icrep/schema.hpp"
#include "tickreel/icrep/snapshot.hpp"

namespace tickreel::game {

// Looks into a snapshot; both must outlive it. `World` is the world_types that the match was recorded with.
class world_view {
 public:
  world_view(const icrep::sim_snapshot& state, const icrep::slot_table& slots) noexcept
      : state_(&state), slots_(&slots) {}

  [[nodiscard]] const icrep::sim_snapshot& state() const noexcept { return *state_; }
  // The name that the entity was recorded with; empty when there is none.
  [[nodiscard]] std::string_view archetype(const icrep::entity_snapshot& entity) const noexcept;

  // One slot's bytes; empty when it is not there.
  [[nodiscard]] byte_span component(const icrep::entity_snapshot& entity, std::uint32_t slot) const noexcept;
  [[nodiscard]] byte_span player_field(const icrep::player_state& player, std::uint32_t slot) const noexcept;
  [[nodiscard]] byte_span singleton(std::uint32_t slot) const noexcept;

  // The same as the game's own types; nothing when it is not there or not what the type says.
  template <class World, class Component>
  [[nodiscard]] std::optional<Component> get(const icrep::entity_snapshot& entity) const {
    return typed<Component>(component(entity, World::template component_slot<Component>()));
  }
  template <class World, class Field>
  [[nodiscard]] std::optional<Field> get(const icrep::player_state& player) const {
    return typed<Field>(player_field(player, World::template field_slot<Field>()));
  }
  template <class World, class Singleton>
  [[nodiscard]] std::optional<Singleton> get() const {
    return typed<Singleton>(singleton(World::template singleton_slot<Singleton>()));
  }

 private:
  template <class T>
  static std::optional<T> typed(byte_span bytes) {
    if (bytes.empty()) return std::nullopt;
    auto value = read_component<T>(bytes);
    return value ? std::optional<T>(*value) : std::nullopt;
  }
  const icrep::sim_snapshot* state_;
  const icrep::slot_table* slots_;
};

}  // namespace tickreel::game
