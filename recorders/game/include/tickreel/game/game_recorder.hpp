// Records a game's own structs into an .icrep file:
//
//   using world = game::world_types<game::components<position, health>, game::player_fields<economy>>;
//   auto recorder = game::game_recorder<world>::begin("match.icrep", about);
//   each tick:  recorder->tick(n, hash, [&](auto& keyframe) {
//                 for (const unit& u : units) keyframe.entity(u.tag, "tank").set(u.at).set(u.points);
//               });
//               recorder->order(player, type, bytes);
//   at last:    recorder->end({.outcome = ...});
//
// The visitor is called only when a keyframe is due. Thread, waiting and memory: as world_recorder.hpp says.
#pragma once

#include <chrono>
#include <utility>

#include "tickreel/describe/changes.hpp"
#include "tickreel/game/recorded_types.hpp"
#include "tickreel/game/save_last.hpp"
#include "tickreel/game/world_recorder.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::game {

// A component is a described struct. List those that change most first. Files identify it by its described
// name and its members by theirs, so types can change: see replay::differences().
template <class... Component>
struct components {};
// The same for a player's fields, and for singletons of the world.
template <class... Field>
struct player_fields {};
template <class... Singleton>
struct singletons {};

template <class Components, class PlayerFields = player_fields<>, class Singletons = singletons<>>
struct world_types;
template <class... Component, class... Field, class... Singleton>
struct world_types<components<Component...>, player_fields<Field...>, singletons<Singleton...>> {
  static_assert(sizeof...(Component) <= 64, "tickreel: at most 64 components");
  static_assert(sizeof...(Field) <= 32, "tickreel: at most 32 player fields");
  static_assert(sizeof...(Singleton) <= 63, "tickreel: at most 63 singletons");
  template <class T>
  static constexpr bool has_component = (std::is_same_v<T, Component> || ...);
  template <class T>
  static constexpr bool has_field = (std::is_same_v<T, Field> || ...);
  template <class T>
  static constexpr bool has_singleton = (std::is_same_v<T, Singleton> || ...);

  template <class T>
  [[nodiscard]] static consteval std::uint32_t component_slot() {
    static_assert(has_component<T>, "tickreel: this type is not one of the world's components");
    return place_of<T, Component...>();
  }
  template <class T>
  [[nodiscard]] static consteval std::uint32_t field_slot() {
    static_assert(has_field<T>, "tickreel: this type is not one of the world's player fields");
    return place_of<T, Field...>();
  }
  template <class T>
  [[nodiscard]] static consteval std::uint32_t singleton_slot() {
    static_assert(has_singleton<T>, "tickreel: this type is not one of the world's singletons");
    return 1 + place_of<T, Singleton...>();  // 0 is the random generator
  }

  // Compares each type with its recorded form.
  static void compare(const recorded_types& recorded, std::vector<type_difference>& out) {
    (recorded.compare<Component>(type_list::components, component_slot<Component>(), out), ...);
    (recorded.compare<Field>(type_list::player_fields, field_slot<Field>(), out), ...);
    (recorded.compare<Singleton>(type_list::world, singleton_slot<Singleton>(), out), ...);
  }
  [[nodiscard]] static world_layout layout() {
    world_layout out;
    (out.components.push_back(layout_of_slot<Component>(component_slot<Component>())), ...);
    (out.player_fields.push_back(layout_of_slot<Field>(field_slot<Field>())), ...);
    (out.world.push_back(layout_of_slot<Singleton>(singleton_slot<Singleton>())), ...);
    return out;
  }

 private:
  template <class T, class... List>
  static consteval std::uint32_t place_of() {
    std::uint32_t place = 0;
    (void)((std::is_same_v<T, List> ? true : (++place, false)) || ...);
    return place;
  }
  template <class T>
  static slot_layout layout_of_slot(std::uint32_t slot) {
    return {{slot, std::string(described_name<T>()), static_cast<std::uint32_t>(component_size<T>)},
            layout_of<T>()};
  }
};

// For games with an entity-component registry such as EnTT's: calls visit(entity, component...) for each
// entity that has all of Component. Accepts any registry whose view<...>().each() returns such rows; needs no
// header of it.
template <class... Component, class Registry, class Visit>
void for_each_in_registry(Registry& registry, Visit&& visit) {
  for (auto&& row : registry.template view<Component...>().each()) std::apply(visit, row);
}

template <class World>
class game_recorder {
 public:
  class entity_writer {
   public:
    template <class Component>
    entity_writer& set(const Component& value) noexcept {
      std::byte* const room =
          to_->component_room(World::template component_slot<Component>(), component_size<Component>);
      if (room != nullptr) tickreel::detail::put_component(room, value);
      return *this;
    }

   private:
    friend class game_recorder;
    explicit entity_writer(world_recorder& to) noexcept : to_(&to) {}
    world_recorder* to_;
  };
  class player_writer {
   public:
    template <class Field>
    player_writer& set(const Field& value) noexcept {
      const component_bytes<Field> bytes = to_component_bytes(value);
      to_->player_field(player_, World::template field_slot<Field>(), bytes);
      return *this;
    }

