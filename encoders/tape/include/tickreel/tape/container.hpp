// The containers of captures: records in zstd frames or without compression, and the seek table.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/zstd_stream.hpp"
#include "tickreel/result.hpp"

namespace tickreel::tape {

// Reads up to `count` bytes of the file at `offset`; valid until the next call.
using read_function = std::function<result<byte_span>(std::uint64_t offset, std::size_t count)>;

// The largest window of a zstd frame, and of content that is verified before its records are returned.
inline constexpr int largest_window_log = 23;
inline constexpr std::size_t max_buffered_bytes = 8u << 20;
// Of a seek table: 16 MB.
inline constexpr std::size_t max_blocks = 2'000'000;

struct block_sizes {
  std::uint32_t compressed = 0;
  std::uint32_t decoded = 0;
};

// The table at the end of a file. Empty if there is none, which is valid. malformed if there is an invalid
// one, over_limit for too many blocks.
result<std::vector<block_sizes>> read_seek_table(const read_function& read, std::uint64_t file_bytes);
// Appends the table.
void append_seek_table(std::span<const block_sizes> blocks, byte_vector& out);

// The records of a file, in order. Memory is bounded whatever the file states. One thread at a time.
class record_reader {
 public:
  static result<record_reader> open(read_function read, std::uint64_t file_bytes);

  // The next record, valid until the next call. False at the end. truncated if the file ends inside a record
  // or a zstd frame; over_limit, malformed, checksum_mismatch or corrupt_compression for damage, with the
  // offset of the zstd frame. Nothing follows an error. Of a damaged zstd frame that fits into
  // max_buffered_bytes, no record is returned.
  result<bool> next(byte_span& record);

  // Where a record begins that can be read without those before it.
  struct entry {
    std::uint64_t offset = 0;  // in the file
    std::size_t table_at = 0;
    bool sizes_are_wrong = false;
  };
  // That of the last record, if it has one: without compression, or if it is the first of its zstd frame.
  [[nodiscard]] std::optional<entry> last_entry() const noexcept;
  // The next record is the one at `to`.
  void seek(const entry& to);
  void rewind() { seek({}); }

  [[nodiscard]] bool is_compressed() const noexcept { return stream_.has_value(); }
  // The file offset of the zstd frame of the last record, or of the record itself without compression.
  [[nodiscard]] std::uint64_t block_offset() const noexcept { return given_block_; }
  // The last record is the first of its zstd frame.
  [[nodiscard]] bool begins_block() const noexcept { return begins_block_; }
  // The offset up to which the file was read.
  [[nodiscard]] std::uint64_t file_position() const noexcept { return file_at_; }
  [[nodiscard]] std::uint64_t file_bytes() const noexcept { return file_bytes_; }

  // Compares the sizes of all zstd frames with a table while reading.
  void check_sizes(std::vector<block_sizes> table) { table_ = std::move(table); }
  [[nodiscard]] bool sizes_are_wrong() const noexcept { return sizes_are_wrong_; }

 private:
  record_reader(read_function read, std::uint64_t file_bytes)
      : read_(std::move(read)), file_bytes_(file_bytes) {}

  void fill();
  void fill_plain();
  void end_block();
  result<byte_span> input();

  read_function read_;
  std::uint64_t file_bytes_ = 0;
  std::optional<zstd_stream> stream_;
  std::vector<block_sizes> table_;
  std::size_t table_at_ = 0;
  bool sizes_are_wrong_ = false;

  std::uint64_t file_at_ = 0;
  byte_span piece_;
  std::uint64_t piece_offset_ = 0;
  byte_vector decoded_;
  std::size_t at_ = 0;              // in decoded_: the next record
  std::size_t block_begin_ = 0;     // in decoded_: where the current zstd frame begins
  std::uint64_t block_offset_ = 0;  // in the file
  entry block_entry_;
  std::uint64_t block_decoded_ = 0;
  bool in_block_ = false;
  bool ended_ = false;
  bool begins_block_ = false;
  bool next_begins_block_ = false;
  std::uint64_t given_block_ = 0;
  std::optional<error> problem_;  // after the records in decoded_
};

}  // namespace tickreel::tape
