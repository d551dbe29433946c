// Asks one game for its state, again and again, on time.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>

#include "tickreel/echo_vr/event_loop.hpp"
#include "tickreel/echo_vr/target.hpp"
#include "tickreel/result.hpp"

namespace tickreel::echo_vr {

// What a target is doing, as far as its last answer tells.
enum class target_state : std::uint8_t {
  connecting,    // not asked yet
  unreachable,   // no connection, or it broke, or no answer in time: the game is not running
  menu,          // running, in the main menu or a loading screen
  lobby,         // in the lobby, which gives no session data
  api_disabled,  // API access is switched off in the game's settings
  bad_answer,    // something answers, but not as Echo VR does
  in_match,      // gives a session: worth recording
};

// "in_match" and so on, for --json documents; static storage.
[[nodiscard]] std::string_view name(target_state state) noexcept;
// A sentence for users; static storage.
[[nodiscard]] std::string_view sentence(target_state state) noexcept;

inline constexpr double min_rate_hz = 0.1;
inline constexpr double max_rate_hz = 120;

struct poll_options {
  double rate_hz = 30;  // while in a match; min_rate_hz to max_rate_hz
  bool bones = true;    // ask for /player_bones too, at the same moment
  // After a failed poll, and between polls while there is no match. The first failure after a good answer is
  // retried at the next deadline already.
  std::uint32_t retry_interval_ms = 1000;
  std::uint32_t connect_timeout_ms = 1000;
  std::uint32_t answer_timeout_ms = 2000;  // from the request's first byte to the answer's last
  std::uint32_t max_answer_bytes = 1u << 20;
};

// The outcome of one poll. Texts are valid during the call.
struct poll_outcome {
  target_state state = target_state::connecting;
  std::int64_t time_ms = 0;                       // UTC since 1970, when the last answer had arrived
  std::chrono::steady_clock::time_point arrived;  // the same moment
  std::uint64_t latency_us = 0;                   // from the first request to the last answer
  std::uint64_t lost_before = 0;                  // deadlines since the poll before that were missed
  std::uint64_t number = 0;                       // polls made before this one
  std::string_view session;                       // body of /session, for in_match
  std::string_view bones;                         // body of /player_bones; empty when it gave none
  bool asked_for_bones = false;
  // Why `bones` is empty, where the game did not say so itself: static text, or the beginning of what came.
  std::string_view bones_failure;
  int http_status = 0;             // 0 when there was no answer
  const error* failure = nullptr;  // why, for unreachable and bad_answer
};

class poll_listener {
 public:
  virtual ~poll_listener() = default;
  // After every poll, on the loop's thread; must not throw. Returns the rate to go on with in Hz; 0: one poll
  // each retry interval.
  virtual double on_poll(const poll_outcome& outcome) = 0;
};

// Polls lie at absolute deadlines: no drift. A deadline that passes while a poll is still waiting for its
// answers is skipped and counted; polls never overlap and never bunch. /session and /player_bones travel on
// two kept-alive connections in parallel. A /session answer whose bones are missing or late
// is still good.
//
// A host name is looked up at the first connection and again after failures; all names of one loop are looked
// up one after the other, addresses need no such thing.
class poller {
 public:
  // `loop` and `listener` must outlive the poller. Destroy it on the loop's thread, or when the loop is not
  // running.
  poller(event_loop& loop, target where, const poll_options& options, poll_listener& listener);
  poller(const poller&) = delete;
  poller& operator=(const poller&) = delete;
  ~poller();

  // Begins with a poll at once.
  void start();
  // No call to the listener after this one.
  void stop() noexcept;

 private:
  struct internals;
  std::shared_ptr<internals> internals_;
};

}  // namespace tickreel::echo_vr
