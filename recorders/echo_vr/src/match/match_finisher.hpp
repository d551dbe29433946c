// Finishes matches on a thread of its own: closes, publishes and reports their files.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "match_reporter.hpp"
#include "open_match.hpp"
#include "tickreel/echo_vr/match_recorder.hpp"
#include "tickreel/workers/worker_pool.hpp"

namespace tickreel::echo_vr {

// The status of a recorder, which its polling thread and its finisher update. Lock `mutex` for all members.
struct shared_status {
  std::mutex mutex;
  match_status status;
  std::uint64_t dropped_in_finished = 0;
  std::uint64_t left_out_in_finished = 0;
  std::uint64_t unwritten_ticks = 0;  // of matches for which no file could be opened
};

// The polling thread calls everything except cancel(), which is thread-safe.
class match_finisher {
 public:
  // All must outlive it.
  match_finisher(const match_options& options, match_reporter& reporter, shared_status& shared)
      : options_(options), reporter_(reporter), shared_(shared) {}

  // `kept`: the number of its ticks that another match also holds. Ignores null.
  void add(std::unique_ptr<open_match> ended, std::uint64_t kept);
  // Counts the ticks of a match that the disk refused in every format.
  void give_up(const open_match& failed, std::uint64_t kept);
  // Counts its files, when no more ticks of that match arrive. A buffer's files are not published anyway.
  void count_unopened_files();
  // Cancels publishing; the reels stay.
  void cancel() noexcept { is_cancelled_.store(true, std::memory_order_relaxed); }
  // Waits until all matches are finished.
  void finish() { jobs_.finish(); }

 private:
  struct finishing_count;

  void finish_match(open_match& ended, std::uint64_t kept);
  void finish_file(match_file& file);

  const match_options& options_;
  match_reporter& reporter_;
  shared_status& shared_;
  std::atomic<bool> is_cancelled_{false};
  workers::worker_pool jobs_;  // last: its jobs use the other members
};

}  // namespace tickreel::echo_vr
