// The settings of the butter encoder that are measured.
#pragma once

#include <array>
#include <string_view>

#include "tickreel/butter/options.hpp"

namespace tickreel::bench {

struct profile {
  std::string_view name;
  butter::encoder_options options;
};

[[nodiscard]] inline std::array<profile, 2> profiles() {
  return {{{"default", {}},
           {"small",
            {.hold = {.position_m = 0.004f,
                      .rotation_deg = 1.0f,
                      .velocity_mps = 0.05f,
                      .bone_position_m = 0.004f,
                      .bone_rotation_deg = 1.0f}}}}};
}

}  // namespace tickreel::bench
