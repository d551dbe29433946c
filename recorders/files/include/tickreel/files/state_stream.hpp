// Ticks of which one alone may be larger than memory should hold.
#pragma once

#include <functional>
#include <string_view>

namespace tickreel::files {

// What a recording is besides, whose ticks may hold any number of events.
class state_stream {
 public:
  virtual ~state_stream() = default;

  // What recording::append_state() appends, piece by piece, so that no more than one event is in memory.
  // False when `piece` had enough.
  virtual bool write_state(const std::function<bool(std::string_view)>& piece) const = 0;
};

}  // namespace tickreel::files
