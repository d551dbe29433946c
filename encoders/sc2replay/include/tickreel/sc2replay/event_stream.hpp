// The common part of the readers of the three event streams.
#pragma once

#include <cstdint>

#include "tickreel/bytes/span.hpp"

namespace tickreel::sc2replay {

class event_stream {
 public:
  // Where the next event starts.
  [[nodiscard]] std::uint64_t offset() const noexcept { return position_; }

 protected:
  event_stream(byte_span stream, std::uint32_t base_build) noexcept
      : stream_(stream), base_build_(base_build) {}

  [[nodiscard]] bool at_end() const noexcept { return position_ == stream_.size(); }
  [[nodiscard]] byte_span rest() const noexcept {
    return stream_.subspan(static_cast<std::size_t>(position_));
  }
  // Advances past an event of that size.
  void pass(std::size_t bytes, std::uint32_t tick) noexcept {
    position_ += bytes;
    tick_ = tick;
    failed_ = false;
  }

  byte_span stream_;
  std::uint32_t base_build_;
  std::uint64_t position_ = 0;
  std::uint32_t tick_ = 0;  // of the event before
  bool failed_ = false;     // permanently
};

}  // namespace tickreel::sc2replay
