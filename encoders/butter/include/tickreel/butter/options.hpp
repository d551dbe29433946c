// What a .butter writer and reader can be told.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tickreel::butter {

// How far the value that a reader holds may be from the true one before a new difference is written.
// Errors never add up: the writer knows what the reader holds.
struct tolerances {
  float position_m = 0.0005f;
  float rotation_deg = 0.35f;
  float velocity_mps = 0.01f;
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
