// Encodes ticks as .butter in memory, as a recorder and publishing do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tickreel/butter/encoder.hpp"
#include "tickreel/butter/file.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::bench {

// Frames of whole chunks, not yet compressed.
struct encoded_match {
  std::uint16_t keyframe_interval_ticks = 0;
  std::size_t frames = 0;
  byte_vector header;
  std::vector<byte_vector> chunks;
};

// One chunk per `keyframe_interval_ticks` frames, as the format's own program cuts them.
[[nodiscard]] encoded_match encode_match(std::span<const echo::state> ticks,
                                         std::uint16_t keyframe_interval_ticks,
                                         const butter::encoder_options& options);

// The whole file. Ends the process with a message if it cannot be created.
[[nodiscard]] byte_vector butter_file(const encoded_match& match, butter::compression codec);

// Every frame of a file. Ends the process with a message if it cannot be read.
[[nodiscard]] std::vector<echo::state> read_butter_file(byte_span file);

}  // namespace tickreel::bench
