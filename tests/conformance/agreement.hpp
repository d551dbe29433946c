// The library's reader against the model, frame by frame.
#pragma once

#include <string>
#include <vector>

#include "butter_model.hpp"
#include "frame_compare.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::conformance {

// What the library read, in the model's terms: by way of the JSON that the library writes for it.
butter_model::frame model_frame_of(const echo::state& read, butter_model::frame_json_reader& json);

struct agreement {
  std::size_t frames = 0;               // that both read, alike
  bool model_threw = false;             // after `frames` frames
  std::vector<std::string> complaints;  // empty when they agree
};

// Reads `file` with both. Where the model throws, the library must report an error at the same frame. It may
// do more in two cases: it reads zstd chunks, and the whole frames of a chunk that is cut.
agreement compare_readers(byte_span file);

}  // namespace tickreel::conformance
