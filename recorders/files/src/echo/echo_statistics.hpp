// Computes rows of player statistics from a match's ticks.
#pragma once

#include <functional>

#include "tickreel/echo/events.hpp"
#include "tickreel/echo/statistics.hpp"
#include "tickreel/files/echo_source.hpp"
#include "tickreel/files/statistics.hpp"

namespace tickreel::files {

// Splits a recording's ticks into matches, where the session changes, and returns the rows of each. Values
// that depend on missing ticks are uncertain: those from times and events if ticks are missing between, all
// values if the recording lacks more.
class echo_matches {
 public:
  explicit echo_matches(const std::function<bool(const match_rows&)>& each) : each_(&each) {}
  // False if the callback wants no more rows. Reads the losses of `source` at the end of a match.
  bool see(const echo::state& now, std::uint64_t tick, const echo_source& source);
  void finish(const echo_source& source);
  // Over all matches, see echo::statistics.
  [[nodiscard]] std::uint64_t players_left_out() const noexcept { return players_left_out_; }

 private:
  bool give(const echo_source& source);

  const std::function<bool(const match_rows&)>* each_;
  echo::event_detector detector_;
  echo::statistics counted_;
  match_rows match_;
  std::int64_t first_time_ms_ = 0;
  std::int64_t last_time_ms_ = 0;
  std::uint64_t players_left_out_ = 0;
  bool any_ = false;
};

}  // namespace tickreel::files
