// Reads a reel that was closed, abandoned after a crash, or is still being written.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tickreel/io/path.hpp"
#include "tickreel/reel/format.hpp"
#include "tickreel/result.hpp"

namespace tickreel {
class byte_source;
class system_calls;
}  // namespace tickreel

namespace tickreel::reel {

struct record {
  record_info info;
  byte_vector payload;  // decompressed
};

// One frame of a chunk; `bytes` point into the record's payload.
struct frame {
  frame_stamp stamp;
  frame_kind kind = frame_kind::delta;
  byte_span bytes;
};

// Iterates over the frames of a decompressed chunk payload.
class frame_cursor {
 public:
  explicit frame_cursor(const record& chunk) noexcept;
  // False at the end; malformed with an offset inside the payload otherwise.
  result<bool> next(frame& out) noexcept;
  // Bytes of the payload that were read.
  [[nodiscard]] std::size_t position() const noexcept { return position_; }

 private:
  byte_span payload_;
  std::size_t position_ = 0;
  frame_stamp stamp_;
  std::uint64_t last_tick_ = 0;
};

// Iterates over the events of a record that holds_events(), also of one with a single event.
class event_cursor {
 public:
  explicit event_cursor(const record& of) noexcept;
  // False at the end; malformed with an offset inside the payload otherwise. `bytes` point into the payload.
  result<bool> next(event& out, frame_stamp& stamp) noexcept;

 private:
  byte_span payload_;
  std::size_t position_ = 0;
  frame_stamp stamp_;
  std::uint64_t last_tick_ = 0;
  bool is_single_ = false;
};

// Bytes between records that are not a whole record of this reel.
struct damage {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

// How a reel ends.
enum class reel_end : std::uint8_t {
  closed,  // has its end record
  open,    // ends between two records: still being written, or killed at that point
  torn,    // the last record is incomplete or its hash is wrong
};

// The content of the file, from the index at its end or, without one, by reading record heads.
struct table_of_contents {
  // All records with a known head, in order, including those of unknown kinds.
  std::vector<record_info> records;
  std::vector<damage> damaged;  // bytes found between whole records
  reel_end end = reel_end::open;
  std::uint64_t valid_bytes = 0;  // the end of the last listed record; a writer would continue here
  std::uint64_t file_bytes = 0;
  std::uint64_t frames = 0;
  std::uint64_t keyframe_chunks = 0;
  std::uint64_t lost_ticks = 0;       // counted by gap records
  std::uint64_t missing_records = 0;  // by their sequence: their heads are missing
  // The sequence of the gap that marks the beginning of a reel that was joined late: earlier records were
  // omitted, and do not count as missing. 0: the reel was not joined late.
  std::uint32_t begins_at = 0;
  // The head of an incomplete last record, or of one with a wrong hash; empty without such a head.
  std::optional<record_info> torn_record;
  bool from_index = false;
};

// One thread at a time. The file may grow meanwhile: call refresh().
class reader {
 public:
  // Fails with bad_magic, unsupported_version, over_limit, truncated or checksum_mismatch for a bad header,
  // but not for a torn tail or a damaged record. O(1) with an index; otherwise one small read per record. The
  // last record is always hashed, the others when they are read: read() then fails with checksum_mismatch.
  // With `verify_hashes` all are hashed immediately, the index is not used, and wrong records are marked as
  // damaged.
  static result<reader> open(const file_path& path, const limits& limits = {}, bool verify_hashes = false);
  static result<reader> open(const file_path& path, const limits& limits, bool verify_hashes,
                             system_calls& calls);
  // The same for any byte source.
  static result<reader> open(const byte_source& from, const limits& limits = {}, bool verify_hashes = false);
  // The same over memory, which must outlive the reader.
  static result<reader> from_memory(byte_span bytes, const limits& limits = {}, bool verify_hashes = true);

  reader(reader&&) noexcept;
  reader& operator=(reader&&) noexcept;
  ~reader();

  [[nodiscard]] const header& head() const noexcept;
  [[nodiscard]] const table_of_contents& contents() const noexcept;

  // Decompresses record `number` of contents().records into `out`, reusing its memory. Checks the hash.
  result<void> read(std::size_t number, record& out);
  // The record's bytes as stored in the file, to forward them. Checks the hash.
  result<void> read_stored(std::size_t number, byte_vector& out);
  // The header's bytes as stored in the file.
  [[nodiscard]] byte_span header_bytes() const noexcept;

  // Whether a writer holds the reel's file now. False if the reel is not in a file.
  [[nodiscard]] bool is_being_written() const;

  // The payload of the last header update; empty if there is none.
  result<byte_vector> last_header_update();

  // The record at which decoding must start to reach `tick`: the last chunk that starts with a keyframe and
  // whose first tick is not after it. Fails with out_of_range if there is no such tick before the end of the
  // last chunk, or missing_keyframe if no chunk starts with one. O(log n).
  [[nodiscard]] result<std::size_t> chunk_for_tick(std::uint64_t tick) const;
  [[nodiscard]] result<std::size_t> chunk_for_time(std::int64_t time_us) const;

  // Reads what was appended since the last call, in time proportional to its size. Returns the number of new
  // whole records; numbers of earlier records do not change. wrong_state: the file was truncated or replaced;
  // open it again.
  result<std::size_t> refresh();

 private:
  struct state;
  static result<reader> start(std::unique_ptr<state> made);
  explicit reader(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::reel
