// The types of a recording, as its metadata describe them, and how a game finds its own of today in them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/describe/recorded.hpp"
#include "tickreel/game/world_layout.hpp"
#include "tickreel/icrep/metadata.hpp"

namespace tickreel::game {

// Everything that the metadata say about components, player fields, singletons, orders and events.
[[nodiscard]] world_layout recorded_layout(const icrep::metadata& facts);

enum class type_list : std::uint8_t { components, player_fields, world, orders, events };
[[nodiscard]] std::string_view name(type_list list) noexcept;

// A type of the game, in a recording: by its described name; by its slot where several have that name.
struct recorded_type {
  bool is_recorded = false;
  std::uint32_t slot = 0;
  // Where nothing is known of the recorded values, bytes of the type's own size are taken as they are.
  layout_match match = {};
};

// What of a type of the game is not as it was recorded.
struct type_difference {
  type_list list = type_list::components;
  std::string type;
  bool is_recorded = false;                    // false: not at all
  std::vector<layout_difference> values = {};  // by name
};
// For people: "creature: mood was not recorded; health was recorded as u16 and is f32 now".
[[nodiscard]] std::string describe(const type_difference& one);

// Finds each type once; then a look costs a few comparisons. Any thread.
class recorded_types {
 public:
  explicit recorded_types(world_layout recorded) noexcept;
  ~recorded_types();
  recorded_types(const recorded_types&) = delete;
  recorded_types& operator=(const recorded_types&) = delete;

  [[nodiscard]] const world_layout& layout() const noexcept { return layout_; }
  // `slot`: where the game has it today.
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
  // A place of its own for each type.
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
