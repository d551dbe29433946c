// Recovers the valid parts of a damaged or truncated .butter file, chunk by chunk: nothing that may have been
// changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "tickreel/butter/file.hpp"

namespace tickreel::butter {

// The reliability of a chunk's frames.
enum class chunk_fate : std::uint8_t {
  whole,          // its checksum is valid, and it consists of frames
  cut,            // the file ends inside it: the frames before the end
  contradictory,  // its checksum is valid, if it has one, but from some byte on it contains no frames
  damaged,        // its checksum is wrong, or it cannot be decompressed: any byte may be wrong
  unfounded,      // whole, but it begins with a difference from a lost frame
};

struct recovered_chunk {
  std::size_t number = 0;  // from 0
  chunk_fate fate = chunk_fate::whole;
  byte_span stored;  // as stored in the file; only of a whole one
  byte_span frames;  // the decompressed frames that can be kept: empty, or decodable with those returned
                     // before
  std::uint32_t frame_count = 0;  // of those
  bool starts_with_keyframe = false;
  std::int64_t first_time_ms = 0;  // recorded times of the first and the last of them
  std::int64_t last_time_ms = 0;
};

// A compressed chunk has one checksum for all of its bytes, so an error costs the whole chunk. Uncompressed
// bytes have none: only contradictions are detected, and the frame before one, which may be wrong, is omitted with
// it. A frame that lacks its baseline is no contradiction: the frame before it is kept. The head has no checksum.
//
// If the table has wrong sizes, gzip members and zstd frames are found by their magic bytes. The bytes must outlive
// this. Memory: the largest chunk; a copy of the file if the table is wrong. One thread at a time.
class recovery_reader {
 public:
  // Like reader::open(); truncated for a file without chunks.
  static result<recovery_reader> open(byte_span file, const reader_limits& limits = {});

  recovery_reader(recovery_reader&&) noexcept;
  recovery_reader& operator=(recovery_reader&&) noexcept;
  ~recovery_reader();

  [[nodiscard]] const file_header& head() const noexcept;
  // The head up to the chunk table, for encode_head().
  [[nodiscard]] byte_span header() const noexcept;
  // Includes empty chunks, which are skipped.
  [[nodiscard]] std::size_t chunk_count() const noexcept;
  // The start of another file after this one: nothing from there on belongs to this file. Its frames belong
  // to their own head; with this head they would have other players.
  [[nodiscard]] std::optional<std::uint64_t> another_begins_at() const noexcept;
  // The table of the file is wrong; chunks are numbered in the order in which they were found.
  [[nodiscard]] bool table_was_wrong() const noexcept;

  // The next chunk, in any condition. False after the last. The result is valid until the next call.
  [[nodiscard]] bool next(recovered_chunk& out);
  [[nodiscard]] std::uint64_t bytes_done() const noexcept;

 private:
  struct state;
  explicit recovery_reader(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::butter
