#include "tickreel/files/moment.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "tickreel/text/ascii.hpp"

namespace tickreel::files {

namespace {

std::optional<double> number(std::string_view text) noexcept {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, code] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (code != std::errc{} || stopped != end || !std::isfinite(value) || value < 0) return std::nullopt;
  return value;
}

// "90s", "1m30s", "2h", "1h2m3.5s" as seconds: each unit at most once, in descending order; only seconds may
// have a fraction.
std::optional<double> spoken_time(std::string_view text) noexcept {
  constexpr std::pair<char, double> units[] = {{'h', 3600}, {'m', 60}, {'s', 1}};
  double seconds = 0;
  bool any = false;
  for (const auto& [letter, factor] : units) {
    const std::size_t end = text.find(letter);
    if (end == std::string_view::npos) continue;
    const auto part = number(text.substr(0, end));
    if (!part || (letter != 's' && *part != std::floor(*part))) return std::nullopt;
    seconds += *part * factor;
    any = true;
    text.remove_prefix(end + 1);
  }
  return any && text.empty() ? std::optional(seconds) : std::nullopt;
}

}  // namespace

std::optional<double> parse_clock(std::string_view text) noexcept {
  double seconds = 0;
  std::size_t parts = 0;
  for (bool more = true; more; ++parts) {
    const std::size_t colon = text.find(':');
    more = colon != std::string_view::npos;
    const auto part = number(text.substr(0, colon));
    // All but the first part are below 60, and only the last may have a fraction.
    const bool fits = part && (parts == 0 || *part < 60) && (!more || *part == std::floor(*part));
    if (!fits) return std::nullopt;
    seconds = seconds * 60 + *part;
    if (more) text.remove_prefix(colon + 1);
  }
  if (parts != 2 && parts != 3) return std::nullopt;
  return seconds;
}

std::optional<moment> parse_moment(std::string_view text) noexcept {
  constexpr std::string_view clock = "clock:";
  if (text.starts_with(clock)) {
    text.remove_prefix(clock.size());
    const auto seconds = text.find(':') == std::string_view::npos ? number(text) : parse_clock(text);
    if (!seconds) return std::nullopt;
    return moment::at_clock(*seconds);
  }
  constexpr std::string_view tick_word = "tick:";
  const bool named_tick = text.starts_with(tick_word);
  if (named_tick) text.remove_prefix(tick_word.size());
  if (!named_tick && text.find(':') != std::string_view::npos) {
    const auto seconds = parse_clock(text);
    if (!seconds) return std::nullopt;
    // Game clocks have no hours.
    const bool has_hours = std::ranges::count(text, ':') == 2;
    return has_hours ? moment::at_time(*seconds) : moment::at_clock(*seconds);
  }
  if (const auto seconds = spoken_time(text); !named_tick && seconds) return moment::at_time(*seconds);
  const auto tick = text::parse_number<std::uint64_t>(text);
  if (!tick) return std::nullopt;
  return moment::at_tick(*tick);
}

}  // namespace tickreel::files
