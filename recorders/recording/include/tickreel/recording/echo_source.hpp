// Where Echo VR ticks come from: a recording of any format that holds them, or the simulator.
#pragma once

#include <string_view>

#include "tickreel/echo/state.hpp"
#include "tickreel/result.hpp"

namespace tickreel::recording {

// Gives ticks one after the other. One thread at a time; memory does not grow with the recording.
class echo_source {
 public:
  virtual ~echo_source() = default;

  // The next tick into `out`. False at the end. After an error the source is at its end.
  virtual result<bool> next(echo::state& out) = 0;

  // The API's own text of the tick that next() gave last, where the recording kept it; else empty. Valid
  // until the next call.
  [[nodiscard]] virtual std::string_view session_json() const noexcept { return {}; }
  [[nodiscard]] virtual std::string_view bones_json() const noexcept { return {}; }

  // Back to the first tick.
  virtual result<void> rewind() = 0;
};

}  // namespace tickreel::recording
