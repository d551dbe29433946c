// Scans the reel of a match in a repeatable way and returns its usable content.
#pragma once

#include <functional>
#include <optional>

#include "keyframe_chain.hpp"
#include "match_frame.hpp"
#include "tickreel/codec/lz4_block.hpp"
#include "tickreel/game/match.hpp"
#include "tickreel/icrep/bc1.hpp"
#include "tickreel/icrep/metadata.hpp"
#include "tickreel/reel/frame_stream.hpp"

namespace tickreel::game {

// Whether readers of an .icrep accept it.
inline bool is_readable(const framed_keyframe& keyframe) noexcept {
  const icrep::limits most;
  const std::size_t stored = keyframe.bytes.size();
  return keyframe.raw_bytes <= most.snapshot_bytes &&
         (stored == keyframe.raw_bytes || keyframe.raw_bytes / most.ratio < stored);
}

// The BC1 of a keyframe from any form in a frame: in place, or in `buffer`.
inline result<byte_span> raw_of(const framed_keyframe& keyframe, byte_vector& buffer) {
  if (keyframe.bytes.size() == keyframe.raw_bytes) return keyframe.bytes;
  auto done = lz4_block_decompress(keyframe.bytes, keyframe.raw_bytes, buffer);
  if (!done) return fail(done.error());
  return byte_span(buffer);
}

inline bool is_link(byte_span frame) noexcept {
  return !frame.empty() && (frame.front() & std::byte{chain_part}) != std::byte{0};
}

// Called with the tick that a scan has reached; an error ends it.
using scan_progress = std::function<result<void>(std::uint64_t)>;

// A frame of the reel, and its keyframe if its baseline was returned.
struct sound_frame {
  std::uint64_t tick = 0;
  std::uint64_t offset = 0;  // of its record, in the reel
  match_frame content;
  std::optional<icrep::tick_frame> orders;
};

// Takes the frames of the reel in order, and returns the usable content of each.
class sound_frames {
 public:
  // `head` must outlive it.
  sound_frames(const reel::header& head, std::uint64_t reel_bytes) noexcept
      : head_(head), reel_bytes_(reel_bytes) {}

  // The first frame is next.
  void restart() noexcept {
    last_full_.reset();
    last_keyframe_.reset();
    last_tick_.reset();
    if (chain_) chain_->begin_scan();
  }

  // False if anything in it is unusable.
  bool take(const reel::frame& from, sound_frame& out) {
    const bool rises = !last_tick_ || from.stamp.tick > *last_tick_;
    if (!rises || !read_match_frame(from.bytes, out.content)) {
      out.content = {};
      return false;
    }
    last_tick_ = out.tick = from.stamp.tick;
    bool sound = true;
    if (!out.content.orders.empty()) {
      auto orders = icrep::read_bc1<icrep::tick_frame>(out.content.orders);
      if (orders && orders->tick == out.tick) {
        out.orders = std::move(*orders);
      } else {
        sound = false;
      }
    }
    if (out.content.keyframe && !take_keyframe(out)) {
      out.content.keyframe.reset();
      sound = false;
    }
    return sound;
  }

  // The limits of links are exceeded: no more keyframes are returned.
  [[nodiscard]] const std::optional<error>& spent() const noexcept { return spent_; }

 private:
  // A delta without its baseline is useless.
  bool take_keyframe(sound_frame& out) {
    framed_keyframe& keyframe = *out.content.keyframe;
    const auto state_hash = out.orders ? std::optional(out.orders->state_hash) : std::nullopt;
    if (keyframe.chained) {
      const auto made = chain().next(keyframe.bytes, out.tick, state_hash);
      if (!made) {
        if (chain().is_spent()) spent_ = made.error();
        return false;
      }
      keyframe = *made;
    } else if (keyframe.full && !keyframe.stored) {
      chain().begin(keyframe, out.tick, state_hash);
    } else if (chain_) {
      chain_->drop();
    }
    const bool stands =
        keyframe.full || keyframe.baseline_tick == last_full_ || keyframe.baseline_tick == last_keyframe_;
    if (!stands || !is_readable(keyframe)) {
      if (chain_) chain_->drop();
      return false;
    }
    if (keyframe.full) last_full_ = out.tick;
    last_keyframe_ = out.tick;
    return true;
  }

  keyframe_chain_reader& chain() {
    if (!chain_) {
      const auto facts = icrep::read_metadata(as_text(head_.schema));
      chain_.emplace(facts ? *facts : icrep::metadata{}, chain_limits::of(reel_bytes_));
    }
    return *chain_;
  }

