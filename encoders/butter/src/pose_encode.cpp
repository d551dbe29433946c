#include <cstring>

#include "model.hpp"
#include "tables.hpp"

namespace tickreel::butter {
namespace {

using session = echo::session;

// The rotation of a pose's axes, not of unit length; all 0 or NaN where the axes make none. The same rotation
// as quaternion_from_basis() gives, with half the roots and divisions.
quaternion direction_of(const echo::vec3& forward, const echo::vec3& up) noexcept {
  const auto cross = [](const echo::vec3& a, const echo::vec3& b) {
    return echo::vec3{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  };
  const auto scaled = [](const echo::vec3& v, float by) { return echo::vec3{v.x * by, v.y * by, v.z * by}; };
  const echo::vec3 right = cross(up, forward);
  const echo::vec3 bent_up = cross(forward, right);
  const float forward_scale = 1.0f / std::sqrt(square(forward));
  const float right_scale = 1.0f / std::sqrt(square(right));
  const echo::vec3 f = scaled(forward, forward_scale);
  const echo::vec3 r = scaled(right, right_scale);
  const echo::vec3 v = scaled(bent_up, forward_scale * right_scale);
  const float trace = r.x + v.y + f.z;
  if (trace > 0) return {v.z - f.y, f.x - r.z, r.y - v.x, trace + 1};
  if (r.x >= v.y && r.x >= f.z) return {1 + r.x - v.y - f.z, r.y + v.x, r.z + f.x, v.z - f.y};
  if (v.y > f.z) return {v.x + r.y, 1 + v.y - r.x - f.z, f.y + v.z, f.x - r.z};
  return {f.x + r.z, f.y + v.z, 1 + f.z - r.x - v.y, r.y - v.x};
}

}  // namespace

encoder::model::steps encoder::model::steps_toward(const echo::vec3& wanted, const echo::vec3& held,
                                                   const step_rounding& rounding) noexcept {
  const echo::vec3 way = wanted - held;
  // Nearly always all three are within what whole steps tell.
  if (const float reach = rounding.step() * 2047.0f; square(way) < reach * reach) {
    const auto near = [&](float step) { return half_nearest(rounding.whole_steps(step) * rounding.step()); };
    return {near(way.x), near(way.y), near(way.z)};
  }
  // Farther than a half can tell is walked in several frames, to infinity not at all.
  if (!(square(way) <= half_max * half_max)) ++left_out.clamped_values;
  const auto half = [&](float step) { return std::isfinite(step) ? rounding.half(step) : std::uint16_t{0}; };
  return {half(way.x), half(way.y), half(way.z)};
}

void encoder::model::put_steps(const steps& taken, echo::vec3& held, byte_writer& out) noexcept {
  for (const std::uint16_t half : taken) out.u16(half);
  held.x = half_to_float(taken[0]) + held.x;
  held.y = half_to_float(taken[1]) + held.y;
  held.z = half_to_float(taken[2]) + held.z;
}

bool encoder::model::moves(const echo::vec3& wanted, const echo::vec3& held, float limit_square,
                           const step_rounding& rounding, steps& taken) noexcept {
  if (square(wanted - held) <= limit_square) return false;
  taken = steps_toward(wanted, held, rounding);
  return taken != steps{};
}

bool encoder::model::rotation_held(const echo::pose& wanted, held_pose& held, bool must_write,
                                   std::uint32_t& packed) noexcept {
  if (!must_write && wanted.forward == held.from_forward && wanted.up == held.from_up) return true;
  const quaternion direction = direction_of(wanted.forward, wanted.up);
  const float squares = dot(direction, direction);
  const bool sure = must_write || rotation_limit_.surely_beyond(held.from_forward, wanted.forward) ||
                    rotation_limit_.surely_beyond(held.from_up, wanted.up);
  if (!sure && rotation_limit_.within(dot(direction, codes_.unpack(held.rotation)), squares)) return true;
  held.from_forward = wanted.forward;
  held.from_up = wanted.up;
  if (squares > 0 && std::isfinite(squares)) {
    packed = pack_rotation(direction, squares);
  } else {
    // No direction: what is held is as good as anything, and a keyframe has the identity.
    if ((wanted.fields & (echo::pose::has_forward | echo::pose::has_up)) != 0) ++left_out.clamped_values;
    if (!must_write) return true;
    packed = identity_rotation;
  }
  held.rotation = packed;
  return false;
}

bool encoder::model::put_vr_player(const session& match, byte_writer& out) noexcept {
  const bool present = (match.fields & session::has_player) != 0;
  if (!keyframe_ && !present) return false;
  const echo::pose& wanted = match.vr.at;
  steps taken;
  const bool moved = moves(wanted.position, held_.vr.position, position_limit_, position_rounding_, taken);
  std::uint32_t packed = 0;
  // Position and rotation come together.
  if (rotation_held(wanted, held_.vr, keyframe_ || moved, packed)) return false;
  if (!moved) taken = steps_toward(wanted.position, held_.vr.position, position_rounding_);
  put_steps(taken, held_.vr.position, out);
  out.u32(packed);
  return true;
}

bool encoder::model::put_disc(const session& match, byte_writer& out) noexcept {
  if (table.mode() != echo::mode::arena || (match.fields & session::has_disc) == 0) return false;
  const echo::disc_state& disc = match.disc;
  steps taken;
  steps sped_up;
  const bool moved = moves(disc.at.position, held_.disc.position, position_limit_, position_rounding_, taken);
  const bool faster = moves(disc.velocity, held_.disc_velocity, velocity_limit_, velocity_rounding_, sped_up);
  std::uint32_t packed = 0;
  if (rotation_held(disc.at, held_.disc, keyframe_ || moved || faster, packed)) return false;
  if (!moved) taken = steps_toward(disc.at.position, held_.disc.position, position_rounding_);
  if (!faster) sped_up = steps_toward(disc.velocity, held_.disc_velocity, velocity_rounding_);
  held_.has_disc = true;
  put_steps(taken, held_.disc.position, out);
  out.u32(packed);
  put_steps(sped_up, held_.disc_velocity, out);
  return true;
}

void encoder::model::put_poses(const echo::player& player, const held_player* base, held_player& held,
                               byte_writer& out) noexcept {
  const mutable_byte_span mask_place = out.reserve(1);
  const echo::pose* const wanted[4] = {&player.head, &player.body, &player.lhand, &player.rhand};
  const bool fresh = base == nullptr;
  unsigned mask = 0;
  for (unsigned i = 0; i < 4; ++i) {
    held_pose& part = held.poses[i];
    part = fresh ? held_pose{} : base->poses[i];
    if (!fresh && wanted[i]->fields == 0) continue;
    steps taken{};
    if (moves(wanted[i]->position, part.position, position_limit_, position_rounding_, taken) || fresh) {
      mask |= 1u << (2 * i);
      put_steps(taken, part.position, out);
    }
    std::uint32_t packed = 0;
    if (!rotation_held(*wanted[i], part, fresh, packed)) {
      mask |= 2u << (2 * i);
      out.u32(packed);
    }
  }
  if (!mask_place.empty()) mask_place[0] = static_cast<std::byte>(mask);
}

}  // namespace tickreel::butter
