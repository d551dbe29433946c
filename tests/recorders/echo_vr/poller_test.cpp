#include "tickreel/echo_vr/poller.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/fault_server.hpp"
#include "support/scripted_source.hpp"

namespace tickreel::echo_vr {

BOOST_AUTO_TEST_SUITE(echo_vr_network_tests)
BOOST_AUTO_TEST_SUITE(poller_test)

namespace {

using test::fault;
using test::fault_server;
using test::refusing_port;

std::map<std::string, std::string> a_game() {
  return {{"/session", test::session_text({}, 7)}, {"/player_bones", test::bones_text({.bones = true}, 7)}};
}

// Polls often, and waits longer than any thread of a busy machine stands still.
poll_options quick() {
  poll_options options;
  options.rate_hz = 50;
  options.retry_interval_ms = 20;
  options.connect_timeout_ms = 60'000;
  options.answer_timeout_ms = 60'000;
  options.longest_bones_wait_ms = 60'000;
  return options;
}

struct seen_poll {
  target_state state;
  std::string session;
  std::string bones;
  std::uint64_t lost_before;
  std::uint64_t number;
  int http_status;
  std::optional<error> failure;
};

// Polls until `enough` returns true, on this thread.
struct polling final : poll_listener {
  explicit polling(std::uint16_t port, const poll_options& options = quick())
      : polls(loop, {"127.0.0.1", port}, options, *this), rate_hz(options.rate_hz) {}

  double on_poll(const poll_outcome& outcome) override {
    seen.push_back({outcome.state, std::string(outcome.session), std::string(outcome.bones),
                    outcome.lost_before, outcome.number, outcome.http_status,
                    outcome.failure ? std::optional(*outcome.failure) : std::nullopt});
    if (enough()) {
      polls.stop();
      loop.stop();
    }
    return outcome.state == target_state::in_match ? rate_hz : 0;
  }

  void until(std::function<bool()> done) {
    enough = std::move(done);
    polls.start();
    loop.run();
  }
  void until(std::size_t count) {
    until([this, count] { return seen.size() >= count; });
  }
  [[nodiscard]] const seen_poll& last() const { return seen.back(); }

