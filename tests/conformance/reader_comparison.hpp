// Compares the library's reader with the model, frame by frame.
#pragma once

#include <string>
#include <vector>

#include "butter_model.hpp"
#include "frame_compare.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::conformance {

// The frame of the library, converted to the model's types through the JSON that the library writes.
butter_model::frame model_frame_of(const echo::state& read, butter_model::frame_json_reader& json);

struct agreement {
  std::size_t frames = 0;               // that both read, and that are equal
  bool model_threw = false;             // after `frames` frames
  std::vector<std::string> complaints;  // empty if they agree
};

// Reads `file` with both. If the model throws, the library must report an error at the same frame. The library may read more in
// two cases: zstd chunks, and the complete frames of a truncated chunk.
agreement compare_readers(byte_span file);

}  // namespace tickreel::conformance
