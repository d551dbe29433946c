// Blocks as ticks of a recorder: a game records one player, a block per sync packet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tickreel/record/encoder.hpp"
#include "tickreel/samp_rec/block.hpp"

namespace tickreel::samp_rec {

// recorder<samp_rec::encoder<on_foot_block>>. Every block is independent, so every frame is a keyframe and
// consists of the block's bytes. The game sets time_ms. To write a .rec while the game runs, use
// files::rec_sink as a sink of the recorder.
template <block_type Block>
class encoder {
 public:
  using state_type = Block;
  static constexpr std::string_view encoder_name =
      Block::kind == recording_kind::vehicle ? "samp_rec_vehicle" : "samp_rec_on_foot";
  static constexpr std::uint32_t encoder_version = 1;

  [[nodiscard]] std::size_t max_frame_size() const noexcept { return Block::wire_bytes; }
  [[nodiscard]] bool needs_keyframe(const Block&) const noexcept { return true; }
  void encode(const Block& block, frame_kind, byte_writer& out) noexcept { write(out, block); }
};

}  // namespace tickreel::samp_rec
