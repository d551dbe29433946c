// What a .butter writer and reader can be told.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tickreel::butter {

// How far the value that a reader holds may be from the true one before a new difference is written, and how
// finely that difference is then written. Errors never add up: the writer knows what the reader holds.
//
// A value is off by at most the larger of its tolerance and half its step (in each direction, for a vector's
// step), in every frame but two: a keyframe writes positions as halves (1/64 m at 32 to 64 m), which the
// frame after it repairs; and a change of more than 2048 steps between two frames is a half's rounding off.
struct tolerances {
  // Head, body, hands, disc and headset.
  float position_m = 0.0001f;
  float position_step_m = 0x1p-13f;
  float rotation_deg = 0.35f;
  float velocity_mps = 0.01f;
  float velocity_step_mps = 0x1p-7f;
  // Steps are the format's: 1/4096 m, and 0.16 degrees around each axis.
  float bone_position_m = 0.0006f;
  float bone_rotation_deg = 0.35f;
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
};

}  // namespace tickreel::butter
