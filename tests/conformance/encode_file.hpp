// Encodes matches as .butter files, through the library's public interface only.
#pragma once

#include <span>
#include <vector>

#include "tickreel/butter/encoder.hpp"
#include "tickreel/butter/file.hpp"
#include "tickreel/codec/codec.hpp"

namespace tickreel::conformance {

struct encode_plan {
  butter::encoder_options options = {};
  std::uint16_t keyframe_interval_ticks = 300;  // also the frames per chunk
  codec_options codec = {.codec = codec_id::none, .level = 0, .dictionary = {}};
};

struct encoded_file {
  byte_vector bytes;
  std::size_t first_state = 0;
  std::size_t state_count = 0;
  butter::omissions left_out;
};

// One file, or several if the encoder requests a new one. A chunk begins at every scheduled keyframe. Throws std::runtime_error
// if the library reports an error.
std::vector<encoded_file> encode(std::span<const echo::state> states, const encode_plan& plan);

}  // namespace tickreel::conformance
