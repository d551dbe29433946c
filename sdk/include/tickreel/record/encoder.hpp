// The contract between a recorder and a format.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "tickreel/bytes/span.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/keyframe/frame.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

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
  { constant.max_frame_size() } noexcept -> std::same_as<std::size_t>;
  { constant.needs_keyframe(state) } noexcept -> std::same_as<bool>;
  { encoder.encode(state, kind, out) } noexcept -> std::same_as<void>;
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
  { constant.header_revision() } noexcept -> std::same_as<std::uint32_t>;
  { constant.max_header_size() } noexcept -> std::same_as<std::size_t>;
  { constant.write_header(out) } noexcept -> std::same_as<void>;
};

// An encoder may also lay out a whole chunk at once, to use what its ticks have in common. It gathers rows:
//
//   state_type            trivially copyable; one tick of the world
//   encoder_name, encoder_version
//   add_row(s)            takes one tick; allocates nothing. False when it cannot be written, for whatever
//   reason is_full()             the block takes no more rows max_block_size()      the most bytes one
//   write_block() writes; constant for the encoder's life write_block(out)      every row since clear_rows();
//   allocates nothing clear_rows()          what was gathered is written, or lost max_rows()            what
//   is_full() compares with
//
// In the reel the block is the chunk's first frame, a keyframe; the rows behind the first are deltas of no
// bytes. So each chunk stands alone, and whatever walks frames walks rows.
template <class E>
concept block_encoder =
    requires(E& encoder, const E& constant, const typename E::state_type& state, byte_writer& out) {
      requires std::is_trivially_copyable_v<typename E::state_type>;
      { E::encoder_name } -> std::convertible_to<std::string_view>;
      { E::encoder_version } -> std::convertible_to<std::uint32_t>;
      { encoder.add_row(state) } noexcept -> std::same_as<bool>;
      { constant.is_full() } noexcept -> std::same_as<bool>;
      { constant.max_rows() } noexcept -> std::same_as<std::size_t>;
      { constant.max_block_size() } noexcept -> std::same_as<std::size_t>;
      { encoder.write_block(out) } noexcept -> std::same_as<void>;
      { encoder.clear_rows() } noexcept -> std::same_as<void>;
    };

// An encoder may also have a queue of events that the recorder writes beside the frames, each behind its
// tick. events() is null or stays the same for the encoder's life. The queue has
//
//   pushed()                         how many events came so far; never falls
//   drain(out, known, all, tick)     hands the first `known` of them on: all, or those of ticks up to `tick`
//   tell_again()                     who joined has not seen what was handed on
//   tell_all(out)                    the same, at the end
template <class E>
concept encoder_with_events = requires(const E& constant) {
  { constant.events()->pushed() } noexcept -> std::same_as<std::uint64_t>;
};

// What a recorder takes.
template <class E>
concept recordable_encoder = tick_encoder<E> || block_encoder<E>;

// The encoder's mirror: turns frames back into states and holds the same baseline.
//
//   state_type            what a frame becomes
//   decoder_name          of the frames that it reads: the encoder's name
//   reads_version(v)      whether it reads frames of encoder version `v`
//   decode(kind, bytes)   exactly one frame; moves the baseline. After an error the next frame must be a
//   keyframe state()               what the last frame became; valid until the next call
//
// It gets every frame from a keyframe on, as reel::frame_stream gives them.
template <class D>
concept tick_decoder =
    requires(D& decoder, const D& constant, frame_kind kind, byte_span bytes, std::uint32_t version) {
      typename D::state_type;
      { D::decoder_name } -> std::convertible_to<std::string_view>;
      { D::reads_version(version) } noexcept -> std::same_as<bool>;
      { decoder.decode(kind, bytes) } -> std::same_as<result<void>>;
      { constant.state() } noexcept -> std::same_as<const typename D::state_type&>;
    };

// The mirror of encoder_with_header: apply_header(bytes) takes what write_header() wrote, as often as it
// comes; the last one counts.
template <class D>
concept decoder_with_header = tick_decoder<D> && requires(D& decoder, byte_span header) {
  { decoder.apply_header(header) } -> std::same_as<result<void>>;
};

}  // namespace tickreel
