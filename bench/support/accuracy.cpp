#include "accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tickreel::bench {
namespace {

constexpr double degrees_per_radian = 180 / std::numbers::pi;

struct vector {
  double x, y, z;
};

vector of(const echo::vec3& v) {
  return {v.x, v.y, v.z};
}
double length(const vector& v) {
  return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}
double distance_mm(const echo::vec3& a, const echo::vec3& b) {
  const vector p = of(a), q = of(b);
  return 1000 * length({p.x - q.x, p.y - q.y, p.z - q.z});
}
vector cross_of_directions(const echo::vec3& a, const echo::vec3& b) {
  const vector p = of(a), q = of(b);
  const double scale = std::max(length(p) * length(q), 1e-30);
  return {(p.y * q.z - p.z * q.y) / scale, (p.z * q.x - p.x * q.z) / scale, (p.x * q.y - p.y * q.x) / scale};
}

// The axes were rounded and are not exactly orthogonal; the sum of their cross products is twice the sine of the angle times its
// axis and is insensitive to this, unlike the trace.
double rotation_deg(const echo::pose& a, const echo::pose& b) {
  const vector f = cross_of_directions(a.forward, b.forward);
  const vector l = cross_of_directions(a.left, b.left);
  const vector u = cross_of_directions(a.up, b.up);
  const double sine = length({f.x + l.x + u.x, f.y + l.y + u.y, f.z + l.z + u.z}) / 2;
  return std::asin(std::min(sine, 1.0)) * degrees_per_radian;
}

double rotation_deg(const echo::quat& a, const echo::quat& b) {
  const auto norm = [](const echo::quat& q) {
    return std::sqrt(double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w);
  };
  // The vector part of a * conjugate(b): the sine of half the angle.
  const vector part{double{a.x} * b.w - double{a.w} * b.x - double{a.y} * b.z + double{a.z} * b.y,
                    double{a.y} * b.w - double{a.w} * b.y - double{a.z} * b.x + double{a.x} * b.z,
                    double{a.z} * b.w - double{a.w} * b.z - double{a.x} * b.y + double{a.y} * b.x};
  const double sine = length(part) / std::max(norm(a) * norm(b), 1e-30);
  return 2 * std::asin(std::min(sine, 1.0)) * degrees_per_radian;
}

void add_pose(accuracy& to, const echo::pose& a, const echo::pose& b) {
  if ((a.fields & echo::pose::has_position) != 0) to.position_mm.add(distance_mm(a.position, b.position));
  constexpr unsigned axes = echo::pose::has_forward | echo::pose::has_left | echo::pose::has_up;
  if ((a.fields & axes) == axes) to.rotation_deg.add(rotation_deg(a, b));
}

const echo::player* same_player(const echo::player& wanted, const echo::state& in) {
  const auto end = in.players.begin() + in.match.player_count;
  const auto found = std::find_if(in.players.begin(), end,
                                  [&](const echo::player& each) { return each.userid == wanted.userid; });
  return found == end ? nullptr : &*found;
}

}  // namespace

void deviation::add(double value) noexcept {
  sum += value;
  max = std::max(max, value);
  ++count;
}

void deviation::add(const deviation& other) noexcept {
  sum += other.sum;
  max = std::max(max, other.max);
  count += other.count;
}

void accuracy::add(const accuracy& other) noexcept {
  position_mm.add(other.position_mm);
  rotation_deg.add(other.rotation_deg);
  disc_position_mm.add(other.disc_position_mm);
  bone_position_mm.add(other.bone_position_mm);
  bone_rotation_deg.add(other.bone_rotation_deg);
  unmatched += other.unmatched;
}

accuracy compare(const echo::state& recorded, const echo::state& read) {
  accuracy out;
  for (std::size_t i = 0; i < recorded.match.player_count; ++i) {
    const echo::player& a = recorded.players[i];
    const echo::player* const b = same_player(a, read);
    if (b == nullptr) {
      ++out.unmatched;
      continue;
    }
    add_pose(out, a.head, b->head);
    add_pose(out, a.body, b->body);
    add_pose(out, a.lhand, b->lhand);
    add_pose(out, a.rhand, b->rhand);
  }
  if ((recorded.match.disc.at.fields & echo::pose::has_position) != 0) {
    out.disc_position_mm.add(distance_mm(recorded.match.disc.at.position, read.match.disc.at.position));
  }
  const std::size_t bones = std::min(recorded.bone_player_count, read.bone_player_count);
  out.unmatched += std::max(recorded.bone_player_count, read.bone_player_count) - bones;
  for (std::size_t i = 0; i < bones; ++i) {
    const echo::bone_player& a = recorded.bone_players[i];
    const echo::bone_player& b = read.bone_players[i];
    for (std::size_t bone = 0; bone < echo::bone_count; ++bone) {
      out.bone_position_mm.add(distance_mm(a.positions[bone], b.positions[bone]));
      out.bone_rotation_deg.add(rotation_deg(a.rotations[bone], b.rotations[bone]));
    }
  }
  return out;
}

accuracy compare(std::span<const echo::state> recorded, std::span<const echo::state> read) {
  const std::size_t frames = std::min(recorded.size(), read.size());
  accuracy out;
  out.unmatched = std::max(recorded.size(), read.size()) - frames;
  for (std::size_t i = 0; i < frames; ++i) out.add(compare(recorded[i], read[i]));
  return out;
}

}  // namespace tickreel::bench
