#include "tickreel/files/recording.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "open_file.hpp"
#include "tickreel/files/format.hpp"

namespace tickreel::files {

namespace {

std::optional<double> number(std::string_view text) noexcept {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, code] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (code != std::errc{} || stopped != end || !std::isfinite(value) || value < 0) return std::nullopt;
  return value;
}

// "90s", "1m30s", "2h", "1h2m3.5s" as seconds: each unit once, the larger first, and only seconds have a
// fraction.
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

std::string_view name(health value) noexcept {
  switch (value) {
    case health::whole:
      return "whole";
    case health::incomplete:
      return "incomplete";
    case health::recovered:
      return "recovered";
    case health::damaged:
      return "damaged";
  }
  return "";
}

std::string_view name(severity value) noexcept {
  switch (value) {
    case severity::note:
      return "note";
    case severity::warning:
      return "warning";
    case severity::error:
      return "error";
  }
  return "";
}

std::optional<double> parse_clock(std::string_view text) noexcept {
  double seconds = 0;
  std::size_t parts = 0;
  for (bool more = true; more; ++parts) {
    const std::size_t colon = text.find(':');
    more = colon != std::string_view::npos;
    const auto part = number(text.substr(0, colon));
    // All but the first count to 60, and only the last has a fraction.
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
    // No game clock counts hours.
    const bool has_hours = std::ranges::count(text, ':') == 2;
    return has_hours ? moment::at_time(*seconds) : moment::at_clock(*seconds);
  }
  if (const auto seconds = spoken_time(text); !named_tick && seconds) return moment::at_time(*seconds);
  std::uint64_t tick = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, code] = std::from_chars(text.data(), end, tick);
  if (code != std::errc{} || stopped != end) return std::nullopt;
  return moment::at_tick(tick);
}

tl::unexpected<error> fail_past_end(const tick_position& last) noexcept {
  return fail(error_code::out_of_range, error::no_offset, "it ends with tick {}, {} ms after its first",
              static_cast<std::int64_t>(last.tick), last.time_ms);
}

result<void> recording::seek(const moment& where) {
  if (auto back = rewind(); !back) return back;
  bool first = true;
  bool was_above = false;
  bool any_clock = false;
  for (;;) {
    auto more = next();
    if (!more) return fail(more.error());
    if (!*more && where.unit == moment::by::clock) {
      if (any_clock)
        return fail(error_code::out_of_range, error::no_offset, "the game clock never falls to that");
      return seek(where.without_game_clock());
    }
    if (!*more) return fail_past_end(position());
    const tick_position& at = position();
    bool reached = false;
    switch (where.unit) {
      case moment::by::tick:
        reached = at.tick >= where.tick;
        break;
      case moment::by::time:
        // Half a millisecond, because times are whole ones.
        reached = static_cast<double>(at.time_ms) >= where.seconds * 1000 - 0.5;
        break;
      case moment::by::clock:
        if (const auto clock = game_clock()) {
          // A clock is a float; 599.9667 is meant by 599.9667.
          constexpr double rounding = 1e-4;
          any_clock = true;
          const bool above = *clock > where.seconds + rounding;
          const bool exact = *clock >= where.seconds - rounding;
          reached = !above && (was_above || (first && exact));
          was_above = above;
          first = false;
        }
        break;
    }
    if (reached) {
      found_ = true;
      return {};
    }
  }
}

result<bool> recording::go_to(std::uint64_t tick) {
  if (const auto sought = seek(moment::at_tick(tick)); !sought) {
    if (sought.error().code == error_code::out_of_range) return false;
    return fail(sought.error());
  }
  for (;;) {
    auto more = next();
    if (!more || !*more || position().tick >= tick) return more;
  }
}

result<growth> recording::extend() {
  if (replaced_ && replaced_()) return growth::other;
  return take_growth();
}

result<growth> recording::take_growth() {
  return fail(error_code::unsupported_operation, error::no_offset, "this format is not followed as it grows");
}

result<summary> recording::go_on(const onlooker&, const monitor&) {
  return fail(error_code::unsupported_operation, error::no_offset, "this format is not followed as it grows");
}

result<std::uint64_t> recording::events(const event_query&, const std::function<bool(std::string_view)>&,
                                        const monitor&) {
  return fail(error_code::unsupported_operation, error::no_offset, "this format holds no events");
}

result<void> recording::statistics(const std::function<bool(const match_rows&)>&, const monitor&) {
  return fail(error_code::unsupported_operation, error::no_offset,
              "what it holds says nothing that statistics of players are made of");
}

result<std::unique_ptr<recording>> open(const byte_source& from, const open_options& options) {
  const auto found = detect(from);
  if (!found) return fail(found.error());
  return (*found)->open(from, options);
}

result<std::unique_ptr<recording>> open(byte_span recording, const open_options& options) {
  return open(byte_source(recording), options);
}

result<std::unique_ptr<recording>> open(const file_path& path, const open_options& options) {
  const auto from = open_file(path);
  if (!from) return fail(from.error());
  auto opened = open(*from, options);
  if (opened && options.live) (*opened)->replaced_ = replacement_of(path);
  return opened;
}

}  // namespace tickreel::files
