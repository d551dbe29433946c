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
  return {{{"default", {}}, {"small", {.hold = butter::small_profile}}}};
}

}  // namespace tickreel::bench
