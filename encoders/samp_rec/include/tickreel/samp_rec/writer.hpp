// Writes .rec files: a header, then blocks. The output is a valid recording after every block, and needs no
// finishing.
#pragma once

#include <cstdint>
#include <span>

#include "tickreel/bytes/span.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/result.hpp"
#include "tickreel/samp_rec/block.hpp"

namespace tickreel::samp_rec {

// Rejects blocks that would make the recording invalid. Allocates nothing.
//
//   writer<vehicle_block> rec;
//   rec.begin(out);
//   rec.append(block, out);  ...
template <block_type Block>
class writer {
 public:
  explicit writer(const limits& most = {}) noexcept : most_(most) {}

  // The header, eight bytes. wrong_state on the second call; buffer_too_small.
  result<void> begin(byte_writer& out) noexcept;

  // One block. invalid_argument for a time before the last one's, and for a block with a fault (fault.hpp),
  // which would prevent the detection of the file; over_limit beyond the limit of readers; wrong_state before
  // begin(); buffer_too_small. On failure nothing is written, and the next block may follow.
  result<void> append(const Block& block, byte_writer& out) noexcept;

  [[nodiscard]] std::uint64_t blocks() const noexcept { return blocks_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return begun_ ? file_header::wire_bytes + blocks_ * Block::wire_bytes : 0;
  }

 private:
  limits most_;
  std::uint64_t blocks_ = 0;
  std::uint32_t last_time_ms_ = 0;
  bool begun_ = false;
};

// Header and blocks, bit for bit as given and without checks: the `as_is` result of read_recording() becomes
// the same file again.
template <block_type Block>
[[nodiscard]] byte_vector to_bytes(std::span<const Block> blocks);

}  // namespace tickreel::samp_rec
