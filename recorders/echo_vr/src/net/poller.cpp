#include "tickreel/echo_vr/poller.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "tickreel/echo/json.hpp"
#include "tickreel/echo_vr/deadline_schedule.hpp"
#include "tickreel/net/http_connection.hpp"

namespace tickreel::echo_vr {
namespace {

using clock = std::chrono::steady_clock;

net::http_limits limits_of(const poll_options& options) noexcept {
  return {options.connect_timeout_ms, options.answer_timeout_ms, options.max_answer_bytes};
}

std::uint32_t in_millihertz(double rate_hz) noexcept {
  return static_cast<std::uint32_t>(std::lround(rate_hz * 1000));
}

bool looks_like_json(std::string_view body) noexcept {
  const std::size_t first = body.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && body[first] == '{';
}

target_state state_of(const net::http_answer& answer) noexcept {
  // The menu sends 404 with any body; every other response of the game is JSON.
  if (answer.status != 404 && !looks_like_json(answer.body)) return target_state::bad_answer;
  switch (echo::classify_reply(answer.status, answer.body)) {
    case echo::reply_kind::match:
      return target_state::in_match;
    case echo::reply_kind::loading:
      return target_state::menu;
    case echo::reply_kind::api_disabled:
      return target_state::api_disabled;
    case echo::reply_kind::lobby:
      return target_state::lobby;
    case echo::reply_kind::other_error:
      break;
  }
  return target_state::bad_answer;
}

target_state state_of(const error& failure) noexcept {
  const bool answered = failure.code == error_code::bad_answer || failure.code == error_code::over_limit;
  return answered ? target_state::bad_answer : target_state::unreachable;
}

}  // namespace

std::string_view name(target_state state) noexcept {
  switch (state) {
    case target_state::connecting:
      return "connecting";
    case target_state::unreachable:
      return "unreachable";
    case target_state::menu:
      return "menu";
    case target_state::lobby:
      return "lobby";
    case target_state::api_disabled:
      return "api_disabled";
    case target_state::bad_answer:
      return "bad_answer";
    case target_state::in_match:
      return "in_match";
  }
  return "";
}

std::string_view sentence(target_state state) noexcept {
  switch (state) {
    case target_state::connecting:
      return "not asked yet";
    case target_state::unreachable:
      return "no answer: the game is not running, or its API is not on this address";
    case target_state::menu:
      return "the game is in its menu or loading: waiting for a match";
    case target_state::lobby:
      return "the game is in the lobby: waiting for a match";
    case target_state::api_disabled:
      return "API access is switched off in the game's settings: switch it on there";
    case target_state::bad_answer:
      return "the server does not respond as Echo VR does: check the port";
    case target_state::in_match:
      return "in a match";
  }
  return "";
}

std::string cause_of_bad_answer(const poll_outcome& outcome) {
  if (outcome.failure != nullptr) return describe(*outcome.failure);
  const bool is_redirect = outcome.http_status >= 300 && outcome.http_status < 400;
  const bool is_success = outcome.http_status >= 200 && outcome.http_status < 300;
  return "HTTP status " + std::to_string(outcome.http_status) +
         (is_redirect  ? ": redirects are not followed; use the address of the redirect"
          : is_success ? ", but not the JSON of a match"
                       : "");
}

struct poller::internals : std::enable_shared_from_this<internals> {
  internals(net::event_loop& loop, const target& where, const poll_options& from, poll_listener& to)
      : options(from),
        listener(to),
        timer(loop),
        bones_timeout(loop),
        session_connection(loop, where.host, where.port, limits_of(from)),
        bones_connection(loop, where.host, where.port, limits_of(from)),
        schedule(clock::now(), rate_millihertz) {}

  // Rate 0 means one poll per retry interval.
  [[nodiscard]] std::uint32_t rate_for(double rate_hz) const noexcept {
    if (rate_hz <= 0) return 1'000'000 / std::max<std::uint32_t>(options.retry_interval_ms, 1);
    return in_millihertz(rate_hz);
  }

  void start() {
    rate_millihertz = rate_for(0);
    schedule = deadline_schedule(clock::now(), rate_millihertz);
    arm(clock::now());
  }

  void arm(clock::time_point earliest) {
    const deadline_schedule::slot slot = schedule.next(earliest);
    lost_before += slot.skipped;
    timer.at(slot.when, [this] { ask(); });
  }

