// Finds the records of a reel: by its index, or head by head.
#pragma once

#include <optional>

#include "tickreel/reel/file.hpp"
#include "tickreel/reel/reader.hpp"
#include "wire.hpp"

namespace tickreel::reel {

// Where a reel's bytes are: in a file, or in memory.
class byte_source {
 public:
  explicit byte_source(file&& from) noexcept : file_(std::move(from)) {}
  explicit byte_source(byte_span from) noexcept : memory_(from) {}

  result<std::uint64_t> size() const;
  // The `count` bytes at `offset`, fewer where the source ends; valid until the next call.
  result<byte_span> view(std::uint64_t offset, std::size_t count);

 private:
  std::optional<file> file_;
  byte_span memory_;
  byte_vector buffer_;
};

struct scan_options {
  reel::limits limits;
  bool verify_hashes = false;
  std::uint64_t reel_hash = 0;
  std::uint64_t header_bytes = 0;
  byte_span dictionary = {};
};

// Fills `contents` from the index at the end. False when there is none that holds.
result<bool> load_index(byte_source& from, const scan_options& options, decompressor& codecs,
                        table_of_contents& contents);

// Continues `contents` at its valid_bytes with everything that is whole.
result<void> scan(byte_source& from, const scan_options& options, table_of_contents& contents);

}  // namespace tickreel::reel
