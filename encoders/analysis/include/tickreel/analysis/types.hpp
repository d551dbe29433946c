// What analysis events and simulation snapshots are made of.
//
// Every struct that formats write names its fields once, in fields(): visit(name, member) for each in order.
// Printers, serialisers and comparisons are written against that and know no struct by name.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace tickreel::analysis {

// Who a unit is: a place in the simulation's table, and how often that place was given anew.
struct unit_tag {
  std::uint16_t index = 0;
  std::uint16_t generation = 0;

  static constexpr void fields(auto& self, auto&& visit) {
    visit("index", self.index);
    visit("generation", self.generation);
  }
  friend constexpr auto operator<=>(const unit_tag&, const unit_tag&) = default;
};

// In the simulation's own fixed-point units.
struct world_position {
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::int32_t z = 0;

  static constexpr void fields(auto& self, auto&& visit) {
    visit("x", self.x);
    visit("y", self.y);
    visit("z", self.z);
  }
  friend constexpr bool operator==(const world_position&, const world_position&) = default;
};

// A type with fields().
template <class T>
concept described = requires(T& value) {
  T::fields(value, [](std::string_view, auto&) {});
};

}  // namespace tickreel::analysis