   private:
    friend class game_recorder;
    player_writer(world_recorder& to, std::uint32_t player) noexcept : to_(&to), player_(player) {}
    world_recorder* to_;
    std::uint32_t player_;
  };

  static result<game_recorder> begin(const file_path& path, const match& about,
                                     const match_options& options = {}) {
    auto begun = world_recorder::begin(path, about, World::layout(), options);
    if (!begun) return fail(begun.error());
    return game_recorder(std::move(*begun), path);
  }

  // world_recorder::tick(); calls describe(*this) when a keyframe is due. If it throws, the keyframe is
  // dropped and counted. It calls entity(), player(), cell() and the others to describe the world, all of it
  // if wants_whole_world().
  template <class Describe>
  result<void> tick(std::uint64_t number, std::uint64_t state_hash, Describe&& describe) {
    const auto due = to_.tick(number, state_hash);
    if (!due) return fail(due.error());
    if (!*due) return {};
    // A partial description must not become a complete keyframe.
    struct whole_or_nothing {
      world_recorder& to;
      bool described = false;
      ~whole_or_nothing() {
        if (!described) to.drop_keyframe();
      }
    } keyframe{to_};
    describe(*this);
    keyframe.described = true;
    return {};
  }
  // The same without a visitor: true if a keyframe is due.
  result<bool> tick(std::uint64_t number, std::uint64_t state_hash = 0) noexcept {
    return to_.tick(number, state_hash);
  }

  entity_writer entity(analysis::unit_tag tag, std::string_view archetype = {}) noexcept {
    to_.entity(tag, archetype);
    return entity_writer(to_);
  }
  void remove(analysis::unit_tag tag) noexcept { to_.remove(tag); }
  player_writer player(std::uint32_t id) noexcept { return player_writer(to_, id); }
  template <class Singleton>
  void world(const Singleton& value) noexcept {
    const component_bytes<Singleton> bytes = to_component_bytes(value);
    to_.singleton(World::template singleton_slot<Singleton>(), bytes);
  }
  void generator(byte_span random_state) noexcept { to_.generator(random_state); }
  void cell(icrep::cell_position at, std::string_view terrain, std::int32_t amount) noexcept {
    to_.cell(at, terrain, amount);
  }
  interned_text intern(std::string_view text) noexcept { return to_.intern(text); }

  result<void> order(std::uint32_t player, std::uint16_t type, byte_span payload,
                     std::uint32_t sub_tick_us = 0) noexcept {
    return to_.order(player, type, payload, sub_tick_us);
  }
  // An order that is a described struct: one struct per type, otherwise invalid_argument.
  template <class Order>
  requires described<Order>
  result<void> order(std::uint32_t player, std::uint16_t type, const Order& given,
                     std::uint32_t sub_tick_us = 0) noexcept {
    if (!to_.describe_order(type, &struct_key<Order>, described_name<Order>(),
                            static_cast<std::uint32_t>(component_size<Order>), &layout_of<Order>)) {
      return fail(error_code::invalid_argument, error::no_offset, "order type {} is another struct's", type);
    }
    const component_bytes<Order> bytes = to_component_bytes(given);
    return to_.order(player, type, bytes, sub_tick_us);
  }
  // A custom event of the game in the current tick: any described struct.
  template <class Event>
  requires(described<Event> && !std::is_constructible_v<analysis::event_data, const Event&>)
  bool event(const Event& happened) noexcept {
    const std::uint32_t number =
        to_.describe_event(&struct_key<Event>, described_name<Event>(),
                           static_cast<std::uint32_t>(component_size<Event>), &layout_of<Event>);
    const component_bytes<Event> bytes = to_component_bytes(happened);
    return to_.own_event(number, bytes);
  }
  bool event(analysis::event_data what) noexcept { return to_.event({std::move(what), false}); }

  bool voice_track(std::uint32_t player, bool consented) noexcept {
    return to_.voice_track(player, consented);
  }
  bool voice(std::uint32_t player, byte_span opus,
             const icrep::voice::target& to = icrep::order::to_all{}) noexcept {
    return to_.voice(player, opus, to);
  }

  [[nodiscard]] bool wants_whole_world() const noexcept { return to_.wants_whole_world(); }
  void changes_only(bool chosen) noexcept { to_.changes_only(chosen); }
  bool pump() noexcept { return to_.pump(); }
  result<end_report> end(const match_result& how = {}) noexcept { return to_.end(how); }
  // Saves the last part of the match as an .icrep: save_last.hpp. May be called from any thread during the
  // match.
  result<saved_match_part> save_last(std::chrono::milliseconds time, const file_path& output) const {
    return game::save_last(path_, time, output);
  }
  void drop_keyframe() noexcept { to_.drop_keyframe(); }
  [[nodiscard]] match_counters counters() const noexcept { return to_.counters(); }
  [[nodiscard]] std::optional<error> failure() const { return to_.failure(); }

 private:
  // A unique address per struct.
  template <class T>
  static inline char struct_key = 0;
  game_recorder(world_recorder to, file_path path) noexcept : to_(std::move(to)), path_(std::move(path)) {}
  world_recorder to_;
  file_path path_;
};

}  // namespace tickreel::game
