// What a match's ticks say about its players, as rows.
#pragma once

#include <functional>

#include "tickreel/echo/events.hpp"
#include "tickreel/echo/statistics.hpp"
#include "tickreel/files/echo_source.hpp"
#include "tickreel/files/statistics.hpp"

namespace tickreel::files {

// Splits a recording's ticks into matches, where the session changes, and gives the rows of each. Values that
// stand on lost ticks are uncertain: those from times and events where ticks are missing in between, all of
// them where the recording lacks more.
class echo_matches {
 public:
  explicit echo_matches(const std::function<bool(const match_rows&)>& each) : each_(&each) {}
  // False when no more is wanted. `source` is asked for its losses when a match is over.
  bool see(const echo::state& now, std::uint64_t tick, const echo_source& source);
  void finish(const echo_source& source);
  // Of all matches, see echo::statistics.
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