  void ask() {
    asked_at = clock::now();
    session_arrived = false;
    bones_body.clear();
    bones_failure.clear();
    session_connection.get("/session", [this](const result<net::http_answer>& answer) {
      session_answer = answer;
      session_arrived = true;
      if (!waiting_for_bones) {
        complete();
      } else {
        const std::chrono::milliseconds longest_wait(options.longest_bones_wait_ms);
        bones_timeout.at(clock::now() + longest_wait, [this] { complete(); });
      }
    });
    asked_for_bones = options.bones && !bones_under_way && asked_at >= bones_again_at;
    if (options.bones && !asked_for_bones)
      bones_failure = "not requested: an earlier response was late or failed";
    if (asked_for_bones) ask_for_bones();
  }

  void ask_for_bones() {
    bones_under_way = true;
    waiting_for_bones = true;
    bones_connection.get("/player_bones", [this](const result<net::http_answer>& answer) {
      bones_under_way = false;
      if (!answer) {
        bones_again_at = clock::now() + std::chrono::milliseconds(options.retry_interval_ms);
      }
      if (!waiting_for_bones) return;  // too late: its poll continued without it
      waiting_for_bones = false;
      if (!answer) {
        bones_failure = describe(answer.error());
      } else if (answer->status == 200 && looks_like_json(answer->body)) {
        bones_body = answer->body;
      } else if (answer->status == 200) {
        bones_failure = echo::beginning_of(answer->body);
        if (bones_failure.empty()) bones_failure = "an empty answer";
      }
      if (session_arrived) complete();
    });
  }

  void complete() {
    bones_timeout.cancel();
    if (waiting_for_bones) bones_failure = "no answer in time";
    waiting_for_bones = false;
    if (stopped) return;
    poll_outcome outcome;
    outcome.arrived = clock::now();
    outcome.time_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                          std::chrono::system_clock::now().time_since_epoch())
                          .count();
    outcome.latency_us = static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(outcome.arrived - asked_at).count());
    outcome.lost_before = std::exchange(lost_before, 0);
    outcome.number = polls++;
    outcome.asked_for_bones = asked_for_bones;
    if (session_answer) {
      outcome.state = state_of(*session_answer);
      outcome.http_status = session_answer->status;
      outcome.session = session_answer->body;
      outcome.bones = bones_body;
      outcome.bones_failure = bones_failure;
    } else {
      outcome.state = state_of(session_answer.error());
      outcome.failure = &session_answer.error();
    }
    const bool failed =
        outcome.state == target_state::unreachable || outcome.state == target_state::bad_answer;
    failures_in_row = failed ? failures_in_row + 1 : 0;

    // The listener may stop or destroy the poller.
    const std::shared_ptr<internals> alive = shared_from_this();
    const double rate_hz = listener.on_poll(outcome);
    if (!stopped) schedule_next(rate_for(rate_hz));
  }

  void schedule_next(std::uint32_t wanted_millihertz) {
    if (wanted_millihertz != rate_millihertz) {
      rate_millihertz = wanted_millihertz;
      schedule = deadline_schedule(asked_at, rate_millihertz);
      (void)schedule.next(asked_at);  // the poll just made
    }
    clock::time_point earliest = clock::now();
    if (failures_in_row > 1) earliest += std::chrono::milliseconds(options.retry_interval_ms);
    arm(earliest);
  }

  poll_options options;
  poll_listener& listener;
  net::loop_timer timer;
  net::loop_timer bones_timeout;
  net::http_connection session_connection;
  net::http_connection bones_connection;
  std::uint32_t rate_millihertz = 1000;
  deadline_schedule schedule;

  clock::time_point asked_at;
  clock::time_point bones_again_at;
  bool session_arrived = false;
  bool bones_under_way = false;
  bool waiting_for_bones = false;
  bool asked_for_bones = false;
  bool stopped = false;
  result<net::http_answer> session_answer;
  std::string bones_body;
  std::string bones_failure;
  std::uint64_t polls = 0;
  std::uint64_t lost_before = 0;
  std::uint64_t failures_in_row = 0;
};

poller::poller(net::event_loop& loop, target where, const poll_options& options, poll_listener& listener)
    : internals_(std::make_shared<internals>(loop, where, options, listener)) {}

poller::~poller() {
  stop();
}

void poller::start() {
  internals_->start();
}

void poller::stop() noexcept {
  internals_->stopped = true;
  internals_->timer.cancel();
  internals_->bones_timeout.cancel();
}

}  // namespace tickreel::echo_vr
