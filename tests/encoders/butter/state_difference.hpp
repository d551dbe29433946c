// Computes the differences of two states.
#pragma once

#include <algorithm>
#include <cmath>

#include "tickreel/echo/state.hpp"

namespace tickreel::test {

class error_sum {
 public:
  void add(double value) {
    sum_ += value;
    most_ = std::isnan(value) ? value : std::max(most_, value);
    ++count_;
  }
  [[nodiscard]] double mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }
  [[nodiscard]] double most() const { return most_; }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  double sum_ = 0;
  double most_ = 0;
  std::size_t count_ = 0;
};

inline double distance(const echo::vec3& a, const echo::vec3& b) {
  return std::hypot(double{a.x} - b.x, double{a.y} - b.y, double{a.z} - b.z);
}

inline double degrees(double cosine) {
  return std::acos(std::min(1.0, cosine)) * (180 / 3.14159265358979323846);
}

inline double angle(const echo::vec3& a, const echo::vec3& b) {
  const double dot = double{a.x} * b.x + double{a.y} * b.y + double{a.z} * b.z;
  return degrees(dot / (distance(a, {}) * distance(b, {})));
}

// The larger of the angles of the two axes.
inline double angle(const echo::pose& a, const echo::pose& b) {
  return std::max(angle(a.forward, b.forward), angle(a.up, b.up));
}

inline double angle(const echo::quat& a, const echo::quat& b) {
  const auto length = [](const echo::quat& q) {
    return std::sqrt(double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w);
  };
  const double dot = double{a.x} * b.x + double{a.y} * b.y + double{a.z} * b.z + double{a.w} * b.w;
  return 2 * degrees(std::fabs(dot) / (length(a) * length(b)));
}

struct closeness {
  error_sum position_m, pose_degrees, velocity_mps, disc_m, bone_m, bone_degrees;

  void add(const echo::state& wanted, const echo::state& got) {
    for (std::size_t i = 0; i < std::min(wanted.match.player_count, got.match.player_count); ++i) {
      const echo::player& a = wanted.players[i];
      const echo::player& b = got.players[i];
      for (const auto part :
           {&echo::player::head, &echo::player::body, &echo::player::lhand, &echo::player::rhand}) {
        position_m.add(distance((a.*part).position, (b.*part).position));
        pose_degrees.add(angle(a.*part, b.*part));
      }
      velocity_mps.add(distance(a.velocity, b.velocity));
    }
    if ((wanted.match.fields & echo::session::has_disc) != 0) {
      disc_m.add(distance(wanted.match.disc.at.position, got.match.disc.at.position));
    }
    for (std::size_t i = 0; i < std::min(wanted.bone_player_count, got.bone_player_count); ++i) {
      for (std::size_t j = 0; j < echo::bone_count; ++j) {
        bone_m.add(distance(wanted.bone_players[i].positions[j], got.bone_players[i].positions[j]));
        bone_degrees.add(angle(wanted.bone_players[i].rotations[j], got.bone_players[i].rotations[j]));
      }
    }
  }
};

}  // namespace tickreel::test
