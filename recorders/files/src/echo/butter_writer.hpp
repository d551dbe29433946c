// Writes .butter files chunk by chunk, although the head, which comes first, is complete only at the end.
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

// Stores compressed chunks in a temporary file beside the output until finish() receives the head. Without
// finish(), the destructor removes the file. Memory: one chunk.
class butter_writer {
 public:
  // already_exists if the output exists and `overwrite` is false; unsupported_codec for a codec that .butter
  // does not support.
  static result<butter_writer> create(const file_path& output, bool overwrite, butter::compression codec,
                                      std::uint32_t keyframe_interval_ticks);

  // A keyframe with all frames up to the next keyframe. Short groups share a chunk of up to the interval.
  result<void> add_group(byte_span frames, std::uint32_t frame_count, bool starts_with_keyframe);
  // Frames that become a separate chunk.
  result<void> add_chunk(byte_span frames);
  // A compressed chunk, copied from a file with the same codec.
  result<void> add_stored_chunk(byte_span stored);

  // `header` is the output of butter::encoder::write_header. An empty interval writes the longest run of
  // frames without a keyframe into the head. Returns the size of the file. malformed if the output cannot be
  // opened again; it is then deleted.
  result<std::uint64_t> finish(byte_span header,
                               std::optional<std::uint16_t> keyframe_interval_ticks = std::nullopt);

 private:
  butter_writer(published_file output, published_file chunks, compressor codec, butter::compression name)
      : output_(std::move(output)), chunks_(std::move(chunks)), compressor_(std::move(codec)), name_(name) {}
  result<void> seal();

  published_file output_;
  published_file chunks_;  // temporary, never committed
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