  const reel::header& head_;
  std::uint64_t reel_bytes_;
  std::optional<std::uint64_t> last_full_;
  std::optional<std::uint64_t> last_keyframe_;
  std::optional<std::uint64_t> last_tick_;
  std::optional<keyframe_chain_reader> chain_;
  std::optional<error> spent_;
};

// Scans the reel, each time in the same way. Losses are counted and skipped; errors mean that the reel is
// unreadable.
class match_scan {
 public:
  // Returns the content of one part of the match; frames of other parts are still checked.
  match_scan(reel::reader& from, const match_part& part)
      : from_(from), part_(part), frames_(from.head(), from.contents().file_bytes) {}

  // each(sound_frame&), result<void>; `progress(tick)` periodically, and before each link of a chain.
  template <class Progress, class Each>
  result<void> frames(Progress&& progress, Each&& each) {
    frames_.restart();
    std::uint64_t count = 0;
    return items([&](const reel::item& next) -> result<void> {
      if (next.kind != reel::item_kind::frame) return {};
      if (count++ % 64 == 0 || is_link(next.frame.bytes)) {
        if (auto going = progress(next.frame.stamp.tick); !going) return going;
      }
      sound_frame found;
      if (!frames_.take(next.frame, found)) damaged();
      if (frames_.spent()) {
        error what = *frames_.spent();
        what.offset = next.in->info.offset;
        return fail(what);
      }
      found.offset = next.in->info.offset;
      if (!is_in_part(found.tick)) return {};
      return found.content.keyframe || found.orders ? each(found) : result<void>{};
    });
  }
  // each(const reel::event&); returns whether it was valid.
  template <class Each>
  result<void> events(Each&& each) {
    return items([&](const reel::item& next) -> result<void> {
      if (next.kind == reel::item_kind::frame) at_tick_ = next.frame.stamp.tick;
      if (next.kind != reel::item_kind::event || !is_in_part(tick_of(next.event))) return {};
      if (!each(next.event)) damaged();
      return {};
    });
  }

  [[nodiscard]] std::uint64_t damaged_parts() const noexcept { return damaged_; }
  // Whether recovery has left gaps in the reel, which its recorder did not know about.
  [[nodiscard]] bool lost_before() const noexcept { return lost_before_; }
  // Whether losses of the reel, and damage in it, are counted; a repeated scan must not count them twice.
  void count(bool losses, bool parts) noexcept {
    count_losses_ = losses;
    count_parts_ = parts;
  }

 private:
  template <class Each>
  result<void> items(Each&& each) {
    reel::frame_stream walk(from_);
    reel::item next;
    for (;;) {
      const auto more = walk.next(next);
      if (!more) return fail(more.error());
      if (!*more) return {};
      if (next.kind == reel::item_kind::loss) {
        const bool matters =
            next.lost.kind != reel::record_kind::index && next.lost.kind != reel::record_kind::end;
        if (matters && count_losses_) ++damaged_;
        continue;
      }
      if (next.kind == reel::item_kind::gap) {
        const bool by_damage = next.gap.reason > reel::gap_reason::recorder_died;
        const bool by_death = next.gap.reason == reel::gap_reason::recorder_died && next.gap.ticks != 0;
        lost_before_ = lost_before_ || by_damage || by_death;
      }
      if (auto done = each(next); !done) return done;
    }
  }

  [[nodiscard]] bool is_in_part(std::uint64_t tick) const noexcept {
    return tick >= part_.first_tick && (tick < part_.end_tick || part_.number == part_.of);
  }
  // The tick follows an event's type and a voice packet's player; consent to recording has the tick of its
  // position.
  [[nodiscard]] std::uint64_t tick_of(const reel::event& from_reel) const noexcept {
    byte_reader in(from_reel.bytes);
    in.skip(sizeof(std::uint32_t));
    const std::uint64_t tick = in.u64();
    return in.ok() ? tick : at_tick_;
  }

  void damaged() noexcept {
    if (count_parts_) ++damaged_;
  }

  reel::reader& from_;
  const match_part& part_;
  std::uint64_t at_tick_ = 0;
  std::uint64_t damaged_ = 0;
  bool lost_before_ = false;
  bool count_losses_ = true;
  bool count_parts_ = true;
  sound_frames frames_;
};

}  // namespace tickreel::game
