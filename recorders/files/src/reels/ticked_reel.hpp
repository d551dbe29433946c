// A reel as a recording: the facts of every reel, and its ticks through a decoder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "decoded_reel.hpp"
#include "reel_facts.hpp"
#include "tickreel/files/recording.hpp"

namespace tickreel::files {

// A decoder with printable ticks:
//
//   append_state(json, keyframe)   of the last tick: members of a JSON object, without braces
//   describe(summary)              adds facts beyond those of every reel
template <class Ticks>
concept reel_ticks = tick_decoder<Ticks> && requires(const Ticks& ticks, std::string& json, summary& out) {
  ticks.append_state(json, true);
  ticks.describe(out);
};

// The difference of two times in microseconds from a file; wraps around instead of overflowing.
[[nodiscard]] constexpr std::int64_t difference(std::int64_t later_us, std::int64_t earlier_us) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(later_us) -
                                   static_cast<std::uint64_t>(earlier_us));
}

template <reel_ticks Ticks>
class ticked_reel : public recording, public growing_recording {
 public:
  ticked_reel(reel::reader source, Ticks ticks, bool live = false)
      : source_(std::move(source)), ticks_(source_, std::move(ticks), {.live = live}), live_(live) {}

  std::string_view format() const noexcept override { return "reel"; }
  capabilities offers() noexcept override { return {.growth = this}; }

  result<bool> next() override {
    if (take_found()) return true;
    return next_from(0);
  }

  const tick_position& position() const noexcept override { return position_; }

  void append_state(std::string& json) const override {
    ticks_.decoder().append_state(json, position_.keyframe);
  }

  std::vector<std::string> losses() const override {
    std::vector<std::string> all = ticks_.losses().sentences();
    if (ended_ && source_.contents().end != reel::reel_end::closed) all.emplace_back(why_unfinished(source_));
    return all;
  }

  result<void> rewind() override {
    found_ = ended_ = false;
    ticks_.restart(0);
    walked_ = {};
    return {};
  }

  // Like the default, but from the last chunk before the place at which decoding can begin.
  result<void> seek(const moment& where) override {
    if (where.unit == moment::by::clock) return recording::seek(where);
    if (auto back = rewind(); !back) return back;
    const bool by_tick = where.unit == moment::by::tick;
    // Half a millisecond, because tick times are whole milliseconds.
    const double wanted_ms = where.seconds * 1000 - 0.5;
    const double wanted_us = wanted_ms * 1000;
    const bool in_range = by_tick || (wanted_us > -9e18 && wanted_us < 9e18);
    if (in_range) {
      const auto chunk = by_tick ? source_.chunk_for_tick(where.tick)
                                 : source_.chunk_for_time(static_cast<std::int64_t>(wanted_us));
      if (chunk) ticks_.restart(*chunk);
    }
    for (;;) {
      auto more = next_from(by_tick ? where.tick : 0);
      if (!more) return fail(more.error());
      if (!*more) return fail_past_last_chunk();
      if (by_tick || static_cast<double>(position_.time_ms) >= wanted_ms) break;
      ticks_.forget_losses();
    }
    found_ = true;
    return {};
  }

  result<summary> summarise(const monitor& watch) override {
    if (auto back = rewind(); !back) return fail(back.error());
    return resume({}, watch);
  }

  result<summary> resume(const observer& to, const monitor& watch) override {
    auto looked = look_on(to, watch);
    if (!looked) return fail(looked.error());
    summary out = walked_.seen;
    out.bytes = source_.contents().file_bytes;
    describe_reel(source_, counted_losses(ticks_.losses()), out);
    ticks_.decoder().describe(out);
    if (ticks_.losses().damaged()) {
      out.health = health::damaged;
    } else if (ticks_.losses().begins_late() || source_.contents().end != reel::reel_end::closed) {
      out.health = health::incomplete;
    }
    return out;
  }

