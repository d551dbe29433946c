// The workload: a seeded arena match, four against four and a spectator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tickreel/echo/state.hpp"

namespace tickreel::bench {

struct match_options {
  bool bones = false;
  std::uint32_t rate_hz = 60;
  std::size_t ticks = 300;
};

// The same on every machine and in every run.
[[nodiscard]] std::vector<echo::state> arena_match(const match_options& options);

// The bytes that copy_state moves for this state.
[[nodiscard]] std::size_t used_bytes(const echo::state& state) noexcept;

}  // namespace tickreel::bench
