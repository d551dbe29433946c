// Selects the events of a reel that belong to a part of it.
#pragma once

#include <optional>

#include "tickreel/echo/omissions.hpp"
#include "tickreel/reel/cut.hpp"

namespace tickreel::files {

// Selects the events of the part's ticks and those that they depend on: descriptions of events, shapes of
// lines, and omissions that the recorder reported before the end of the part. Echo VR events are counted
// again, so that events outside the part are not reported as missing. Must outlive the cut.
class cut_events {
 public:
  void apply_to(reel::cut_options& how);
  // The omissions of the recorder in this part.
  [[nodiscard]] const echo::omission_tally& unrecorded() const noexcept { return unrecorded_; }

 private:
  [[nodiscard]] static bool takes_along(std::uint64_t tick, const reel::event& one, std::uint64_t first_tick,
                                        std::uint64_t last_tick);
  void change(std::uint32_t type, byte_vector& bytes);

  std::optional<std::uint32_t> first_number_;
  echo::omission_tally unrecorded_;
};

}  // namespace tickreel::files
