// One frame of the model: decodes bytes and the previous frame to a frame.
#pragma once

#include "butter_model.hpp"
#include "model_primitives.hpp"

namespace tickreel::butter_model {

// `before` is the last frame that was read, null if there is none. A keyframe ignores it. Returns whether the frame was a
// keyframe.
bool read_frame(const file_head& head, const frame* before, byte_source& in, frame& out);

// The part of a frame after the teams. `prev` is null at a keyframe.
void read_bones(std::uint8_t version, const frame* prev, byte_source& in, std::optional<bones>& out);

[[nodiscard]] inline bool bit(unsigned mask, int index) {
  return (mask >> index & 1u) != 0;
}

}  // namespace tickreel::butter_model
