// One frame of the model: bytes and the frame before -> frame.
#pragma once

#include "butter_model.hpp"
#include "model_primitives.hpp"

namespace tickreel::butter_model {

// `before` is the last frame that was read, null when there is none. A keyframe forgets it.
// Returns whether the frame was a keyframe.
bool read_frame(const file_head& head, const frame* before, byte_source& in, frame& out);

}  // namespace tickreel::butter_model
