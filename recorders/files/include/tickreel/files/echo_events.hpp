// Events of Echo VR matches in reels: derived while a reel is recorded, and stored in it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tickreel/bytes/span.hpp"
#include "tickreel/echo/events.hpp"
#include "tickreel/reel/format.hpp"

namespace tickreel::files {

// The metadata entry of reels that store their events. In reels without it, readers derive events from the
// ticks.
inline constexpr std::string_view echo_events_key = "echo_events";
[[nodiscard]] inline reel::metadata_entry echo_events_entry() {
  return {std::string(echo_events_key), {std::byte{1}}};
}

// Derives events from ticks and records them. Call it for every tick, from one thread.
template <class Recorder>
class echo_event_log {
 public:
  // Of `to`, only event(stamp, type, bytes) is called.
  void see(Recorder& to, frame_stamp stamp, const echo::state& state) noexcept {
    listener into(*this, to);
    stamp_ = stamp;
    detector_.see(stamp.tick, state, into);
  }
  void note_lost() noexcept { detector_.note_lost(); }
  [[nodiscard]] std::uint32_t count() const noexcept { return number_; }
  // Call before the recorder is closed.
  void finish(Recorder& to) noexcept {
    listener into(*this, to);
    detector_.finish(into);
  }

 private:
  class listener final : public echo::event_listener {
   public:
    listener(echo_event_log& log, Recorder& to) noexcept : log_(&log), to_(&to) {}
    void happened(const echo::event& what) noexcept override {
      std::array<std::byte, echo::max_event_record_bytes> room;
      const std::size_t size = echo::write_event_record(what, log_->number_++, room);
      // The recorder counts an event that it refuses.
      (void)to_->event(log_->stamp_, echo::event_record, byte_span(room).first(size));
    }

   private:
    echo_event_log* log_;
    Recorder* to_;
  };

  echo::event_detector detector_;
  frame_stamp stamp_;
  std::uint32_t number_ = 0;
};

}  // namespace tickreel::files
