#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

#include "tickreel/samp_rec/edit.hpp"

namespace tickreel::samp_rec {

namespace {

// In double precision, so that moving there and back is lossless.
vector3 moved(vector3 from, vector3 by, double sign = 1) noexcept {
  const auto sum = [sign](float a, float b) {
    return static_cast<float>(static_cast<double>(a) + sign * static_cast<double>(b));
  };
  return {sum(from.x, by.x), sum(from.y, by.y), sum(from.z, by.z)};
}

// Relative to the pivot in double precision; only the result is rounded.
vector3 turned(vector3 position, double degrees, vector3 pivot) noexcept {
  const double angle = degrees * std::numbers::pi / 180, cosine = std::cos(angle), sine = std::sin(angle);
  const auto px = static_cast<double>(pivot.x), py = static_cast<double>(pivot.y);
  const double x = static_cast<double>(position.x) - px, y = static_cast<double>(position.y) - py;
  return {static_cast<float>(px + x * cosine - y * sine), static_cast<float>(py + x * sine + y * cosine),
          position.z};
}

std::uint16_t swapped(std::uint16_t keys, key a, key b) noexcept {
  std::uint16_t out = keys & static_cast<std::uint16_t>(~(a | b));
  if (holds(keys, a)) out = out | b;
  if (holds(keys, b)) out = out | a;
  return out;
}

std::int16_t negated(std::int16_t axis) noexcept {
  return static_cast<std::int16_t>(-axis);
}

template <class Block, class Change>
void each(std::span<Block> blocks, Change&& change) noexcept {
  for (Block& block : blocks) change(block);
}

}  // namespace

template <block_type Block>
void shift(Block& block, vector3 by_m) noexcept {
  block.position_m = moved(block.position_m, by_m);
}

template <block_type Block>
void shift_time(Block& block, std::int64_t by_ms) noexcept {
  constexpr std::int64_t latest = std::numeric_limits<std::uint32_t>::max();
  const std::int64_t within = std::clamp(by_ms, -latest, latest);
  block.time_ms =
      static_cast<std::uint32_t>(std::clamp(std::int64_t{block.time_ms} + within, std::int64_t{0}, latest));
}

template <block_type Block>
void rotate_about_z(Block& block, double degrees, vector3 pivot_m) noexcept {
  const double turn = turn_degrees(0, degrees);
  if (turn == 0) return;
  block.position_m = turned(block.position_m, turn, pivot_m);
  block.velocity_m_per_20ms = rotated_about_z(block.velocity_m_per_20ms, turn);
  block.rotation = block.rotation * from_heading_degrees(turn);
}

template <block_type Block>
void mirror(Block& block, double plane_heading_degrees, vector3 pivot_m) noexcept {
  // Turned so that the plane runs north, mirrored there, turned back.
  const double turn = turn_degrees(0, plane_heading_degrees);
  if (turn != 0) rotate_about_z(block, -turn, pivot_m);
  block.position_m.x =
      static_cast<float>(2 * static_cast<double>(pivot_m.x) - static_cast<double>(block.position_m.x));
  block.velocity_m_per_20ms.x = -block.velocity_m_per_20ms.x;
  block.rotation.y = -block.rotation.y;
  block.rotation.z = -block.rotation.z;
  if (turn != 0) rotate_about_z(block, turn, pivot_m);
  block.left_right = negated(block.left_right);
  block.keys = swapped(block.keys, key::look_left, key::look_right);
  block.keys = swapped(block.keys, key::analogue_left, key::analogue_right);
  if constexpr (std::is_same_v<Block, on_foot_block>) block.surf_offset_m.x = -block.surf_offset_m.x;
}

template <block_type Block>
void shift(std::span<Block> blocks, vector3 by_m) noexcept {
  each(blocks, [&](Block& block) { shift(block, by_m); });
}
template <block_type Block>
void shift_time(std::span<Block> blocks, std::int64_t by_ms) noexcept {
  each(blocks, [&](Block& block) { shift_time(block, by_ms); });
}
template <block_type Block>
void rotate_about_z(std::span<Block> blocks, double degrees, vector3 pivot_m) noexcept {
  each(blocks, [&](Block& block) { rotate_about_z(block, degrees, pivot_m); });
}
template <block_type Block>
void mirror(std::span<Block> blocks, double plane_heading_degrees, vector3 pivot_m) noexcept {
  each(blocks, [&](Block& block) { mirror(block, plane_heading_degrees, pivot_m); });
}

template <block_type Block>
void rebase(std::span<Block> blocks, vector3 start_m, double heading) noexcept {
  if (blocks.empty()) return;
  const vector3 pivot = blocks.front().position_m;
  const double turn = turn_degrees(heading_degrees(blocks.front().rotation), heading);
  const vector3 by = moved(start_m, pivot, -1);
  for (Block& block : blocks) {
    rotate_about_z(block, turn, pivot);
    shift(block, by);
  }
}

template void shift(vehicle_block&, vector3) noexcept;
template void shift(on_foot_block&, vector3) noexcept;
template void shift_time(vehicle_block&, std::int64_t) noexcept;
template void shift_time(on_foot_block&, std::int64_t) noexcept;
template void rotate_about_z(vehicle_block&, double, vector3) noexcept;
template void rotate_about_z(on_foot_block&, double, vector3) noexcept;
template void mirror(vehicle_block&, double, vector3) noexcept;
template void mirror(on_foot_block&, double, vector3) noexcept;
template void shift(std::span<vehicle_block>, vector3) noexcept;
template void shift(std::span<on_foot_block>, vector3) noexcept;
template void shift_time(std::span<vehicle_block>, std::int64_t) noexcept;
template void shift_time(std::span<on_foot_block>, std::int64_t) noexcept;
template void rotate_about_z(std::span<vehicle_block>, double, vector3) noexcept;
template void rotate_about_z(std::span<on_foot_block>, double, vector3) noexcept;
template void mirror(std::span<vehicle_block>, double, vector3) noexcept;
template void mirror(std::span<on_foot_block>, double, vector3) noexcept;
template void rebase(std::span<vehicle_block>, vector3, double) noexcept;
template void rebase(std::span<on_foot_block>, vector3, double) noexcept;

}  // namespace tickreel::samp_rec
