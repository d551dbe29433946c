// A .rec file: its shape, and its blocks by number or in sequence, in bounded memory.
#pragma once

#include <cstdint>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"
#include "tickreel/samp_rec/shape.hpp"

namespace tickreel::files {

class rec_file {
 public:
  // Errors of samp_rec::detect() and of the system.
  static result<rec_file> open(const file_path& path);
  static result<rec_file> open(const byte_source& from);

  [[nodiscard]] const samp_rec::file_shape& shape() const noexcept { return shape_; }

  // The bytes of block `index`, which must exist, valid until the next call. Sequential blocks share one read
  // of the file.
  result<byte_span> block(std::uint64_t index);
  // The bytes of the truncated block at the end; empty if there is none.
  result<byte_vector> tail();
  // Any bytes of the file.
  result<byte_vector> part(std::uint64_t offset, std::uint64_t count);

 private:
  rec_file(const byte_source& from, const samp_rec::file_shape& shape) : from_(from), shape_(shape) {}

  byte_source from_;
  samp_rec::file_shape shape_;
  byte_vector window_;
  std::uint64_t window_begin_ = 0;  // a block's number
  std::uint64_t window_blocks_ = 0;
};

// Decodes `bytes`, which must be long enough, as a block.
template <class Block>
[[nodiscard]] Block rec_block(byte_span bytes) noexcept {
  byte_reader from(bytes);
  Block block;
  read(from, block);
  return block;
}

}  // namespace tickreel::files
