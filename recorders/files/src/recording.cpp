#include "tickreel/files/recording.hpp"

namespace tickreel::files {

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
        // Half a millisecond, because tick times are whole milliseconds.
        reached = static_cast<double>(at.time_ms) >= where.seconds * 1000 - 0.5;
        break;
      case moment::by::clock:
        if (const auto clock = game_clock()) {
          // A clock is a float: 599.9667 must match 599.9667.
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

std::optional<double> recording::game_clock() noexcept {
  const echo_states* const ticks = offers().echo;
  return ticks != nullptr ? ticks->game_clock() : std::nullopt;
}

const echo::state* recording::echo_state() noexcept {
  const echo_states* const ticks = offers().echo;
  return ticks != nullptr ? ticks->echo_state() : nullptr;
}

std::string recording::lines_before() {
  const surrounding_lines* const lines = offers().lines;
  return lines != nullptr ? lines->lines_before() : std::string();
}

result<std::string> recording::lines_after() {
  surrounding_lines* const lines = offers().lines;
  return lines != nullptr ? lines->lines_after() : std::string();
}

std::vector<entrance> recording::entrances() {
  const entry_points* const entries = offers().entries;
  return entries != nullptr ? entries->entrances() : std::vector<entrance>();
}

void recording::learn(const std::vector<entrance>& known) {
  if (entry_points* const entries = offers().entries) entries->learn(known);
}

result<growth> recording::extend() {
  if (replaced_ && replaced_()) return growth::other;
  if (growing_recording* const growth = offers().growth) return growth->take_growth();
  return fail(error_code::unsupported_operation, error::no_offset, not_incremental);
}

result<summary> recording::resume(const observer& to, const monitor& watch) {
  if (growing_recording* const growth = offers().growth) return growth->resume(to, watch);
  return fail(error_code::unsupported_operation, error::no_offset, not_incremental);
}

result<std::uint64_t> recording::events(const event_query& query,
                                        const std::function<bool(std::string_view)>& each,
                                        const monitor& watch) {
  if (event_source* const source = offers().events) return source->events(query, each, watch);
  return fail(error_code::unsupported_operation, error::no_offset, "this format contains no events");
}

result<std::vector<std::string>> recording::event_types() {
  if (event_source* const source = offers().events) return source->event_types();
  return std::vector<std::string>();
}

result<void> recording::statistics(const std::function<bool(const match_rows&)>& each, const monitor& watch) {
  if (statistics_source* const source = offers().statistics) return source->statistics(each, watch);
  return fail(error_code::unsupported_operation, error::no_offset, "this recording has no player statistics");
}

}  // namespace tickreel::files
