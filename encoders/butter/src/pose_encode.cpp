#include "model.hpp"
#include "pose_group.hpp"
#include "tables.hpp"

namespace tickreel::butter {
namespace {

using session = echo::session;

constexpr unsigned headset = 0;  // places in held_frame::things
constexpr unsigned disc = 1;

bool has(unsigned mask, unsigned which) noexcept {
  return (mask >> which & 1u) != 0;
}

// It has axes, and they make no rotation.
bool is_aimless(const pose_steps& way, unsigned which, const echo::pose& wanted) noexcept {
  return has(way.aimless, which) && (wanted.fields & (echo::pose::has_forward | echo::pose::has_up)) != 0;
}

}  // namespace

encoder::model::steps encoder::model::steps_toward(const echo::vec3& wanted, const echo::vec3& held,
                                                   const step_rounding& rounding) noexcept {
  const echo::vec3 way = wanted - held;
  // Farther than a half can tell is walked in several frames, to infinity not at all.
  if (!(square(way) <= half_max * half_max)) {
    ++left_out.clamped_values;
    const auto half = [&](float step) {
      return std::isfinite(step) ? rounding.half(step) : std::uint16_t{0};
    };
    return {half(way.x), half(way.y), half(way.z)};
  }
  using lanes = native_lanes;
  const std::array<float, 4> ways{way.x, way.y, way.z, 0.0f};
  std::array<std::uint32_t, 4> halves;
  const lane_rounding<lanes> rounded(rounding);
  lanes::store(halves.data(), rounded.halves(rounded.tellable(lanes::load(ways.data()))));
  return {static_cast<std::uint16_t>(halves[0]), static_cast<std::uint16_t>(halves[1]),
          static_cast<std::uint16_t>(halves[2])};
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
  return (taken[0] | taken[1] | taken[2]) != 0;
}

void encoder::model::measure(const std::array<const echo::pose*, 4>& wanted, const held_poses& held,
                             pose_steps& out) noexcept {
  pose_group<native_lanes>::measure(wanted, held, position_rounding_, pose_limits_, out);
  out.moved |= out.unreachable;
}

void encoder::model::put_position(const pose_steps& way, unsigned which, const echo::vec3& wanted,
                                  held_poses& held, byte_writer& out) noexcept {
  if (has(way.unreachable, which)) {
    echo::vec3 reached{held.x[which], held.y[which], held.z[which]};
    put_steps(steps_toward(wanted, reached, position_rounding_), reached, out);
    held.x[which] = reached.x;
    held.y[which] = reached.y;
    held.z[which] = reached.z;
    return;
  }
  out.u32(way.halves[0][which] | way.halves[1][which] << 16);
  out.u16(static_cast<std::uint16_t>(way.halves[2][which]));
  held.x[which] = way.reached[0][which];
  held.y[which] = way.reached[1][which];
  held.z[which] = way.reached[2][which];
}

void encoder::model::put_rotation(const pose_steps& way, unsigned which, bool first, held_poses& held,
                                  byte_writer& out) noexcept {
  if (!has(way.aimless, which)) {
    held.rotation[which] = way.packed[which];
  } else if (first) {
    // Later, what is held is as good as anything.
    held.rotation[which] = identity_rotation;
  }
  out.u32(held.rotation[which]);
}

bool encoder::model::put_vr_player(const session& match, byte_writer& out) noexcept {
  const bool present = (match.fields & session::has_player) != 0;
  if (is_aimless(things_, headset, match.vr.at)) ++left_out.clamped_values;
  // Position and rotation come together.
  if (!keyframe_ && !(present && has(things_.moved | things_.turned, headset))) return false;
  put_position(things_, headset, match.vr.at.position, held_.things, out);
  put_rotation(things_, headset, keyframe_, held_.things, out);
  return true;
}

bool encoder::model::put_disc(const session& match, byte_writer& out) noexcept {
  if (table.mode() != echo::mode::arena || (match.fields & session::has_disc) == 0) return false;
  const echo::disc_state& wanted = match.disc;
  if (is_aimless(things_, disc, wanted.at)) ++left_out.clamped_values;
  steps sped_up;
  const bool faster =
      moves(wanted.velocity, held_.disc_velocity, velocity_limit_, velocity_rounding_, sped_up);
  if (!keyframe_ && !faster && !has(things_.moved | things_.turned, disc)) return false;
  if (!faster) sped_up = steps_toward(wanted.velocity, held_.disc_velocity, velocity_rounding_);
  put_position(things_, disc, wanted.at.position, held_.things, out);
  put_rotation(things_, disc, !held_.has_disc, held_.things, out);
  put_steps(sped_up, held_.disc_velocity, out);
  held_.has_disc = true;
  return true;
}

void encoder::model::put_poses(const echo::player& player, const held_player* base, held_player& held,
                               byte_writer& out) noexcept {
  const mutable_byte_span mask_place = out.reserve(1);
  const std::array<const echo::pose*, 4> wanted = {&player.head, &player.body, &player.lhand, &player.rhand};
  const bool fresh = base == nullptr;
  held.poses = fresh ? held_poses{} : base->poses;
  pose_steps way;
  measure(wanted, held.poses, way);
  unsigned mask = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if (!fresh && wanted[i]->fields == 0) continue;
    if (fresh || has(way.moved, i)) {
      mask |= 1u << (2 * i);
      put_position(way, i, wanted[i]->position, held.poses, out);
    }
    if (fresh || has(way.turned, i)) {
      mask |= 2u << (2 * i);
      put_rotation(way, i, fresh, held.poses, out);
    }
    if (is_aimless(way, i, *wanted[i])) ++left_out.clamped_values;
  }
  if (!mask_place.empty()) mask_place[0] = static_cast<std::byte>(mask);
}

}  // namespace tickreel::butter
