// Decodes the ticks of a reel and counts the losses of the frame iterator and of the decoder.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include "reel_losses.hpp"
#include "tickreel/echo/events.hpp"
#include "tickreel/echo/omissions.hpp"
#include "tickreel/record/encoder.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "unrecorded.hpp"

namespace tickreel::files {

template <tick_decoder Decoder>
class decoded_reel {
 public:
  // `source` must outlive it.
  decoded_reel(reel::reader& source, Decoder decoder, const reel::stream_options& options = {})
      : source_(&source), walk_(source, options), decoder_(std::move(decoder)) {}

  // For decoders with a header: uses the last readable header for the whole reel.
  result<void> apply_header()
  requires decoder_with_header<Decoder>
  {
    const auto head = source_->last_header_update();
    if (!head) return fail(head.error());
    return head->empty() ? result<void>{} : decoder_.apply_header(*head);
  }

  // Moves to the next readable tick; decoder().state() is its state. Frames that the decoder rejects are
  // lost, and so are dependent ticks. False at the end.
  result<bool> next(reel::frame& out) { return next_from(0, out); }

  // The first tick from here that is at or after `tick`. Of the earlier ticks, only those that it depends on
  // are decoded, and losses of earlier ticks are not reported.
  result<bool> next_from(std::uint64_t tick, reel::frame& out) {
    reel::item next;
    for (;;) {
      const auto more = walk_.next(next);
      if (more && !*more) {
        unrecorded_.end(source_->contents());
        held_.note_all(losses_);
      }
      if (!more || !*more) return more;
      if (next.kind != reel::item_kind::frame) {
        held_.note(next, walk_.next_record_number(), tick, losses_);
        unrecorded_.note(next);
        if (event_records_ && next.kind == reel::item_kind::event && next.event.type == echo::event_record) {
          event_records_(next.event.bytes);
        }
        continue;
      }
      held_.pass(next.frame.stamp.tick, next.frame.stamp.tick < tick, losses_);
      const bool is_skipped = next.frame.stamp.tick < tick;
      const auto cause = baseline_.cause_of_loss(
          next.frame, [&] { return (is_skipped && stand_alone) || decode(next.frame); });
      if (cause && !is_skipped) lose(next.frame, *cause);
      if (cause || is_skipped) continue;
      out = next.frame;
      return true;
    }
  }

  // Continues at record `number`, which must start with a keyframe or be the first.
  void restart(std::size_t number) {
    walk_.restart(number);
    held_.restart(number);
    losses_ = {};
    unrecorded_.clear();
    left_out_.clear();
    baseline_ = {};
  }

  // Reads what the recorder appended.
  result<growth> extend() {
    const std::size_t had = source_->contents().records.size();
    const auto came = source_->refresh();
    if (!came && came.error().code == error_code::wrong_state) return growth::other;
    if (!came) return fail(came.error());
    if (*came == 0) return growth::none;
    if constexpr (decoder_with_header<Decoder>) {
      const auto& records = source_->contents().records;
      bool updated = false;
      for (std::size_t number = had; number < records.size() && !updated; ++number) {
        updated = records[number].kind == reel::record_kind::header_update;
      }
      if (updated) {
        if (auto applied = apply_header(); !applied) return fail(applied.error());
      }
    }
    return growth::more;
  }

  // Stops reporting the losses and omissions up to now.
  void forget_losses() {
    losses_ = {};
    held_.forget();
    unrecorded_.clear();
    left_out_.clear();
  }
  // Passes the records of Echo VR events to `to`, in the order of the frame iterator.
  void give_event_records(std::function<void(byte_span)> to) { event_records_ = std::move(to); }

  // If the decoder supports it: returns ticks without bones, from the next restart() on.
  void leave_bones_out(bool left_out) {
    if constexpr (requires { decoder_.set_bones(true); }) decoder_.set_bones(!left_out);
  }

  // Likewise, with only the members that a summary reads.
  void keep_summary_only(bool only) {
    if constexpr (requires { decoder_.set_summary_only(true); }) decoder_.set_summary_only(only);
  }
  // False if the decoder does not support it.
  bool keep_disc_only(bool only) {
    if constexpr (requires { decoder_.set_disc_only(true); }) {
      decoder_.set_disc_only(only);
      return true;
    }
    return false;
  }
  void keep_times_only(bool only) {
    if constexpr (requires { decoder_.set_times_only(true); }) decoder_.set_times_only(only);
  }

  // Likewise, with only the values with these names, see tracks::row_decoder::keep_only().
  void keep_values(const std::function<bool(std::string_view)>& keeps) {
    if constexpr (requires { decoder_.keep_only(keeps); }) decoder_.keep_only(keeps);
  }

  // For callers that copy frames: nothing is decoded, and decoder().state() is undefined.
  void set_trusting(bool trusting) noexcept { trusting_ = trusting; }

  [[nodiscard]] std::size_t next_record_number() const noexcept { return walk_.next_record_number(); }
  [[nodiscard]] const Decoder& decoder() const noexcept { return decoder_; }
  [[nodiscard]] const reel_losses& losses() const noexcept { return losses_; }
  // What the recorder had to leave out of its input, up to the current position.
  [[nodiscard]] const echo::omission_tally& unrecorded() const noexcept { return unrecorded_.tally(); }
  // Content of the frames that a state cannot store.
  [[nodiscard]] const echo::omission_tally& left_out() const noexcept { return left_out_; }
  // The chunk of the current tick.
  [[nodiscard]] const reel::record_info& chunk() const noexcept { return walk_.chunk(); }

 private:
  // Set by decoders of formats whose every frame is a keyframe.
  static constexpr bool stand_alone = requires { Decoder::frames_stand_alone; };

  static constexpr bool reports_omissions =
      requires(Decoder& decoder, echo::omission_listener* to) { decoder.set_listener(to); };

  bool decode(const reel::frame& frame) {
    if constexpr (reports_omissions) {
      left_out_.set_place({frame.stamp.tick, 0, 0});
      decoder_.set_listener(&left_out_);
    }
    return trusting_ || decoder_.decode(frame.kind, frame.bytes).has_value();
  }

  void lose(const reel::frame& frame, reel::loss_cause cause) {
    reel::loss lost;
    lost.cause = cause;
    lost.ticks = 1;
    lost.first = lost.last = frame.stamp;
    lost.records = 1;
    lost.kind = reel::record_kind::chunk;
    lost.offset = walk_.chunk().offset;
    losses_.add(lost);
  }

  reel::reader* source_;
  reel::frame_stream walk_;
  Decoder decoder_;
  reel_losses losses_;
  held_losses held_;
  unrecorded_events unrecorded_;
  echo::omission_tally left_out_;
  reel::baseline_check baseline_;
  bool trusting_ = false;
  std::function<void(byte_span)> event_records_;
};

}  // namespace tickreel::files
