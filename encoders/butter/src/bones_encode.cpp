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

// Three zig-zag prefix varints for each bone of the mask.
void write_codes(const bone_steps& way, std::uint32_t mask, byte_writer& out) noexcept {
  std::array<std::uint32_t, 3 * bone_places> words;
  std::uint32_t longest = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = zigzag(way.codes[i]);
    longest |= words[i];
  }
  if (longest >= 128) {
    for (; mask != 0; mask &= mask - 1) {
      const std::size_t first = 3 * static_cast<std::size_t>(std::countr_zero(mask));
      for (std::size_t i = first; i < first + 3; ++i) write_prefix_varint(out, words[i]);
    }
    return;
  }
  // Nearly always each is a byte. Those of bones that stay are overwritten by the next ones.
  std::array<std::byte, 3 * (echo::bone_count + 1)> bytes;
  std::size_t size = 0;
  for (std::size_t i = 0; i < echo::bone_count; ++i) {
    bytes[size] = static_cast<std::byte>(words[3 * i]);
    bytes[size + 1] = static_cast<std::byte>(words[3 * i + 1]);
    bytes[size + 2] = static_cast<std::byte>(words[3 * i + 2]);
    size += 3 * (mask >> i & 1u);
  }
  out.bytes(std::span(bytes).first(size));
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
  if (seen_ == nullptr) {
    for (std::size_t i = 0; i < count; ++i) {
      encode_bone_player(next.bone_players[i], has_base, nullptr, bones_[i], out);
    }
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    echo::bone_player& before = seen_->bones[i];
    encode_bone_player(next.bone_players[i], has_base, has_base ? &before : nullptr, bones_[i], out);
    before = next.bone_players[i];
  }
}

void encoder::model::encode_bone_player(const echo::bone_player& wanted, bool has_base,
                                        const echo::bone_player* before, held_bones& held,
                                        byte_writer& out) noexcept {
  if (!has_base) held.clear();
  const mutable_byte_span position_mask = out.reserve(3);
  const mutable_byte_span rotation_mask = out.reserve(3);
  bone_steps way;
  kernels_.walk_bones(wanted, held, bone_rounding_, way);
  if (before != nullptr) walk_ahead(wanted, *before, held, way);
  std::uint32_t mask = 0;
  for (std::size_t i = 0; i < echo::bone_count; ++i) {
    const std::size_t x = 3 * i;
    const float square = way.distance_squares[x] + way.distance_squares[x + 1] + way.distance_squares[x + 2];
    const bool moves = !(square <= bone_position_limit_);
    const bool goes = (way.codes[x] | way.codes[x + 1] | way.codes[x + 2]) != 0;
    const bool written = moves & goes;
    mask |= static_cast<std::uint32_t>(written) << i;
    for (std::size_t axis = x; axis < x + 3; ++axis) {
      held.positions[axis] = written ? way.reached[axis] : held.positions[axis];
    }
  }
  write_mask(position_mask, mask);
  write_codes(way, mask, out);

  // Turns repeat from frame to frame and gain from coarser codes; whole rotations, after a keyframe, do not.
  const unsigned coarse_axes = has_base ? options.hold.bone_rotation_coarse_axes : 0;
  const bone_limits limits{bone_rotation_limit_.sine_square(), coarse_axes, options.hold.even_codes_limit};
  if (before != nullptr) {
    kernels_.turn_bones_ahead(wanted, *before, bone_rotation_lead_, held, limits, way);
  } else {
    kernels_.turn_bones(wanted, held, limits, way);
  }
  left_out.clamped_values += static_cast<std::uint64_t>(std::popcount(way.aimless));
  write_mask(rotation_mask, way.turned);
  for (std::uint32_t rest = way.turned; rest != 0; rest &= rest - 1) {
    out.u32(way.packed[static_cast<std::size_t>(std::countr_zero(rest))]);
  }
}

void encoder::model::walk_ahead(const echo::bone_player& wanted, const echo::bone_player& before,
                                const held_bones& held, bone_steps& way) const noexcept {
  echo::bone_player target = wanted;
  for (std::size_t i = 0; i < echo::bone_count; ++i) {
    target.positions[i] = bone_position_lead_.ahead(wanted.positions[i], before.positions[i]);
  }
  bone_steps led;
  kernels_.walk_bones(target, held, bone_rounding_, led);
  for (std::size_t i = 0; i < echo::bone_count; ++i) {
    const std::size_t x = 3 * i;
    const echo::vec3 reached{led.reached[x], led.reached[x + 1], led.reached[x + 2]};
    const bool within = square(reached - wanted.positions[i]) <= bone_position_limit_;
    for (std::size_t axis = x; axis < x + 3; ++axis) {
      way.codes[axis] = within ? led.codes[axis] : way.codes[axis];
      way.reached[axis] = within ? led.reached[axis] : way.reached[axis];
    }
  }
}

}  // namespace tickreel::butter
