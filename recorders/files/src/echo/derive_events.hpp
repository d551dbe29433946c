// Derives events from Echo VR ticks and writes them into a reel.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "echo_input.hpp"
#include "tickreel/echo/events.hpp"
#include "tickreel/reel/writer.hpp"

namespace tickreel::files {

// Reads a reel in parallel with a copy of it, and appends the events of its ticks to the copy.
class event_deriver final : private echo::event_listener {
 public:
  // `ticks` of the reel; times in the copy are relative to `start_time_us`.
  event_deriver(std::unique_ptr<echo_input> ticks, std::int64_t start_time_us);

  // Appends the events of all ticks up to `last`; without `last`, of all remaining ticks, and closes the
  // input.
  result<void> append_up_to(const std::optional<frame_stamp>& last, reel::writer& to);
  [[nodiscard]] std::uint32_t count() const noexcept { return number_; }

 private:
  void happened(const echo::event& what) noexcept override;

  std::unique_ptr<echo_input> ticks_;
  std::unique_ptr<echo::state> tick_ = std::make_unique<echo::state>();
  std::int64_t start_time_us_;
  echo::event_detector detector_;
  bool held_ = false;  // a tick after `last` was read
  frame_stamp stamp_;
  std::uint32_t number_ = 0;
  std::vector<byte_vector> found_;  // of the current tick
};

}  // namespace tickreel::files
