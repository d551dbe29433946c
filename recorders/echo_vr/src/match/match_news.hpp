// What a match_recorder tells its listener, and when that is worth a line.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "tickreel/echo/omissions.hpp"
#include "tickreel/echo_vr/match_recorder.hpp"

namespace tickreel::echo_vr {

// report() by any thread, everything else by the polling one.
class match_news {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  match_news(std::string target, event_function listener)
      : target_(std::move(target)), listener_(std::move(listener)) {}

  void report(record_event event);
  void report(event_kind kind, std::string line);

  // A state is told when it is there twice, so that one lost answer in a match is no news.
  void state(const poll_outcome& outcome);

  // Polls lost in a match that goes on. The first gap is told at once; a connection that comes and goes is
  // told by its sum now and then.
  void gap(std::uint64_t lost, time_point now);
  void gaps_so_far(time_point now);
  // Why the last poll without a tick had none; gaps are reported with it.
  void poll_failed_because(std::string why) { why_ = std::move(why); }
  // Polls behind the last tick of a match that were answered and gave no tick.
  void lost_at_end(std::uint64_t lost);

  // The response of a recorded tick, by its hash. Reports once a match that many equal the one before.
  void response(std::uint64_t hash, time_point now);
  // Of all matches.
  [[nodiscard]] std::uint64_t repeated_responses() const noexcept { return repeated_in_all_; }

  // Each kind and value once, and no more than a few in all: the sums are told at the end.
  void omissions(const echo::omission_tally& of_match, bool words_are_kept);

  // Once when it begins and once when it is over.
  void disk(const std::optional<error>& why);
  void disk_failed(std::string line);

  void match_ends();

 private:
  void tell_gaps(time_point now);
  [[nodiscard]] std::string take_reason();

  const std::string target_;
  const event_function listener_;
  std::mutex mutex_;
  target_state last_state_ = target_state::connecting;
  target_state told_state_ = target_state::connecting;
  std::uint64_t gaps_ = 0;  // not told yet
  std::uint64_t polls_in_gaps_ = 0;
  time_point next_gaps_;
  std::string why_;  // of the last failed poll; empty when it is not known
  std::size_t omissions_told_ = 0;
  std::optional<std::uint64_t> last_response_;  // of the match, by its hash
  time_point first_response_;                   // of the match
  std::uint64_t responses_ = 0;                 // likewise
  std::uint64_t repeated_ = 0;                  // of those
  std::uint64_t repeated_in_all_ = 0;
  bool repeats_told_ = false;
  bool disk_fails_ = false;
};

}  // namespace tickreel::echo_vr
