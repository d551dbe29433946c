// Reads a whole .butter file, and writes its head.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tickreel/butter/options.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/echo/state.hpp"
#include "tickreel/result.hpp"

namespace tickreel::butter {

// The compression byte.
enum class compression : std::uint8_t {
  none = 0,
  gzip = 1,
  zstd_3 = 2,
  zstd_7 = 3,
  zstd_15 = 4,
  zstd_22 = 5,
  zstd_7_dict = 6
};

// The codec and level of a compression byte, and the byte for a codec and level (the nearest level that the
// format can express; readers ignore the level).
[[nodiscard]] codec_options codec_of(compression value) noexcept;
[[nodiscard]] result<compression> compression_for(const codec_options& options) noexcept;

struct player_entry {
  std::string name;
  std::int64_t userid = 0;
  std::uint8_t number = 0;
  std::uint8_t level = 0;
};

struct file_header {
  std::uint8_t version = 3;
  std::uint16_t keyframe_interval_ticks = 300;
  compression codec = compression::gzip;
  std::string client_name;
  std::string session_id;  // 8-4-4-4-12, upper case
  std::string session_ip;
  std::vector<player_entry> players;
  std::uint8_t total_round_count = 0;
  std::uint8_t blue_round_score = 0;
  std::uint8_t orange_round_score = 0;
  bool private_match = false;
  std::string map_name;
};

// Combines an encoder's header and compressed chunks into a file's head; the chunks follow it unchanged.
// `header` is the output of encoder::write_header(); malformed otherwise.
result<byte_vector> encode_head(byte_span header, std::uint16_t keyframe_interval_ticks, compression codec,
                                std::span<const std::uint32_t> stored_chunk_sizes);

// The reader's position.
struct frame_position {
  std::size_t chunk = 0;
  std::uint64_t chunk_offset = 0;  // of the chunk in the file
  std::uint64_t frame_offset = 0;  // of the frame in the decompressed chunk
  std::uint32_t frame_bytes = 0;
  bool keyframe = false;
};

// A file that is read in pieces.
class file_pieces {
 public:
  virtual ~file_pieces() = default;
  // The `count` bytes at `offset`, fewer at the end of the file; valid until the next call.
  virtual result<byte_span> read(std::uint64_t offset, std::size_t count) = 0;
  // Whether `out` was set to the content of a chunk that is already decompressed: all of it, from valid
  // bytes.
  virtual bool unpacked(std::size_t chunk, byte_vector& out) {
    (void)chunk;
    (void)out;
    return false;
  }
};

// Reads versions 1, 2 and 3 frame by frame, like the format's own decoder (reader_options::repair: better).
// The bytes must outlive the reader. Memory: one chunk, stored and decompressed. One thread at a time.
class reader {
 public:
  // truncated, unsupported_version, malformed, over_limit with an offset for a bad head or chunk table.
  static result<reader> open(byte_span file, const reader_options& options = {});
  // `head` is the beginning of the file, at least up to its first chunk: truncated otherwise. `rest` must
  // outlive the reader; next() returns its errors.
  static result<reader> open(byte_span head, std::uint64_t file_bytes, file_pieces& rest,
                             const reader_options& options = {});

  reader(reader&&) noexcept;
  reader& operator=(reader&&) noexcept;
  ~reader();

  [[nodiscard]] const file_header& head() const noexcept;
  [[nodiscard]] std::size_t chunk_count() const noexcept;
  // Stored size and file offset of a chunk.
  [[nodiscard]] std::uint32_t chunk_bytes(std::size_t chunk) const noexcept;
  [[nodiscard]] std::uint64_t chunk_offset(std::size_t chunk) const noexcept;

  // Decodes the next frame into `out`. False at the end of the file. An error contains the file offset of the
  // chunk and the offset inside it; all frames before it are valid, and the reader stays there.
  result<bool> next(echo::state& out);
  // The same without returning the frame, to reach a later one.
  result<bool> skip();
  // The current frame of next() or skip(); valid until the next call.
  [[nodiscard]] const echo::state& frame() const noexcept;

  // reader_options::bones from the next seek_chunk() on.
  void set_bones(bool wanted) noexcept;

  // Continues with the first frame of `chunk`, which must begin with a keyframe for the frames to be correct.
  // The chunk opened last is not decompressed again.
  result<void> seek_chunk(std::size_t chunk);

  // The keyframe at the start of a chunk, decompressing only that part; null if there is none without damage.
  // Fails if the file cannot be read. Does not affect next(). Valid until the next call.
  [[nodiscard]] result<const echo::state*> first_frame(std::size_t chunk);

  // Of the last frame of next().
  [[nodiscard]] const frame_position& position() const noexcept;
  // The decompressed chunk of that frame; the readable part if it is truncated. Valid until the next call.
  [[nodiscard]] byte_span chunk_content() const noexcept;

 private:
  struct state;
  explicit reader(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::butter
