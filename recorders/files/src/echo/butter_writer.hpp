// Writes .butter files chunk by chunk, although their head, which comes first, is known last.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tickreel/butter/file.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

// Compressed chunks wait in a file beside the output until finish() knows the head. Destroyed without
// finish(), nothing is left behind. Memory: one chunk.
class butter_writer {
 public:
  // already_exists when the output is there and `overwrite` is false; unsupported_codec for what .butter
  // cannot name.
  static result<butter_writer> create(const file_path& output, bool overwrite, butter::compression codec,
                                      std::uint32_t keyframe_interval_ticks);

  // A keyframe with the frames up to the next one. Short groups share a chunk of up to the interval.
  result<void> add_group(byte_span frames, std::uint32_t frame_count, bool starts_with_keyframe);
  // Frames that shall be a chunk of their own.
  result<void> add_chunk(byte_span frames);
  // A chunk as it stands in another file of the same compression.
  result<void> add_stored_chunk(byte_span stored);

  // `header` as butter::encoder::write_header gives it. An empty interval writes the longest run of frames
  // without a keyframe, which is what readers are told. Returns the size of the file. What could not be
  // opened again is not kept: malformed.
  result<std::uint64_t> finish(byte_span header,
                               std::optional<std::uint16_t> keyframe_interval_ticks = std::nullopt);

 private:
  butter_writer(published_file output, published_file chunks, compressor codec, butter::compression name)
      : output_(std::move(output)), chunks_(std::move(chunks)), compressor_(std::move(codec)), name_(name) {}
  result<void> seal();

  published_file output_;
  published_file chunks_;  // never committed
  compressor compressor_;
  butter::compression name_;
  std::uint32_t target_frames_ = 0;
  std::uint32_t longest_run_ = 0;
  byte_vector raw_;
  std::uint32_t raw_frames_ = 0;
  byte_vector stored_;
  std::vector<std::uint32_t> sizes_;
};

}  // namespace tickreel::files
