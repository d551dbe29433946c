// Options of .butter writers and readers.
#pragma once

#include <cstddef>

namespace tickreel::butter {

// The permitted error of the reader's value before a new difference is written, and the precision of that
// difference. Errors never accumulate: the writer knows the reader's value.
//
// Each component of a difference is rounded to whole steps, and to an even number of them if that error is within
// the limit of even steps: bytes with fewer different values compress better. So the error of each written
// component is at most that many steps, and that of a vector that was not written at most its tolerance. There are
// two exceptions of the format: a keyframe stores positions as halves (error of up to 1/64 m at 32 to 64 m),
// which the next frame corrects; and a change of more than 2048 steps within one frame is as exact as a half.
//
// With the defaults, the mean error of heads, bodies, hands and the disc is 0.05 mm between keyframes, and below
// 0.1 mm including keyframes, if all players are within 64 m and keyframes are at least 75 frames apart. The mean
// error of rotations, also of bones, is below 0.1 degrees. Positions of bones are on the format's grid, which
// alone has a mean error of 0.12 mm.
struct tolerances {
  // Head, body, hands, disc and headset.
  float position_m = 0.0001f;
  float position_step_m = 0x1p-14f;  // a power of two
  float velocity_mps = 0.01f;
  float velocity_step_mps = 0x1p-7f;  // a power of two
  float even_steps_limit = 0.7f;      // of positions and velocities; 0.5 to 1
  float rotation_deg = 0.2f;  // written values are as exact as the format: 0.28 at worst, 0.09 on average
  float bone_position_m = 0.0005f;
  float bone_position_step_m = 0x1p-12f;  // a power of two, at least 1/4096: the format's own grid
  float bone_even_steps_limit = 0.9f;     // 0.5 to 1
  float bone_rotation_deg = 0.19f;
  // Rotations have three components in steps of 0.16 degrees. The number of a bone's components, from the
  // last, that are rounded to even codes if that error is at most `even_codes_limit` steps.
  unsigned bone_rotation_coarse_axes = 1;
  float even_codes_limit = 0.85f;  // 0.5 to 1
  // Of players and teams; the whole numbers beside it are exact. A written value is as exact as a half: of
  // the difference for a player, of the time itself for a team.
  float possession_time_s = 0.01f;
  // A player's packet loss, from 0 to 1.
  float packet_loss = 0x1p-15f;
  // How far ahead in the direction of motion bones and the rotations of players are written, as a share of
  // their tolerance, from 0 to less than 1. Such a value serves more ticks, so fewer bytes are written, with
  // a larger mean error; it is always within the tolerance of the tick it is written in.
  float lead = 0;
};

// For fewer bytes: after the frame that follows a keyframe every position is within 2 mm, every rotation
// within 0.5 degrees, every velocity within 0.35 m/s and every possession time within half a second.
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

// Limits that a reader checks before it allocates memory; larger than any real file.
struct reader_limits {
  std::size_t max_chunks = 1u << 20;
  std::size_t max_chunk_bytes = 256u << 20;  // decompressed
};

struct reader_options {
  reader_limits limits = {};
  // Reverses the known writer's defects where the file contains the information (docs/formats/butter.md).
  bool repair = false;
  // False: ticks have no skeletons, which is faster; errors in skeletons are not detected then.
  bool bones = true;
};

}  // namespace tickreel::butter
