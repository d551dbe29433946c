#include "tickreel/files/range.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "tickreel/counted.hpp"

namespace tickreel::files {

namespace {

// Half a millisecond, because tick times are whole milliseconds and a clock is a float.
constexpr double time_rounding_ms = 0.5;
constexpr double clock_rounding_s = 1e-4;

// One side of a range. `plain` is minutes and seconds, which may mean time or game clock.
struct side {
  std::optional<moment> place;
  bool plain = false;
};

std::optional<side> read_side(std::string_view text) {
  side out;
  if (text.empty()) return out;
  out.place = parse_moment(text);
  if (!out.place) return std::nullopt;
  const bool bare = text.find_first_not_of("0123456789:.") == std::string_view::npos;
  out.plain = bare && std::ranges::count(text, ':') == 1;
  return out;
}

std::string time_text(std::int64_t milliseconds) {
  const bool negative = milliseconds < 0;
  const auto ms =
      negative ? 0 - static_cast<std::uint64_t>(milliseconds) : static_cast<std::uint64_t>(milliseconds);
  const auto padded = [](std::uint64_t number, std::size_t digits) {
    std::string text = std::to_string(number);
    text.insert(0, digits - std::min(digits, text.size()), '0');
    return text;
  };
  const std::uint64_t rest = ms % 60'000;
  return (negative ? "-" : "") + std::to_string(ms / 60'000) + ':' + padded(rest / 1000, 2) + '.' +
         padded(rest % 1000, 3);
}

}  // namespace

bool is_after(const moment& end, std::uint64_t tick, std::int64_t time_ms,
              const std::optional<double>& clock) noexcept {
  if (end.unit == moment::by::tick) return tick > end.tick;
  if (end.unit == moment::by::clock && clock) return *clock < end.seconds - clock_rounding_s;
  return static_cast<double>(time_ms) > end.seconds * 1000 + time_rounding_ms;
}

bool is_before(const moment& begin, std::uint64_t tick, std::int64_t time_ms,
               const std::optional<double>& clock) noexcept {
  if (begin.unit == moment::by::tick) return tick < begin.tick;
  if (begin.unit == moment::by::clock && clock) return false;
  return static_cast<double>(time_ms) < begin.seconds * 1000 - time_rounding_ms;
}

namespace {
// No recording is longer; a double represents such milliseconds exactly.
constexpr double max_ms = 9e15;
}  // namespace

std::int64_t first_us_from(const moment& begin) noexcept {
  const double ms = std::ceil(std::clamp(begin.seconds * 1000 - time_rounding_ms, -max_ms, max_ms));
  const auto whole = static_cast<std::int64_t>(ms);
  // Milliseconds are truncated towards 0.
  return whole > 0 ? whole * 1000 : whole * 1000 - 999;
}

std::int64_t first_us_after(const moment& end) noexcept {
  const double ms = std::floor(std::clamp(end.seconds * 1000 + time_rounding_ms, -max_ms, max_ms));
  return (static_cast<std::int64_t>(ms) + 1) * 1000;
}

std::string read_range(std::string_view from, std::string_view to, tick_range& out) {
  const auto first = read_side(from);
  const auto last = read_side(to);
  for (const auto& [option, text, read] :
       {std::tuple("--from ", from, &first), std::tuple("--to ", to, &last)}) {
    if (!*read) {
      return option + std::string(text) +
             ": not a tick (tick:1200), a time (1m30s, 00:01:30) or a game clock (clock:08:30)";
    }
  }
  out = {first->place, last->place};
  if (first->plain || last->plain) {
    const std::string& word = std::string(first->plain ? from : to);
    const std::string which =
        ": write clock:" + word + " for the game's clock, or 00:" + word + " for the time in the file";
    if (!first->plain || !last->plain) {
      return word + " could be either clock" + which;
    }
    if (first->place->seconds == last->place->seconds) {
      return "--from " + word + " --to " + word + " are the same, and could be either clock" + which;
    }
    if (first->place->seconds < last->place->seconds) {
      out.from = moment::at_time(first->place->seconds);
      out.to = moment::at_time(last->place->seconds);
    }
    return {};
  }
  if (!out.from || !out.to || out.from->unit != out.to->unit) return {};
  const std::string sides = "--from " + std::string(from) + " is after --to " + std::string(to);
  switch (out.from->unit) {
    case moment::by::tick:
      return out.to->tick < out.from->tick ? sides : std::string();
    case moment::by::time:
      return out.to->seconds < out.from->seconds ? sides : std::string();
    case moment::by::clock:
      return out.to->seconds > out.from->seconds
                 ? sides + ": the game's clock counts down, so --from must be the higher one"
                 : std::string();
  }
  return {};
}

std::string cut_place::sentence(std::string_view file) const {
  std::string text = "cut from " + std::string(file);
  if (first_tick && last_tick) {
    text += ", ticks " + std::to_string(*first_tick) + " to " + std::to_string(*last_tick);
  }
  return text + ", " + time_text(first_ms) + " to " + time_text(last_ms);
}

std::string cut_place::sentence_of_start() const {
  if (lead_in_ticks == 0) return {};
  return "it begins " + time_text(lead_in_ms) + " (" + counted(lead_in_ticks, "tick") +
         ") earlier than requested, at the keyframe that the requested ticks depend on";
}

}  // namespace tickreel::files
