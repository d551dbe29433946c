// The events of Echo VR ticks on their way into a reel.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "echo_input.hpp"
#include "tickreel/echo/events.hpp"
#include "tickreel/reel/writer.hpp"

namespace tickreel::files {

// Reads a reel beside those who copy it, and appends the events of its ticks to the copy.
class event_deriver final : private echo::event_listener {
 public:
  // Of the reel, whose time is counted from `start_time_us`.
  event_deriver(std::unique_ptr<echo_input> ticks, std::int64_t start_time_us);

  // Those of all ticks up to `last`; of all that there are, and the input is let go, without one.
  result<void> append_up_to(const std::optional<frame_stamp>& last, reel::writer& to);
  [[nodiscard]] std::uint32_t count() const noexcept { return number_; }

 private:
  void happened(const echo::event& what) noexcept override;

  std::unique_ptr<echo_input> ticks_;
  std::unique_ptr<echo::state> tick_ = std::make_unique<echo::state>();
  std::int64_t start_time_us_;
  echo::event_detector detector_;
  bool held_ = false;  // a tick behind those that were asked for
  frame_stamp stamp_;
  std::uint32_t number_ = 0;
  std::vector<byte_vector> found_;  // of the tick under way
};

}  // namespace tickreel::files
