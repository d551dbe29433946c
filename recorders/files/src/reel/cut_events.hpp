// Which events of a reel belong to a part of it.
#pragma once

#include <optional>

#include "tickreel/echo/omissions.hpp"
#include "tickreel/reel/cut.hpp"

namespace tickreel::files {

// Those of its ticks, and from elsewhere: what described events are made of, the shapes that lines of its
// ticks have, and what the recorder left out before its end. Echo VR events are counted anew, so that those
// outside of it are not missed. Must outlive the cut.
class cut_events {
 public:
  void apply_to(reel::cut_options& how);
  // What a recorder left out, as the part tells.
  [[nodiscard]] const echo::omission_tally& unrecorded() const noexcept { return unrecorded_; }

 private:
  [[nodiscard]] static bool takes_along(std::uint64_t tick, const reel::event& one, std::uint64_t first_tick,
                                        std::uint64_t last_tick);
  void change(std::uint32_t type, byte_vector& bytes);

  std::optional<std::uint32_t> first_number_;
  echo::omission_tally unrecorded_;
};

}  // namespace tickreel::files
