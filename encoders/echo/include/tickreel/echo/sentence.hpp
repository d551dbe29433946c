// Events for people.
#pragma once

#include <string>

#include "tickreel/echo/events.hpp"

namespace tickreel::echo {

// What happened, in one sentence with the names of those who took part: "Ada stunned Bob". Names are as their
// players chose them. Allocates.
[[nodiscard]] std::string sentence(const event& happened);

}  // namespace tickreel::echo
