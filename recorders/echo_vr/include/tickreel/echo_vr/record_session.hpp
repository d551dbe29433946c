// Records any number of games until it is stopped.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "tickreel/echo_vr/match_recorder.hpp"
#include "tickreel/echo_vr/poller.hpp"
#include "tickreel/echo_vr/target.hpp"
#include "tickreel/result.hpp"

namespace tickreel::echo_vr {

// Limits of old recordings. The oldest are deleted first, and only files that a session with these options
// published in this folder and that are unchanged (a list in the folder names them). The newest one always
// stays.
struct retention_options {
  std::uint64_t max_age_ms = 0;  // maximum age since publishing; 0: unlimited
  std::uint64_t max_bytes = 0;   // maximum total size; 0: unlimited
};

struct record_options {
  std::vector<target> targets = {target{}};
  poll_options polls = {};
  match_options matches = {};
  retention_options keep = {};    // applied at the start of the session and after each published file
  std::uint64_t duration_ms = 0;  // stops after this time; 0: never
  // Number of threads for all targets; 0 uses one for eight targets, at most four.
  std::uint32_t threads = 0;
};

// The status of one target.
struct target_status {
  target where;
  target_state state = target_state::connecting;
  match_status match;
  std::uint64_t polls = 0;           // polls made
  std::uint64_t polls_failed = 0;    // without a valid response
  std::uint64_t latency_p50_us = 0;  // of answered polls
  std::uint64_t latency_p99_us = 0;
  double rate_hz = 0;  // current poll rate
};

struct session_report {
  std::uint64_t files_finished = 0;
  std::uint64_t files_failed = 0;
  std::uint64_t frames = 0;
  std::uint64_t lost_polls = 0;
  std::uint64_t dropped_ticks = 0;
  std::uint64_t left_out = 0;         // see match_status
  std::uint64_t discarded_ticks = 0;  // likewise; not a loss
  std::uint64_t repeated_ticks = 0;   // likewise
  [[nodiscard]] bool loss() const noexcept {
    return files_failed + lost_polls + dropped_ticks + left_out != 0;
  }
};

// Targets are independent: none waits for another. Errors of a target or the disk do not end the session.
class record_session {
 public:
  // Fails with invalid_argument for no target, no format or a rate out of range, or with the system's error
  // if the folder cannot be created or written to. `events` is called on several threads, one call at a time.
  static result<record_session> start(const record_options& options, event_function events = {});

  record_session(record_session&&) noexcept;
  record_session& operator=(record_session&&) noexcept;
  ~record_session();  // stops and finishes

  // Only sets a flag: async-signal-safe and thread-safe. Polling ends within 50 ms.
  void stop() noexcept;
  // True when polling has ended, by stop() or by duration_ms.
  [[nodiscard]] bool wait_for(std::chrono::milliseconds time) const;
  [[nodiscard]] std::vector<target_status> status() const;

  // Stops, waits until every file is published, and returns the totals. status() may be called meanwhile.
  session_report finish();
  // Thread-safe: finish() stops publishing and leaves the reels, which are reported.
  void cancel_publishing() noexcept;
  [[deprecated("cancel_publishing")]] void give_up_laying_out() noexcept { cancel_publishing(); }

 private:
  struct internals;
  explicit record_session(std::unique_ptr<internals> owned) noexcept;
  std::unique_ptr<internals> internals_;
};

}  // namespace tickreel::echo_vr
