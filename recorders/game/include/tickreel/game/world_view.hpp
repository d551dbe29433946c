// A recorded state through the game's own types. If the recording has other versions of them, values are
// matched by name and kind; missing and changed values are those of a default struct.
#pragma once

#include <optional>
#include <string_view>

#include "tickreel/describe/component.hpp"
#include "tickreel/game/recorded_types.hpp"
#include "tickreel/icrep/schema.hpp"
#include "tickreel/icrep/snapshot.hpp"

namespace tickreel::game {

// A view of a snapshot; all arguments must outlive it. `World` is the game's world_types.
class world_view {
 public:
  // Without `types` the match was recorded with the current types.
  world_view(const icrep::sim_snapshot& state, const icrep::slot_table& slots,
             const recorded_types* types = nullptr) noexcept
      : state_(&state), slots_(&slots), types_(types) {}

  [[nodiscard]] const icrep::sim_snapshot& state() const noexcept { return *state_; }
  // The recorded archetype of the entity; empty if there is none.
  [[nodiscard]] std::string_view archetype(const icrep::entity_snapshot& entity) const noexcept;

  // The bytes of a slot; empty if it does not exist.
  [[nodiscard]] byte_span component(const icrep::entity_snapshot& entity, std::uint32_t slot) const noexcept;
  [[nodiscard]] byte_span player_field(const icrep::player_state& player, std::uint32_t slot) const noexcept;
  [[nodiscard]] byte_span singleton(std::uint32_t slot) const noexcept;

  // The same as the game's own types; empty if it does not exist or its bytes are invalid.
  // replay::differences() lists types and values that differ from the recorded ones.
  template <class World, class Component>
  [[nodiscard]] std::optional<Component> get(const icrep::entity_snapshot& entity) const {
    return typed<Component>(type_list::components, World::template component_slot<Component>(),
                            [&](std::uint32_t slot) { return component(entity, slot); });
  }
  template <class World, class Field>
  [[nodiscard]] std::optional<Field> get(const icrep::player_state& player) const {
    return typed<Field>(type_list::player_fields, World::template field_slot<Field>(),
                        [&](std::uint32_t slot) { return player_field(player, slot); });
  }
  template <class World, class Singleton>
  [[nodiscard]] std::optional<Singleton> get() const {
    return typed<Singleton>(type_list::world, World::template singleton_slot<Singleton>(),
                            [&](std::uint32_t slot) { return singleton(slot); });
  }

 private:
  template <class T, class BytesOf>
  std::optional<T> typed(type_list list, std::uint32_t slot, BytesOf&& bytes_of) const {
    static const recorded_type as_it_is{true, 0, {}};
    const recorded_type& found = types_ != nullptr ? types_->template find<T>(list, slot) : as_it_is;
    if (!found.is_recorded) return std::nullopt;
    const byte_span bytes = bytes_of(types_ != nullptr ? found.slot : slot);
    if (bytes.empty()) return std::nullopt;
    auto value = read_component<T>(bytes, found.match);
    return value ? std::optional<T>(*value) : std::nullopt;
  }
  const icrep::sim_snapshot* state_;
  const icrep::slot_table* slots_;
  const recorded_types* types_;
};

}  // namespace tickreel::game
