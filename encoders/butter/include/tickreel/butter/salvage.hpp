// What a damaged or cut .butter file still gives, chunk by chunk: nothing that may have been changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "tickreel/butter/file.hpp"

namespace tickreel::butter {

// How far the frames of a chunk can be trusted.
enum class chunk_fate : std::uint8_t {
  whole,          // its checksum is right, and it is frames from its first byte to its last
  cut,            // the file ends inside it: the frames before the cut
  contradictory,  // its checksum is right, where it has one, but from some byte on it is no frames
  damaged,        // its checksum is wrong, or it cannot be unpacked: any byte may be a wrong one
  unfounded,      // whole, but it begins with a difference from a frame that is lost
};

struct salvaged_chunk {
  std::size_t number = 0;  // from 0
  chunk_fate fate = chunk_fate::whole;
  byte_span stored;  // as it stands in the file; only of a whole one
  byte_span frames;  // unpacked, what can be kept: empty, or standing alone or on what was given before
  std::uint32_t frame_count = 0;  // of those
  bool starts_with_keyframe = false;
  std::int64_t first_time_ms = 0;  // recorded, of the first and the last of them
  std::int64_t last_time_ms = 0;
};

// Chunks that are compressed have a checksum for all of their bytes and none for less, so what is wrong in
// one costs all of it. Bytes that are not compressed have none: there only what contradicts itself is
// noticed, and the frame before that, which may have led astray, is left out with it. Nothing guards the
// head.
//
// Where the table is wrong about the sizes, gzip members and zstd frames are found by themselves. The bytes
// must outlive this. Memory: the largest chunk; a copy of the file where the table is wrong. One thread at a
// time.
class salvage {
 public:
  // As reader::open(); truncated for a file without chunks.
  static result<salvage> open(byte_span file, const reader_limits& limits = {});

  salvage(salvage&&) noexcept;
  salvage& operator=(salvage&&) noexcept;
  ~salvage();

  [[nodiscard]] const file_header& head() const noexcept;
  // The head up to the chunk table, for lay_out_head().
  [[nodiscard]] byte_span header() const noexcept;
  // Empty chunks, which are passed over, included.
  [[nodiscard]] std::size_t chunk_count() const noexcept;
  // Where another file was put behind this one: nothing from there on belongs to it. Its frames stand on a
  // head of their own, so under this one they would be other players'.
  [[nodiscard]] std::optional<std::uint64_t> another_begins_at() const noexcept;
  // The table of the file is wrong; chunks are numbered as they were found.
  [[nodiscard]] bool table_was_wrong() const noexcept;

  // The next chunk, whatever became of it. False behind the last. What `out` points to is valid until the
  // next call.
  [[nodiscard]] bool next(salvaged_chunk& out);
  // Bytes of the file that were looked at.
  [[nodiscard]] std::uint64_t bytes_done() const noexcept;

 private:
  struct state;
  explicit salvage(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::butter
