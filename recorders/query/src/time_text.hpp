// Times of day as `stats --csv` writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tickreel/echo/time.hpp"

namespace tickreel::query {

// "2022-07-16 20:04:58"; empty if unknown.
[[nodiscard]] inline std::string time_text(const std::optional<std::int64_t>& ms) {
  if (!ms) return {};
  const auto text = echo::format_time(*ms);
  std::string out(text.data(), 19);  // without the fraction
  out[4] = out[7] = '-';
  return out;
}

}  // namespace tickreel::query
