// Decompresses concatenated zstd frames piece by piece, in bounded memory.
#pragma once

#include <cstddef>
#include <memory>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

// For streams that do not fit into memory; decompressor handles whole chunks. One thread at a time.
class zstd_stream {
 public:
  // Frames whose window is larger than 2^`largest_window_log` bytes are rejected before memory is allocated
  // for them. unsupported_codec if the build lacks zstd.
  static result<zstd_stream> create(int largest_window_log);

  zstd_stream(zstd_stream&&) noexcept;
  zstd_stream& operator=(zstd_stream&&) noexcept;
  ~zstd_stream();

  struct step {
    std::size_t consumed = 0;  // of the input
    std::size_t produced = 0;  // of the room
    bool frame_ended = false;  // a frame, which may be a skippable one, ended there and its checksum is valid
  };
  // Decompresses until the input is used, the room is full or a frame ends. over_limit for a window that is
  // too large, invalid_argument for a frame that needs a dictionary, checksum_mismatch, corrupt_compression.
  // After an error only reset() is allowed.
  result<step> decode(byte_span input, mutable_byte_span room);

  // The next byte begins a frame.
  void reset() noexcept;

 private:
  struct state;
  explicit zstd_stream(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel
