// Blocks of an existing recording as part of a plan.
#pragma once

#include <cstddef>
#include <vector>

#include "tickreel/npc/vec3.hpp"
#include "tickreel/samp_rec/on_foot.hpp"
#include "tickreel/samp_rec/vehicle.hpp"

namespace tickreel::npc {

struct recorded {
  samp_rec::recording_kind kind = samp_rec::recording_kind::none;
  std::vector<samp_rec::vehicle_block> vehicle;  // filled for recording_kind::vehicle
  std::vector<samp_rec::on_foot_block> on_foot;  // filled for recording_kind::on_foot

  [[nodiscard]] bool empty() const noexcept { return vehicle.empty() && on_foot.empty(); }
  [[nodiscard]] std::size_t blocks() const noexcept { return vehicle.size() + on_foot.size(); }

  // Calls use(vector of blocks) with the vector of its kind.
  template <class Self, class Use>
  static decltype(auto) visit(Self& self, Use&& use) {
    return self.kind == samp_rec::recording_kind::on_foot ? use(self.on_foot) : use(self.vehicle);
  }
  [[nodiscard]] double duration_s() const noexcept {
    const auto of = [](const auto& blocks) {
      return blocks.empty() ? 0.0 : (blocks.back().time_ms - blocks.front().time_ms) / 1000.0;
    };
    return kind == samp_rec::recording_kind::on_foot ? of(on_foot) : of(vehicle);
  }
};

struct place_and_heading {
  vec3 position;
  double heading_deg = 0;
};
// Of a non-empty recording.
[[nodiscard]] place_and_heading first_place(const recorded& of) noexcept;
[[nodiscard]] place_and_heading last_place(const recorded& of) noexcept;

}  // namespace tickreel::npc
