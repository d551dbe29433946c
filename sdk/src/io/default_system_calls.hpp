// The system calls that system_calls::real() returns, for tests that inject faults into whole programs. POSIX only.
#pragma once

#include "tickreel/io/file.hpp"

namespace tickreel {

// Replace it before other threads exist.
[[nodiscard]] system_calls*& default_system_calls() noexcept;

}  // namespace tickreel
