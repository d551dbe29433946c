// The contract between a recorder and a format.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "tickreel/bytes/writer.hpp"

namespace tickreel {

enum class frame_kind : std::uint8_t {
  delta = 0,     // the difference from the frame before
  keyframe = 1,  // whole; stands alone
};

// Which tick a frame is.
struct frame_stamp {
  std::uint64_t tick = 0;    // counted by the source; rises, may skip
  std::int64_t time_us = 0;  // microseconds since the recording began; may not be negative
};

// An encoder turns states into frames and holds the baseline: what a decoder will have after the frame.
//
//   state_type            trivially copyable; one tick of the world
//   encoder_name          names the frame format inside a reel, for example "butter"
//   encoder_version       the version of that frame format
//   max_frame_size()      the most bytes one encode() writes; constant for the encoder's life
//   needs_keyframe(s)     true when `s` cannot be told as a delta (the caller may force one at any time)
//   encode(s, kind, out)  writes exactly one frame and moves the baseline; allocates nothing
//
// The caller decides the cadence. The first frame must be a keyframe.
template <class E>
concept tick_encoder = requires(E& encoder, const E& constant, const typename E::state_type& state,
                                frame_kind kind, byte_writer& out) {
  requires std::is_trivially_copyable_v<typename E::state_type>;
  { E::encoder_name } -> std::convertible_to<std::string_view>;
  { E::encoder_version } -> std::convertible_to<std::uint32_t>;
  { constant.max_frame_size() }
  noexcept->std::same_as<std::size_t>;
  { constant.needs_keyframe(state) }
  noexcept->std::same_as<bool>;
  { encoder.encode(state, kind, out) }
  noexcept->std::same_as<void>;
};

// Some formats keep a header that grows while recording (a player table). Their encoder also has
//
//   header_revision()     changes when the header did; 0 while there is nothing to say
//   max_header_size()     the most bytes one write_header() writes
//   write_header(out)     the whole header as it stands
//
// The recorder writes it as a header-update record in front of the first chunk that relies on it.
template <class E>
concept encoder_with_header = tick_encoder<E> && requires(const E& constant, byte_writer& out) {
  { constant.header_revision() }
  noexcept->std::same_as<std::uint32_t>;
  { constant.max_header_size() }
  noexcept->std::same_as<std::size_t>;
  { constant.write_header(out) }
  noexcept->std::same_as<void>;
};

}  // namespace tickreel
