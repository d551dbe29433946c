// The name of this machine.
#pragma once

#include <string>

namespace tickreel::fleet {

[[nodiscard]] std::string host_name();

}  // namespace tickreel::fleet