  result<summary> quick_summary(const monitor& watch) override {
    const reel::table_of_contents& contents = source_.contents();
    const bool whole = contents.end == reel::reel_end::closed && contents.from_index &&
                       contents.damaged.empty() && contents.missing_records == 0;
    const reel::record_info* first = nullptr;
    const reel::record_info* last = nullptr;
    bool begins_late = false;
    for (std::size_t number = 0; whole && number < contents.records.size(); ++number) {
      const reel::record_info& each = contents.records[number];
      begins_late |= each.tells_beginning() && each.sequence == contents.begins_at;
      if (each.kind != reel::record_kind::chunk) continue;
      // Frames without a baseline are not counted.
      if (each.damaged) return summarise(watch);
      if (first == nullptr && (each.flags & reel::starts_with_keyframe) == 0) return summarise(watch);
      if (first == nullptr) first = &each;
      last = &each;
    }
    if (first == nullptr) return summarise(watch);
    const auto lost = recorded_losses(source_);
    if (!lost) return fail(lost.error());
    summary out;
    out.bytes = contents.file_bytes;
    out.ticks = contents.frames;
    out.keyframes = contents.keyframe_chunks;
    out.duration_ms = duration_between(first->first_time_us, last->last_time_us) / 1000;
    describe_reel(source_, *lost, out);
    ticks_.decoder().describe(out);
    if (begins_late) out.health = health::incomplete;
    return out;
  }

  // For a reel that is being written, which has no index yet.
  std::optional<summary> head() const override {
    if (!live_) return std::nullopt;
    const auto lost = recorded_losses(source_);
    if (!lost) return std::nullopt;
    summary out;
    out.bytes = source_.contents().file_bytes;
    describe_reel(source_, *lost, out);
    ticks_.decoder().describe(out);
    return out;
  }

  result<verification> verify(const monitor& watch) override {
    if (auto back = rewind(); !back) return fail(back.error());
    auto looked = look_on({}, watch);
    if (!looked) return fail(looked.error());
    verification out;
    out.ticks = walked_.seen.ticks;
    ticks_.losses().inspect(out.findings, source_.is_being_written());
    inspect_reel(source_, out.findings);
    return out;
  }

 protected:
  result<growth> take_growth() override {
    if (!live_) {
      return fail(error_code::unsupported_operation, error::no_offset, not_incremental);
    }
    return ticks_.extend();
  }
  [[nodiscard]] bool is_live() const noexcept { return live_; }
  [[nodiscard]] reel::reader& source() noexcept { return source_; }
  [[nodiscard]] const Ticks& ticks() const noexcept { return ticks_.decoder(); }
  void keep_values(const std::function<bool(std::string_view)>& keeps) { ticks_.keep_values(keeps); }

 private:
  [[nodiscard]] tl::unexpected<error> fail_past_last_chunk() const noexcept {
    const auto& records = source_.contents().records;
    const auto last = std::find_if(records.rbegin(), records.rend(), [](const reel::record_info& each) {
      return each.kind == reel::record_kind::chunk;
    });
    if (last == records.rend())
      return fail(error_code::out_of_range, error::no_offset, "it contains no tick");
    return fail_past_end({.tick = last->last_tick, .time_ms = last->last_time_us / 1000});
  }

  // Facts collected by a reading from the first tick on.
  struct walked_part {
    summary seen;
    std::int64_t first_ms = 0;
  };

  result<void> look_on(const observer& to, const monitor& watch) {
    summary& seen = walked_.seen;
    for (;;) {
      const auto more = next();
      if (!more) return fail(more.error());
      if (!*more) break;
      if (seen.ticks == 0) walked_.first_ms = position_.time_ms;
      ++seen.ticks;
      if (position_.keyframe) ++seen.keyframes;
      if (to.tick) to.tick();
      if (seen.ticks % 4096 == 0) {
        watch.report(position_.offset, source_.contents().file_bytes);
        if (watch.stop()) return fail(error_code::interrupted);
      }
    }
    if (seen.ticks != 0) seen.duration_ms = duration_between(walked_.first_ms, position_.time_ms);
    return {};
  }

  result<bool> next_from(std::uint64_t tick) {
    reel::frame frame;
    auto more = ticks_.next_from(tick, frame);
    ended_ = more && !*more;
    if (!more || !*more) return more;
    // Relative to the beginning of the recording, even if that is lost.
    position_ = {frame.stamp.tick, frame.stamp.time_us / 1000, ticks_.chunk().offset,
                 frame.kind == frame_kind::keyframe};
    return true;
  }

  mutable reel::reader source_;  // head() reads records
  decoded_reel<Ticks> ticks_;
  bool live_ = false;
  bool ended_ = false;
  tick_position position_;
  walked_part walked_;
};

}  // namespace tickreel::files