  net::event_loop loop;
  std::vector<seen_poll> seen;
  std::function<bool()> enough;
  poller polls;
  double rate_hz;
};

BOOST_AUTO_TEST_CASE(both_responses_arrive_over_two_kept_connections) {
  const auto bodies = a_game();
  fault_server game(bodies);
  polling run(game.port());
  run.until(20);
  for (std::size_t i = 0; i < run.seen.size(); ++i) {
    const seen_poll& poll = run.seen[i];
    BOOST_TEST((poll.state == target_state::in_match));
    BOOST_TEST(poll.session == bodies.at("/session"));
    BOOST_TEST(poll.bones == bodies.at("/player_bones"));
    BOOST_TEST(poll.number == i);
  }
  BOOST_TEST(game.requests("/session") == 20);
  BOOST_TEST(game.requests("/player_bones") == 20);
  BOOST_TEST(game.connections() == 2);
}

BOOST_AUTO_TEST_CASE(late_bones_arrive_if_their_poll_waits_for_them) {
  const auto bodies = a_game();
  fault_server game(bodies);
  game.set("/player_bones", fault::late);
  polling run(game.port());
  run.until(3);
  for (const seen_poll& poll : run.seen) {
    BOOST_TEST((poll.state == target_state::in_match));
    BOOST_TEST(poll.bones == bodies.at("/player_bones"));
  }
}

BOOST_AUTO_TEST_CASE(bones_are_not_requested_if_not_wanted) {
  fault_server game(a_game());
  poll_options options = quick();
  options.bones = false;
  polling run(game.port(), options);
  run.until(3);
  BOOST_TEST(run.last().bones.empty());
  BOOST_TEST(game.requests("/player_bones") == 0);
}

BOOST_AUTO_TEST_CASE(every_kind_of_failure_has_its_state) {
  const struct {
    fault what;
    target_state state;
    int http_status;
    std::optional<error_code> code;
  } expected[] = {
      {fault::drop, target_state::unreachable, 0, error_code::connection_lost},
      {fault::half, target_state::unreachable, 0, error_code::connection_lost},
      {fault::html, target_state::bad_answer, 200, std::nullopt},
      {fault::text_500, target_state::bad_answer, 500, std::nullopt},
      {fault::api_off, target_state::api_disabled, 500, std::nullopt},
      {fault::lobby, target_state::lobby, 500, std::nullopt},
      {fault::menu, target_state::menu, 404, std::nullopt},
      {fault::not_http, target_state::bad_answer, 0, error_code::bad_answer},
      {fault::huge, target_state::bad_answer, 0, error_code::over_limit},
  };
  for (const auto& each : expected) {
    BOOST_TEST_CONTEXT("fault " << static_cast<int>(each.what)) {
      fault_server game(a_game());
      game.set(each.what);
      polling run(game.port());
      // Fails three times, then the game responds again, and the poller continues.
      run.until([&] {
        if (run.seen.size() == 3) game.set(fault::none);
        return run.last().state == target_state::in_match;
      });
      for (std::size_t i = 0; i < 3; ++i) {
        BOOST_TEST((run.seen[i].state == each.state));
        BOOST_TEST(run.seen[i].http_status == each.http_status);
        BOOST_TEST(run.seen[i].failure.has_value() == each.code.has_value());
        if (run.seen[i].failure && each.code) BOOST_TEST((run.seen[i].failure->code == *each.code));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(no_server) {
  polling run(refusing_port());
  run.until(3);
  BOOST_TEST((run.last().state == target_state::unreachable));
  BOOST_REQUIRE(run.last().failure.has_value());
  BOOST_TEST((run.last().failure->code == error_code::connection_refused));
}

BOOST_AUTO_TEST_CASE(a_missing_response_times_out) {
  fault_server game(a_game());
  game.set(fault::hang);
  poll_options options = quick();
  options.answer_timeout_ms = 50;
  polling run(game.port(), options);
  run.until(2);
  for (const seen_poll& poll : run.seen) {
    BOOST_TEST((poll.state == target_state::unreachable));
    BOOST_REQUIRE(poll.failure.has_value());
    BOOST_TEST((poll.failure->code == error_code::timed_out));
  }
}

BOOST_AUTO_TEST_CASE(a_connection_closed_while_idle_is_not_a_failure) {
  fault_server game(a_game());
  game.set(fault::close_after);
  polling run(game.port());
  run.until(10);
  for (const seen_poll& poll : run.seen) BOOST_TEST((poll.state == target_state::in_match));
}

BOOST_AUTO_TEST_CASE(bones_that_hang_do_not_stop_the_session) {
  fault_server game(a_game());
  game.set("/player_bones", fault::hang);
  poll_options options = quick();
  options.longest_bones_wait_ms = poll_options{}.longest_bones_wait_ms;
  polling run(game.port(), options);
  run.until(10);
  for (const seen_poll& poll : run.seen) {
    BOOST_TEST((poll.state == target_state::in_match));
    BOOST_TEST(poll.bones.empty());
  }
}

BOOST_AUTO_TEST_CASE(failing_bones_recover) {
  fault_server game(a_game());
  game.set("/player_bones", fault::drop);
  polling run(game.port());
  run.until([&] {
    if (run.seen.size() == 5) game.set(fault::none);
    return !run.last().bones.empty();
  });
  BOOST_TEST(run.seen.size() > 5);
  for (const seen_poll& poll : run.seen) BOOST_TEST((poll.state == target_state::in_match));
}

BOOST_AUTO_TEST_CASE(made_and_lost_polls_add_up) {
  fault_server game(a_game());
  game.set_delay(std::chrono::milliseconds(45));  // longer than two periods of 20 ms
  polling run(game.port());
  const auto begin = std::chrono::steady_clock::now();
  run.until(20);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::uint64_t expected = 0;
  // The first poll finds the game; the following ones run at the full rate.
  for (std::size_t i = 1; i < run.seen.size(); ++i) {
    BOOST_TEST(run.seen[i].lost_before >= 1);
    expected += 1 + run.seen[i].lost_before;
  }
  // 50 deadlines per second: never more polls than deadlines, plus at most one for the late first response.
  BOOST_TEST(static_cast<double>(expected) <= took.count() * 50 + 1);
  BOOST_TEST(expected >= 2 * 19);
}

BOOST_AUTO_TEST_CASE(stopping_and_destroying_from_within_a_call) {
  struct one_shot final : poll_listener {
    double on_poll(const poll_outcome&) override {
      ++calls;
      polls.reset();
      loop.stop();
      return 50;
    }
    net::event_loop loop;
    std::optional<poller> polls;
    int calls = 0;
  } run;
  fault_server game(a_game());
  run.polls.emplace(run.loop, target{"127.0.0.1", game.port()}, quick(), run);
  run.polls->start();
  run.loop.run();
  BOOST_TEST(run.calls == 1);
}

BOOST_AUTO_TEST_CASE(names_are_looked_up) {
  fault_server game(a_game());
  struct by_name final : poll_listener {
    double on_poll(const poll_outcome& outcome) override {
      state = outcome.state;
      loop.stop();
      return 0;
    }
    net::event_loop loop;
    target_state state = target_state::connecting;
  } run;
  poll_options options = quick();
  {
    poller polls(run.loop, {"localhost", game.port()}, options, run);
    polls.start();
    run.loop.run();
    BOOST_TEST((run.state == target_state::in_match));
  }
  options.connect_timeout_ms = 200;  // the lookup may take longer than that: unreachable in both cases
  poller polls(run.loop, {"no-such-host.invalid", game.port()}, options, run);
  polls.start();
  run.loop.run();
  BOOST_TEST((run.state == target_state::unreachable));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::echo_vr
