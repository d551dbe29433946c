#include "skeleton.hpp"

namespace tickreel::echo_vr {

namespace {

struct bone {
  vec3 rest;      // metres from the body
  float travel;   // metres
  float bending;  // half the angle in radians, roughly
  quat turned;    // need not be of unit length
};

// Trunk and head, left arm with two fingers, right arm, left leg, right leg.
constexpr bone bones[echo::bone_count] = {
    {{0.0f, 0.0f, 0.0f}, 0.01f, 0.02f, {0.0f, 0.0f, 0.0f, 1.0f}},
    {{0.0f, -0.08f, 0.0f}, 0.02f, 0.05f, {0.1f, 0.0f, 0.0f, 1.0f}},
    {{0.0f, 0.10f, -0.01f}, 0.02f, 0.05f, {-0.1f, 0.0f, 0.1f, 1.0f}},
    {{0.0f, 0.22f, -0.01f}, 0.02f, 0.06f, {0.0f, 0.1f, 0.1f, 1.0f}},
    {{0.0f, 0.34f, 0.0f}, 0.03f, 0.06f, {0.1f, 0.1f, 0.0f, 1.0f}},
    {{0.0f, 0.48f, 0.02f}, 0.03f, 0.10f, {0.2f, 0.0f, 0.0f, 1.0f}},
    {{0.0f, 0.60f, 0.04f}, 0.04f, 0.20f, {0.1f, 0.0f, 0.1f, 1.0f}},
    {{0.08f, 0.45f, 0.0f}, 0.02f, 0.06f, {0.0f, 0.0f, 0.7f, 0.7f}},
    {{0.19f, 0.44f, 0.0f}, 0.04f, 0.25f, {0.3f, 0.2f, 0.6f, 0.7f}},
    {{0.27f, 0.22f, 0.08f}, 0.12f, 0.30f, {0.5f, 0.1f, 0.4f, 0.7f}},
    {{0.32f, 0.05f, 0.22f}, 0.20f, 0.30f, {0.6f, 0.2f, 0.3f, 0.6f}},
    {{0.30f, 0.02f, 0.27f}, 0.21f, 0.10f, {0.4f, 0.5f, 0.3f, 0.6f}},
    {{0.33f, 0.01f, 0.31f}, 0.21f, 0.15f, {0.6f, 0.3f, 0.4f, 0.5f}},
    {{-0.08f, 0.45f, 0.0f}, 0.02f, 0.06f, {0.0f, 0.0f, -0.7f, 0.7f}},
    {{-0.19f, 0.44f, 0.0f}, 0.04f, 0.25f, {0.3f, -0.2f, -0.6f, 0.7f}},
    {{-0.27f, 0.22f, 0.08f}, 0.12f, 0.30f, {0.5f, -0.1f, -0.4f, 0.7f}},
    {{-0.32f, 0.05f, 0.22f}, 0.20f, 0.30f, {0.6f, -0.2f, -0.3f, 0.6f}},
    {{-0.30f, 0.02f, 0.27f}, 0.21f, 0.10f, {0.4f, -0.5f, -0.3f, 0.6f}},
    {{-0.33f, 0.01f, 0.31f}, 0.21f, 0.15f, {0.6f, -0.3f, -0.4f, 0.5f}},
    {{0.10f, -0.14f, 0.0f}, 0.04f, 0.20f, {0.9f, 0.0f, 0.1f, 0.2f}},
    {{0.12f, -0.80f, -0.05f}, 0.15f, 0.25f, {0.8f, 0.1f, 0.1f, 0.4f}},
    {{-0.10f, -0.14f, 0.0f}, 0.04f, 0.20f, {0.9f, 0.0f, -0.1f, 0.2f}},
    {{-0.12f, -0.80f, -0.05f}, 0.15f, 0.25f, {0.8f, -0.1f, -0.1f, 0.4f}},
};

constexpr quat product(const quat& a, const quat& b) noexcept {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

quat normalised(const quat& q) noexcept {
  const float factor = 1.0f / std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {q.x * factor, q.y * factor, q.z * factor, q.w * factor};
}

}  // namespace

void pose_skeleton(const turn (&sway)[6], echo::bone_player& out) noexcept {
  for (std::size_t i = 0; i < echo::bone_count; ++i) {
    const bone& b = bones[i];
    // Neighbours move alike: a bone lags its parent a little.
    const turn lag = static_cast<turn>(i) * 0x0a000000u;
    const vec3 moved{sine(sway[0] + lag), sine(sway[1] - lag), sine(sway[2] + lag)};
    out.positions[i] = b.rest + moved * b.travel;
    const quat bent{sine(sway[3] + lag) * b.bending, sine(sway[4] - lag) * b.bending,
                    sine(sway[5] + lag) * b.bending, 1.0f};
    out.rotations[i] = normalised(product(b.turned, bent));
  }
}

}  // namespace tickreel::echo_vr
