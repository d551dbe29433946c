// Polls one game for its state, at a fixed rate.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tickreel/echo_vr/target.hpp"
#include "tickreel/net/event_loop.hpp"
#include "tickreel/result.hpp"

namespace tickreel::echo_vr {

// The state of a target, derived from its last response.
enum class target_state : std::uint8_t {
  connecting,    // not polled yet
  unreachable,   // no connection, connection lost, or timeout: the game is not running
  menu,          // running, in the main menu or a loading screen
  lobby,         // in the lobby, which has no session data
  api_disabled,  // API access is switched off in the game's settings
  bad_answer,    // a server responds, but not as Echo VR does
  in_match,      // has a session: worth recording
};

// "in_match" and so on, for --json documents; static storage.
[[nodiscard]] std::string_view name(target_state state) noexcept;
// A sentence for users; static storage.
[[nodiscard]] std::string_view sentence(target_state state) noexcept;

inline constexpr double min_rate_hz = 0.1;
inline constexpr double max_rate_hz = 120;

struct poll_options {
  double rate_hz = 30;  // while in a match; min_rate_hz to max_rate_hz
  bool bones = true;    // also request /player_bones, at the same time
  // Interval after a failed poll, and between polls without a match. The first failure after a valid response
  // is already retried at the next deadline.
  std::uint32_t retry_interval_ms = 1000;
  std::uint32_t connect_timeout_ms = 1000;
  std::uint32_t answer_timeout_ms = 2000;  // from the request's first byte to the response's last
  std::uint32_t max_answer_bytes = 1u << 20;
  // How long a response of /session waits for its bones. After that its tick has none: a slow /player_bones
  // must delay only its own responses.
  std::uint32_t longest_bones_wait_ms = 250;
};

// The result of one poll. Texts are valid during the call.
struct poll_outcome {
  target_state state = target_state::connecting;
  std::int64_t time_ms = 0;                       // UTC since 1970, when the last response had arrived
  std::chrono::steady_clock::time_point arrived;  // the same moment
  std::uint64_t latency_us = 0;                   // from the first request to the last response
  std::uint64_t lost_before = 0;                  // missed deadlines since the previous poll
  std::uint64_t number = 0;                       // earlier polls
  std::string_view session;                       // body of /session, for in_match
  std::string_view bones;                         // body of /player_bones; empty if the game sent none
  bool asked_for_bones = false;
  // The reason that `bones` is empty, if the game did not report it: a static text, or the beginning of the
  // response.
  std::string_view bones_failure;
  int http_status = 0;             // 0 if there was no response
  const error* failure = nullptr;  // the cause of unreachable and bad_answer
};
// The cause of a bad_answer, for users.
[[nodiscard]] std::string cause_of_bad_answer(const poll_outcome& outcome);

class poll_listener {
 public:
  virtual ~poll_listener() = default;
  // Called after every poll on the loop's thread; must not throw. Returns the next rate in Hz; 0: one poll
  // per retry interval.
  virtual double on_poll(const poll_outcome& outcome) = 0;
};

// Polls have absolute deadlines: no drift. A deadline that passes while a poll is still waiting for its
// responses is skipped and counted; polls never overlap and never bunch. /session and /player_bones use
// two kept-alive connections in parallel. A /session response whose bones are missing or late
// is still valid.
//
// A host name is resolved at the first connection and again after failures; all names of one loop are resolved
// one after the other. Addresses need no resolution.
class poller {
 public:
  // `loop` and `listener` must outlive the poller. Destroy it on the loop's thread, or when the loop is not
  // running.
  poller(net::event_loop& loop, target where, const poll_options& options, poll_listener& listener);
  poller(const poller&) = delete;
  poller& operator=(const poller&) = delete;
  ~poller();

  // The first poll is immediate.
  void start();
  // The listener is not called after this.
  void stop() noexcept;

 private:
  struct internals;
  std::shared_ptr<internals> internals_;
};

}  // namespace tickreel::echo_vr
