#include "bone_group.hpp"
#include "model.hpp"
#include "tickreel/bytes/varint.hpp"

namespace tickreel::butter {
namespace {

void write_mask(mutable_byte_span place, std::uint32_t mask) noexcept {
  for (std::size_t i = 0; i < place.size(); ++i) place[i] = static_cast<std::byte>(mask >> (8 * i));
}

std::uint32_t zigzag(std::uint32_t code) noexcept {
  return code << 1 ^ (0u - (code >> 31));
}

void write_codes(const std::uint32_t* codes, byte_writer& out) noexcept {
  const std::uint32_t x = zigzag(codes[0]);
  const std::uint32_t y = zigzag(codes[1]);
  const std::uint32_t z = zigzag(codes[2]);
  // Nearly always each is a single byte.
  if (std::max(x, std::max(y, z)) <= 240) {
    const std::array<std::byte, 3> short_ones{static_cast<std::byte>(x), static_cast<std::byte>(y),
                                              static_cast<std::byte>(z)};
    out.bytes(short_ones);
    return;
  }
  write_prefix_varint(out, x);
  write_prefix_varint(out, y);
  write_prefix_varint(out, z);
}

}  // namespace

void encoder::model::encode_bones(const echo::state& next, byte_writer& out) noexcept {
  if (!options.bones || next.bones != echo::bones_kind::present) {
    out.u8(0);
    held_.has_bones = false;
    return;
  }
  const std::size_t count = std::min<std::size_t>(next.bone_player_count, echo::max_players);
  const bool has_base = held_.has_bones;
  held_.has_bones = true;
  held_.bone_player_count = static_cast<std::uint8_t>(count);
  out.u8(static_cast<std::uint8_t>(1u | count << 1));
  for (std::size_t i = 0; i < count; ++i) encode_bone_player(next.bone_players[i], has_base, bones_[i], out);
}

void encoder::model::encode_bone_player(const echo::bone_player& wanted, bool has_base, held_bones& held,
                                        byte_writer& out) noexcept {
  if (!has_base) held.clear();
  const mutable_byte_span position_mask = out.reserve(3);
  const mutable_byte_span rotation_mask = out.reserve(3);
  bone_steps way;
  bone_group<native_lanes>::walk(wanted, held, bone_rounding_, way);
  std::uint32_t mask = 0;
  for (std::size_t i = 0; i < echo::bone_count; ++i) {
    const float* const squares = &way.distance_squares[3 * i];
    if (squares[0] + squares[1] + squares[2] <= bone_position_limit_) continue;
    const std::uint32_t* const codes = &way.codes[3 * i];
    if ((codes[0] | codes[1] | codes[2]) == 0) continue;
    mask |= 1u << i;
    write_codes(codes, out);
    for (std::size_t axis = 3 * i; axis < 3 * i + 3; ++axis) held.positions[axis] = way.reached[axis];
  }
  write_mask(position_mask, mask);

  // Turns repeat from frame to frame and gain from coarser codes; whole rotations, after a keyframe, do not.
  const unsigned coarse_axes = has_base ? options.hold.bone_rotation_coarse_axes : 0;
  bone_group<native_lanes>::turn(
      wanted, held, {bone_rotation_limit_.sine_square(), coarse_axes, options.hold.even_codes_limit}, way);
  left_out.clamped_values += static_cast<std::uint64_t>(std::popcount(way.aimless));
  write_mask(rotation_mask, way.turned);
  for (std::uint32_t rest = way.turned; rest != 0; rest &= rest - 1) {
    out.u32(way.packed[static_cast<std::size_t>(std::countr_zero(rest))]);
  }
}

}  // namespace tickreel::butter
