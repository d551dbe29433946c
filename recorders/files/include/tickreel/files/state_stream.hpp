// Ticks that may be larger than available memory.
#pragma once

#include <functional>
#include <string_view>

namespace tickreel::files {

// A capability of recordings whose ticks may contain any number of events.
class state_stream {
 public:
  virtual ~state_stream() = default;

  // Writes the text of recording::append_state() in pieces, with at most one event in memory. False if
  // `piece` returned false.
  virtual bool write_state(const std::function<bool(std::string_view)>& piece) const = 0;
};

}  // namespace tickreel::files
