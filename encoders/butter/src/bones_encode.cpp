#include "bone_grid.hpp"
#include "model.hpp"
#include "tickreel/bytes/varint.hpp"

namespace tickreel::butter {
namespace {

// Codes of the grid from `held` to `wanted`.
std::int32_t grid_codes(float wanted, float held, const step_rounding& rounding) noexcept {
  const float way = wanted - held;
  if (way >= bone_grid::highest) return bone_grid::last_code;
  if (!(way > bone_grid::lowest)) return way < 0 ? bone_grid::first_code : 0;
  constexpr auto codes_per_metre = static_cast<float>(1 / bone_grid::step);
  return static_cast<std::int32_t>(rounding.whole_steps(way) * rounding.step() * codes_per_metre);
}

void write_mask(mutable_byte_span place, std::uint32_t mask) noexcept {
  for (std::size_t i = 0; i < place.size(); ++i) place[i] = static_cast<std::byte>(mask >> (8 * i));
}

// wanted * conjugate(held)
quaternion turn_between(const echo::quat& wanted, const echo::quat& held) noexcept {
  return {held.w * wanted.x - wanted.w * held.x - (wanted.y * held.z - wanted.z * held.y),
          held.w * wanted.y - wanted.w * held.y - (wanted.z * held.x - wanted.x * held.z),
          held.w * wanted.z - wanted.w * held.z - (wanted.x * held.y - wanted.y * held.x),
          wanted.w * held.w + wanted.x * held.x + wanted.y * held.y + wanted.z * held.z};
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

void encoder::model::encode_bone_player(const echo::bone_player& wanted, bool has_base,
                                        echo::bone_player& held, byte_writer& out) noexcept {
  if (!has_base) held = {};
  const mutable_byte_span position_mask = out.reserve(3);
  const mutable_byte_span rotation_mask = out.reserve(3);
  std::uint32_t mask = 0;
  for (std::size_t i = 0; i < echo::bone_count; ++i) {
    const echo::vec3& target = wanted.positions[i];
    echo::vec3& value = held.positions[i];
    if (square(target - value) <= bone_position_limit_) continue;
    const std::int32_t codes[3] = {grid_codes(target.x, value.x, bone_rounding_),
                                   grid_codes(target.y, value.y, bone_rounding_),
                                   grid_codes(target.z, value.z, bone_rounding_)};
    if ((codes[0] | codes[1] | codes[2]) == 0) continue;
    mask |= 1u << i;
    for (const std::int32_t code : codes) write_prefix_varint(out, zigzag_encode(code));
    value.x += bone_grid::decode(codes[0]);
    value.y += bone_grid::decode(codes[1]);
    value.z += bone_grid::decode(codes[2]);
  }
  write_mask(position_mask, mask);

  mask = 0;
  // Turns repeat from frame to frame and gain from coarser codes; whole rotations, after a keyframe, do not.
  const unsigned coarse_axes = has_base ? options.hold.bone_rotation_coarse_axes : 0;
  for (std::size_t i = 0; i < echo::bone_count; ++i) {
    const echo::quat& target = wanted.rotations[i];
    echo::quat& value = held.rotations[i];
    const quaternion turn = turn_between(target, value);
    const float squares = dot(turn, turn);
    if (bone_rotation_limit_.within(turn[3], squares)) continue;
    if (!(squares > 0) || !std::isfinite(squares)) {
      ++left_out.clamped_values;
      continue;
    }
    const std::uint32_t packed = pack_rotation(turn, squares, coarse_axes, options.hold.even_codes_limit);
    mask |= 1u << i;
    out.u32(packed);
    const quaternion step = codes_.unpack(packed);
    value = product({step[0], step[1], step[2], step[3]}, value);
  }
  write_mask(rotation_mask, mask);
}

}  // namespace tickreel::butter
