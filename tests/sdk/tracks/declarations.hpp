// Declarations of columns, as a recording program makes them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "tickreel/tracks/shape.hpp"

namespace tickreel::tracks {

inline declaration made(relation kind, std::array<std::uint32_t, max_references> of) noexcept {
  declaration out;
  out.kind = kind;
  out.of = of;
  return out;
}

inline declaration decimals(int places) noexcept {
  declaration out;
  out.decimals = static_cast<std::int8_t>(std::clamp(places, -2, 127));
  return out;
}

inline declaration tolerance(double largest_error) noexcept {
  declaration out;
  out.tolerance = largest_error;
  return out;
}

inline declaration same_as(std::uint32_t other) noexcept {
  return made(relation::same_as, {other});
}

inline declaration relative_to(std::uint32_t other) noexcept {
  return made(relation::relative_to, {other});
}

inline declaration integral_of(std::uint32_t velocity, std::uint32_t ticks_per_second) noexcept {
  declaration out = made(relation::integral_of, {velocity});
  out.ticks_per_second = ticks_per_second;
  return out;
}

inline declaration unit_vector(std::uint32_t first, std::uint32_t second) noexcept {
  return made(relation::unit_vector, {first, second});
}

// The three columns of `f` are a unit vector, those of `u` one at a right angle to it, and those of `left` are
// cross(u, f).
inline void declare_rotation(shape& of, std::array<std::uint32_t, 3> f, std::array<std::uint32_t, 3> u,
                             std::array<std::uint32_t, 3> left) noexcept {
  const auto declare = [&](std::uint32_t which, relation kind,
                           std::array<std::uint32_t, max_references> refers) {
    if (which >= of.columns.size()) return;
    of.columns[which].declared.kind = kind;
    of.columns[which].declared.of = refers;
  };
  declare(f[2], relation::unit_vector, {f[0], f[1]});
  declare(u[1], relation::orthogonal_second, {f[0], f[1], f[2], u[0]});
  declare(u[2], relation::orthogonal_third, {f[0], f[1], f[2], u[0], u[1]});
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t a = (axis + 1) % 3;
    const std::size_t b = (axis + 2) % 3;
    declare(left[axis], relation::cross, {u[a], u[b], f[a], f[b]});
  }
}

}  // namespace tickreel::tracks
