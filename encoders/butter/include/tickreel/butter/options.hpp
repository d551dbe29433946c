// What a .butter writer and reader can be told.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tickreel::butter {

// How far the value that a reader holds may be from the true one before a new difference is written, and how
// finely that difference is then written. Errors never add up: the writer knows what the reader holds.
//
// Each component of a difference is rounded to whole steps, and to an even number of them where that errs by
// no more than the limit of even steps: bytes with fewer different values compress better. So each component
// that was written is off by at most that many steps, and a vector that was not by at most its tolerance. Two
// exceptions, both the format's: a keyframe stores positions as halves (off by up to 1/64 m at 32 to 64 m),
// which the next frame repairs; and a change of more than 2048 steps within one frame is as exact as a half
// is.
//
// As given, heads, bodies, hands and the disc are off by 0.05 mm on average between keyframes, and by less
// than 0.1 mm with them where everybody is within 64 m and they are 75 frames apart or more. Rotations, of
// bones too, are off by less than 0.1 degrees on average. Bones' places are on the format's grid, which alone
// is off by 0.12 mm on average.
struct tolerances {
  // Head, body, hands, disc and headset.
  float position_m = 0.0001f;
  float position_step_m = 0x1p-14f;  // a power of two
  float velocity_mps = 0.01f;
  float velocity_step_mps = 0x1p-7f;  // a power of two
  float even_steps_limit = 0.7f;      // of positions and velocities; 0.5 to 1
  float rotation_deg = 0.2f;  // what is written is as exact as the format: 0.28 at worst, 0.09 on average
  float bone_position_m = 0.0005f;
  float bone_position_step_m = 0x1p-12f;  // a power of two, at least 1/4096: the format's own grid
  float bone_even_steps_limit = 0.9f;     // 0.5 to 1
  float bone_rotation_deg = 0.19f;
  // Rotations have three components in steps of 0.16 degrees. How many of a bone's, from the last, are
  // rounded to even codes where that errs by no more than `even_codes_limit` steps.
  unsigned bone_rotation_coarse_axes = 1;
  float even_codes_limit = 0.85f;  // 0.5 to 1
  // Of players and teams; the whole numbers beside it are exact. What is written is as exact as a half is:
  // for a player that of the difference, for a team that of the time itself.
  float possession_time_s = 0.01f;
  // A player's packet loss, from 0 to 1.
  float packet_loss = 0x1p-15f;
  // How far ahead in the direction of motion bones and the rotations of players are written, as a share of
  // their tolerance, from 0 to less than 1. What is ahead serves more ticks, so fewer bytes are written, at a
  // larger mean error; it is always within the tolerance of the tick it is written in.
  float lead = 0;
};

// For fewer bytes: after the keyframe's repair every position is within 2 mm, every rotation within 0.5
// degrees, every velocity within 0.35 m/s and every possession time within half a second.
inline constexpr tolerances small_profile{
    .position_m = 0.00199f,
    .position_step_m = 0x1p-10f,
    .velocity_mps = 0.35f,
    .velocity_step_mps = 0x1p-4f,
    .even_steps_limit = 1.0f,
    .rotation_deg = 0.498f,
    .bone_position_m = 0.00199f,
    .bone_position_step_m = 0x1p-10f,
    .bone_even_steps_limit = 1.0f,
    .bone_rotation_deg = 0.498f,
    .bone_rotation_coarse_axes = 3,
    .even_codes_limit = 1.0f,
    .possession_time_s = 0.5f,
    .lead = 0.7f,
};

struct encoder_options {
  tolerances hold = {};
  bool bones = true;
};

// Bounds that a reader enforces before it takes memory; more than any real file, less than any trouble.
struct reader_limits {
  std::size_t max_chunks = 1u << 20;
  std::size_t max_chunk_bytes = 256u << 20;  // decompressed
};

struct reader_options {
  reader_limits limits = {};
  // Undo the known writer's defects where the file holds the information (docs/formats/butter.md).
  bool repair = false;
  // False: ticks come without skeletons, which is faster; what is wrong in these is not looked for then.
  bool bones = true;
};

}  // namespace tickreel::butter
