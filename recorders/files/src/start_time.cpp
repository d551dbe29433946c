#include "tickreel/files/start_time.hpp"

#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>

#include "tickreel/echo/time.hpp"

namespace tickreel::files {

namespace {

// By the clock of the writer. A clock that counts from 0, such as that of a simulation, has no date.
std::optional<std::int64_t> clock_start_ms(const summary& of) {
  constexpr std::int64_t first_date_us = 315'532'800'000'000;  // 1980
  for (const fact& each : of.facts) {
    const auto* const time_us = std::get_if<std::int64_t>(&each.value);
    if (each.key == "start_time_us" && time_us != nullptr && *time_us >= first_date_us)
      return *time_us / 1000;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> start_time_ms(const summary& of) {
  // Recordings contain "2022/07/16 20:04:58.159", others ISO 8601. The first key that exists counts, since each format
  // has its own.
  const auto time = [&](std::initializer_list<std::string_view> keys) -> std::optional<std::int64_t> {
    for (const std::string_view key : keys) {
      for (const fact& each : of.facts) {
        const auto* const value = std::get_if<std::string>(&each.value);
        if (each.key != key || value == nullptr || value->empty()) continue;
        std::string text = *value;
        if (text.ends_with('Z')) text.pop_back();
        return echo::parse_time(text);
      }
    }
    return std::nullopt;
  };
  if (const auto started = time({"first_time", "started", "start_time", "timestamp"})) return started;
  if (const auto started = clock_start_ms(of)) return started;
  const auto ended = time({"ended"});
  if (!ended) return std::nullopt;
  // The difference of two wall-clock times is real time, independent of the game's clock.
  for (const fact& each : of.facts) {
    const auto* const seconds = std::get_if<double>(&each.value);
    if (each.key == "real_seconds" && seconds != nullptr) return *ended - std::llround(*seconds * 1000);
  }
  return *ended - of.duration_ms;
}

}  // namespace tickreel::files
