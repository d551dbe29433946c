// The contract between a recorder and a format.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "tickreel/bytes/span.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/keyframe/frame.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

// An encoder turns states into frames and holds the baseline: the state of a decoder after the frame.
//
//   state_type            trivially copyable; one tick of the world
//   encoder_name          names the frame format inside a reel, for example "butter"
//   encoder_version       the version of that frame format: a constant, or a member that never changes
//   max_frame_size()      the largest size of one encode(), in bytes; constant for the encoder's life
//   needs_keyframe(s)     true if `s` cannot be expressed as a delta (the caller may force one at any time)
//   encode(s, kind, out)  writes exactly one frame and moves the baseline; allocates nothing
//
// The caller decides when to write a keyframe. The first frame must be one.
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

// Some formats have a header that grows during the recording (a player table). Their encoder also has
//
//   header_revision()     changes with the header; 0 while the header is empty
//   max_header_size()     the largest size of one write_header(), in bytes
//   write_header(out)     writes the whole current header
//
// The recorder writes it as a header-update record before the first chunk that depends on it.
template <class E>
concept encoder_with_header = tick_encoder<E> && requires(const E& constant, byte_writer& out) {
  { constant.header_revision() } noexcept -> std::same_as<std::uint32_t>;
  { constant.max_header_size() } noexcept -> std::same_as<std::size_t>;
  { constant.write_header(out) } noexcept -> std::same_as<void>;
};

// An encoder may also encode a whole chunk together, to use similarities between its ticks. It collects rows:
//
//   state_type                      trivially copyable; one tick of the world
//   encoder_name, encoder_version
//   add_row(s)                      adds one tick; allocates nothing. False if it cannot be written, for any reason
//   is_full()                       the block accepts no more rows
//   max_block_size()                the largest size of one write_block(), in bytes; constant for the encoder's life
//   write_block(out)                writes every row since clear_rows(); allocates nothing
//   clear_rows()                    the collected rows were written, or are lost
//   max_rows()                      the limit of is_full()
//
// In the reel the block is the chunk's first frame, a keyframe; the rows after the first are deltas without bytes.
// So each chunk can be decoded alone, unless it continues the one before (below), and every iterator over frames is an
// iterator over rows.
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

// The block of such an encoder may continue the one before, whose rows readers then decode first:
//
//   can_continue()                  the next block can continue the current one, or the last one if there are no rows yet
//   continue_block()                it does; no effect if the block has rows
//
// The recorder calls it for the first row of a block, unless a keyframe is due by recorder_options::cadence, the block
// before is not in the reel, or a sink joins. The chunk's first frame is then a delta.
template <class E>
concept continuing_block_encoder = block_encoder<E> && requires(E& encoder, const E& constant) {
  { constant.can_continue() } noexcept -> std::same_as<bool>;
  { encoder.continue_block() } noexcept;
};

// A block encoder may also accept the changes since the last tick, which a push has written into the memory of a state:
//
//   add_changes(bytes)              adds one tick: the last added one with these changes. False if it cannot be written
//
// After a tick that could not be written the recorder passes on no changes before the next whole state.
template <class E>
concept encoder_with_changes = block_encoder<E> && requires(E& encoder, byte_span changes) {
  { encoder.add_changes(changes) } noexcept -> std::same_as<bool>;
};
namespace detail {
// In place of a number of bytes of changes: the slot holds a whole state.
inline constexpr std::uint32_t whole_state = 0xFFFF'FFFF;
}  // namespace detail

// An encoder may also have a queue of events that the recorder writes beside the frames, each after its
// tick. events() is null or constant for the encoder's life. The queue has
//
//   pushed()                         the number of events pushed; never falls
//   drain(out, known, all, tick)     passes on the first `known` of them: all, or those of ticks up to `tick`
//   report_again()                     a sink has joined that has not received the descriptions written before
//   report_all(out)                    writes all descriptions again, at the end
template <class E>
concept encoder_with_events = requires(const E& constant) {
  { constant.events()->pushed() } noexcept -> std::same_as<std::uint64_t>;
};

// An encoder whose states refer to memory, because their size is known only at run time, provides the memory of the
// ring. Before the first push the recorder calls
//
//   reserve_slots(count)   the ring holds `count` states, or one more. An error ends the opening, before there is a file
//   prepare_slot(s)        for each of them: `s` refers to memory that lives as long as the encoder. capture() writes
//                          there; push() requires a copy_state() that does
template <class E>
concept encoder_with_slots = requires(E& encoder, typename E::state_type& state, std::size_t count) {
  { encoder.reserve_slots(count) } -> std::same_as<result<void>>;
  encoder.prepare_slot(state);
};

// The encoders that a recorder accepts.
template <class E>
concept recordable_encoder = tick_encoder<E> || block_encoder<E>;

// The inverse of an encoder: turns frames into states and holds the same baseline.
//
//   state_type            the type of a decoded frame
//   decoder_name          the name of the encoder whose frames it reads
//   reads_version(v)      whether it reads frames of encoder version `v`
//   decode(kind, bytes)   decodes exactly one frame and moves the baseline. After an error the next frame must be
//                         a keyframe
//   state()               the result of the last frame; valid until the next call
//
// It receives frames from a keyframe on, as reel::frame_stream returns them.
template <class D>
concept tick_decoder =
    requires(D& decoder, const D& constant, frame_kind kind, byte_span bytes, std::uint32_t version) {
      typename D::state_type;
      { D::decoder_name } -> std::convertible_to<std::string_view>;
      { D::reads_version(version) } noexcept -> std::same_as<bool>;
      { decoder.decode(kind, bytes) } -> std::same_as<result<void>>;
      { constant.state() } noexcept -> std::same_as<const typename D::state_type&>;
    };

// The inverse of encoder_with_header: apply_header(bytes) accepts the output of write_header(), any number of
// times; the last one applies.
template <class D>
concept decoder_with_header = tick_decoder<D> && requires(D& decoder, byte_span header) {
  { decoder.apply_header(header) } -> std::same_as<result<void>>;
};

}  // namespace tickreel
