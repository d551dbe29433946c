// The smallest encoder that has keyframes, deltas and a growing header: an array of integers.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/record/encoder.hpp"
#include "tickreel/reel/frame_stream.hpp"

namespace tickreel::test {

struct int_state {
  std::array<std::int64_t, 8> values{};
  bool operator==(const int_state&) const = default;
};

inline int_state state_of_tick(std::uint64_t tick) {
  int_state state;
  for (std::size_t i = 0; i < state.values.size(); ++i) {
    state.values[i] = static_cast<std::int64_t>(tick * (i + 1) * 2654435761u >> (i * 3));
  }
  return state;
}

class int_encoder {
 public:
  using state_type = int_state;
  static constexpr std::string_view encoder_name = "ints";
  static constexpr std::uint32_t encoder_version = 7;

  [[nodiscard]] std::size_t max_frame_size() const noexcept { return 8 * leb128_max_size; }
  [[nodiscard]] bool needs_keyframe(const int_state&) const noexcept { return false; }
  void encode(const int_state& state, frame_kind kind, byte_writer& out) noexcept {
    if (kind == frame_kind::keyframe) baseline_ = {};
    for (std::size_t i = 0; i < state.values.size(); ++i) {
      write_leb128(out, zigzag_encode(state.values[i] - baseline_.values[i]));
    }
    baseline_ = state;
    ++encoded_;
  }
  [[nodiscard]] std::uint64_t encoded() const noexcept { return encoded_; }

 private:
  int_state baseline_;
  std::uint64_t encoded_ = 0;
};

class int_decoder {
 public:
  // Returns false if the bytes are not a frame.
  bool decode(const reel::frame& frame, int_state& out) {
    byte_reader from(frame.bytes);
    if (frame.kind == frame_kind::keyframe) baseline_ = {};
    for (std::int64_t& value : baseline_.values) value += zigzag_decode(read_leb128(from));
    out = baseline_;
    return from.ok() && from.at_end();
  }

 private:
  int_state baseline_;
};

struct decoded_tick {
  frame_stamp stamp;
  int_state state;
};

// All ticks of the reel that can be decoded.
inline std::vector<decoded_tick> decode_all(reel::reader& reel) {
  std::vector<decoded_tick> ticks;
  int_decoder decoder;
  reel::frame_stream frames(reel);
  reel::frame frame;
  decoded_tick tick;
  for (auto more = frames.next(frame); more && *more; more = frames.next(frame)) {
    if (!decoder.decode(frame, tick.state)) return ticks;
    tick.stamp = frame.stamp;
    ticks.push_back(tick);
  }
  return ticks;
}

}  // namespace tickreel::test
