// The types of a recording, as described in its metadata, and how they match the game's current types.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/describe/recorded.hpp"
#include "tickreel/game/world_layout.hpp"
#include "tickreel/icrep/metadata.hpp"

namespace tickreel::game {

// The layouts of components, player fields, singletons, orders and events in the metadata.
[[nodiscard]] world_layout recorded_layout(const icrep::metadata& facts);

enum class type_list : std::uint8_t { components, player_fields, world, orders, events };
[[nodiscard]] std::string_view name(type_list list) noexcept;

// A type of the game in a recording: matched by its described name, and by its slot if several have that
// name.
struct recorded_type {
  bool is_recorded = false;
  std::uint32_t slot = 0;
  // If the recorded values are not described, bytes of the type's own size are used unchanged.
  layout_match match = {};
};

// Differences between a current type and the recorded one.
struct type_difference {
  type_list list = type_list::components;
  std::string type;
  bool is_recorded = false;                    // false: missing
  std::vector<layout_difference> values = {};  // by name
};
// For users: "creature: mood was not recorded; health was recorded as u16 and is f32 now".
[[nodiscard]] std::string describe(const type_difference& one);

// Matches each type once; later lookups cost a few comparisons. Any thread.
class recorded_types {
 public:
  explicit recorded_types(world_layout recorded) noexcept;
  ~recorded_types();
  recorded_types(const recorded_types&) = delete;
  recorded_types& operator=(const recorded_types&) = delete;

  [[nodiscard]] const world_layout& layout() const noexcept { return layout_; }
  // `slot`: the current slot in the game.
  template <class T>
  [[nodiscard]] const recorded_type& find(type_list list, std::uint32_t slot) const {
    return find(list, &type_key<T>, described_name<T>(), slot, &layout_of<T>,
                static_cast<std::uint32_t>(component_size<T>));
  }
  template <class T>
  void compare(type_list list, std::uint32_t slot, std::vector<type_difference>& out) const {
    add_difference(list, described_name<T>(), find<T>(list, slot), out);
  }

 private:
  using layout_function = std::vector<value_layout> (*)();
  struct known_type;
  // A unique address per type.
  template <class T>
  static inline char type_key = 0;

  const recorded_type& find(type_list list, const void* key, std::string_view type, std::uint32_t slot,
                            layout_function values, std::uint32_t size_bytes) const;
  [[nodiscard]] const std::vector<slot_layout>& slots_of(type_list list) const noexcept;
  static void add_difference(type_list list, std::string_view type, const recorded_type& found,
                             std::vector<type_difference>& out);

  world_layout layout_;
  mutable std::atomic<known_type*> known_{nullptr};
};

}  // namespace tickreel::game
