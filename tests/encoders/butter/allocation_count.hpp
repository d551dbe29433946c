// Counts what the whole program allocates.
#pragma once

#include <cstddef>

namespace tickreel::test {

[[nodiscard]] std::size_t allocation_count() noexcept;

}  // namespace tickreel::test
