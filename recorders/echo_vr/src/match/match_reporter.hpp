// Decides which events a match_recorder reports to its listener.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "match_file.hpp"
#include "tickreel/echo/omissions.hpp"
#include "tickreel/echo_vr/match_recorder.hpp"

namespace tickreel::echo_vr {

// report() and the functions about files are thread-safe; all others are for the polling thread.
class match_reporter {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  match_reporter(std::string target, event_function listener)
      : target_(std::move(target)), listener_(std::move(listener)) {}

  void report(record_event event);
  void report(event_kind kind, std::string line);

  // The paths of files that were opened, or whose reels buffer the last `buffer_ms`. False if there are none.
  bool files_started(const std::vector<std::filesystem::path>& opened, std::uint32_t buffer_ms);
  // Published, or why not. A file without ticks, and a buffer, is reported only if it failed.
  void file_finished(const finished_file& done);

  // A state is reported when two polls agree, so that one lost response in a match is not reported.
  void state(const poll_outcome& outcome);

  // Polls lost in a match that continues. The first gap is reported immediately; later ones of an unstable
  // connection as an occasional total.
  void gap(std::uint64_t lost, time_point now);
  void report_gaps(time_point now);
  // The reason of the last poll without a tick; reported with gaps.
  void poll_failed_because(std::string why) { why_ = std::move(why); }
  // Answered polls without a tick after the last tick of a match.
  void lost_at_end(std::uint64_t lost);

  // The deadlines that passed without a poll before a recorded tick, because the response before it was late.
  // Reports once per match that many polls of ten seconds are lost in this way.
  void skipped(std::uint64_t deadlines, time_point now);
  // The hash of a recorded tick's response. Reports once per match that many equal the previous one.
  void response(std::uint64_t hash, time_point now);
  // For all matches.
  [[nodiscard]] std::uint64_t repeated_responses() const noexcept { return repeated_in_all_; }

  // Each kind and value once, with a limit on the total: the counts are reported at the end.
  void omissions(const echo::omission_tally& of_match, bool text_is_stored);

  // Each format once when its files begin to fail, and once when none fails.
  void disk(const std::vector<failing_file>& failing);
  void disk_failed(std::string line);

  void match_ends();

 private:
  void report_gap_total(time_point now);
  [[nodiscard]] std::string take_reason();

  const std::string target_;
  const event_function listener_;
  std::mutex mutex_;
  target_state last_state_ = target_state::connecting;
  target_state reported_state_ = target_state::connecting;
  std::uint64_t gaps_ = 0;  // not reported yet
  std::uint64_t polls_in_gaps_ = 0;
  time_point next_gaps_;
  std::string why_;  // of the last failed poll; empty if unknown
  std::size_t omissions_reported_ = 0;
  std::optional<std::uint64_t> last_response_;  // of the match, by its hash
  time_point first_response_;                   // of the match
  std::uint64_t responses_ = 0;                 // likewise
  std::uint64_t repeated_ = 0;                  // of those
  std::uint64_t repeated_in_all_ = 0;
  bool repeats_reported_ = false;
  time_point window_began_;         // of the last ten seconds with skipped deadlines
  std::uint64_t window_ticks_ = 0;  // 0: no window yet
  std::uint64_t window_skipped_ = 0;
  bool skips_reported_ = false;
  bool disk_fails_ = false;
  std::vector<std::string> failing_formats_;  // reported, by their extensions
};

}  // namespace tickreel::echo_vr
