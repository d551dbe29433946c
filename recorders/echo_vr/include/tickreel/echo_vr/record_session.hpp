// Records any number of games until told to stop.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tickreel/echo_vr/match_recorder.hpp"
#include "tickreel/echo_vr/poller.hpp"
#include "tickreel/echo_vr/target.hpp"
#include "tickreel/result.hpp"

namespace tickreel::echo_vr {

// Which recordings are removed when there are too many: the oldest first, and only files that a session with
// these options finished in this folder, still as it finished them (a list in the folder names them). The
// newest one always stays.
struct retention_options {
  std::uint64_t max_age_ms = 0;  // since they were finished; 0: any age
  std::uint64_t max_bytes = 0;   // all of them together; 0: any size
};

struct record_options {
  std::vector<target> targets = {target{}};
  poll_options polls = {};
  match_options matches = {};
  retention_options keep = {};    // looked at when the session begins and when a file is finished
  std::uint64_t duration_ms = 0;  // ends by itself after this time; 0: never
  // Targets share this many threads; 0 chooses one for eight targets, four at most.
  std::uint32_t threads = 0;
};

// One target at one moment.
struct target_status {
  target where;
  target_state state = target_state::connecting;
  match_status match;
  std::uint64_t polls = 0;           // made
  std::uint64_t polls_failed = 0;    // without a usable answer
  std::uint64_t latency_p50_us = 0;  // of answered polls
  std::uint64_t latency_p99_us = 0;
  double rate_hz = 0;  // that is polled at now
};

struct session_report {
  std::uint64_t files_finished = 0;
  std::uint64_t files_failed = 0;
  std::uint64_t frames = 0;
  std::uint64_t lost_polls = 0;
  std::uint64_t dropped_ticks = 0;
  std::uint64_t left_out = 0;        // see match_status
  std::uint64_t let_go_ticks = 0;    // likewise; no loss
  std::uint64_t repeated_ticks = 0;  // likewise
  [[nodiscard]] bool loss() const noexcept {
    return files_failed + lost_polls + dropped_ticks + left_out != 0;
  }
};

// Targets are independent: none waits for another. Nothing that a target or the disk does ends the session.
class record_session {
 public:
  // invalid_argument for no target, no format or a rate out of range; the system's error when the folder
  // cannot be made or written. `events` is called from several threads, one at a time.
  static result<record_session> start(const record_options& options, event_function events = {});

  record_session(record_session&&) noexcept;
  record_session& operator=(record_session&&) noexcept;
  ~record_session();  // stops and finishes

  // Only sets a flag: may be called from a signal handler and from any thread. Polling ends within 50 ms.
  void stop() noexcept;
  // True when polling has ended, by stop() or by duration_ms.
  [[nodiscard]] bool wait_for(std::chrono::milliseconds time) const;
  [[nodiscard]] std::vector<target_status> status() const;

  // Stops, waits until every file is laid out, and reports. status() may be called meanwhile.
  session_report finish();
  // Any thread: finish() lays nothing more out, and leaves the reels, which are told.
  void give_up_laying_out() noexcept;

 private:
  struct internals;
  explicit record_session(std::unique_ptr<internals> owned) noexcept;
  std::unique_ptr<internals> internals_;
};

}  // namespace tickreel::echo_vr
