#include "tickreel/echo_vr/record_session.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "shared_data.hpp"
#include "support/event_log.hpp"
#include "support/fault_server.hpp"
#include "support/scripted_source.hpp"
#include "support/waiting.hpp"
#include "tickreel/butter/file.hpp"
#include "tickreel/echo_vr/api_server.hpp"
#include "tickreel/echo_vr/simulated_source.hpp"
#include "tickreel/files/echo_source.hpp"

namespace tickreel::echo_vr {

BOOST_AUTO_TEST_SUITE(echo_vr_recording_tests)
BOOST_AUTO_TEST_SUITE(record_session_test)

namespace {

using test::event_log;
using test::eventually;
using test::fault;
using test::fault_server;
using test::refusing_port;
using test::scripted_match;
using test::scripted_source;
using test::temporary_folder;

record_options options_for(const temporary_folder& folder, std::vector<std::uint16_t> ports) {
  record_options options;
  options.targets.clear();
  for (const std::uint16_t port : ports) options.targets.push_back({"127.0.0.1", port});
  options.polls.rate_hz = 60;
  options.polls.retry_interval_ms = 50;
  // A poll of a game that does not hang must not fail, however long a thread stands still.
  options.polls.connect_timeout_ms = 60'000;
  options.polls.answer_timeout_ms = 60'000;
  options.polls.longest_bones_wait_ms = 60'000;
  options.matches.folder = folder.path();
  options.matches.ring_seconds = 10;
  options.matches.grace_ms = 60'000;  // a loaded machine must not end a match
  return options;
}

record_session begin(const record_options& options, event_log& log) {
  auto session = record_session::start(options, log.function());
  BOOST_REQUIRE(session.has_value());
  return std::move(*session);
}

api_server serve(std::vector<scripted_match> matches, std::uint16_t port = 0) {
  serve_options options;
  options.port = port;
  options.wait_for_client = true;
  auto server = api_server::start(std::make_unique<scripted_source>(std::move(matches)), options);
  BOOST_REQUIRE(server.has_value());
  return std::move(*server);
}

scripted_match endless(std::uint32_t first_tick = 0) {
  scripted_match match;
  match.ticks = 40'000;
  match.first_tick = first_tick;
  return match;
}

std::uint64_t frames(const record_session& session, std::size_t target = 0) {
  return session.status().at(target).match.total_frames;
}

std::vector<echo::state> read_all(const std::filesystem::path& path) {
  std::vector<echo::state> all;
  auto source = files::open_echo(path);
  BOOST_TEST_CONTEXT(path.string()) BOOST_REQUIRE(source.has_value());
  auto state = std::make_unique<echo::state>();
  while ((*source)->next(*state).value()) all.push_back(*state);
  return all;
}

// Without those that only say that this machine is slow.
std::vector<record_event> gaps_of(const event_log& log) {
  std::vector<record_event> gaps = log.of(event_kind::gap);
  std::erase_if(gaps, [](const record_event& each) {
    return each.line.find("responses arrive after the next poll is due") != std::string::npos;
  });
  return gaps;
}

// Records a match of the simulator until its end, and returns the number of its polls.
std::size_t check_recorded_match(float match_seconds) {
  simulation_options simulation;
  simulation.match_seconds = match_seconds;
  simulation.players_per_team = 2;
  serve_options serving;
  serving.port = 0;
  serving.wait_for_client = true;
  serving.speed = 2;
  const auto server = api_server::start(std::make_unique<simulated_source>(simulation), serving);
  BOOST_REQUIRE(server.has_value());

  const temporary_folder folder;
  record_options options = options_for(folder, {server->port()});
  options.matches.formats = {record_format::butter, record_format::echoreplay};
  options.matches.grace_ms = 300;  // only the menu after the match is longer: no poll before it fails
  event_log log;
  record_session session = begin(options, log);
  // The match begins, ends in the menu, and both files are published without a stop.
  BOOST_TEST(eventually([&] { return log.of(event_kind::file_finished).size() == 2; }));
  const session_report report = session.finish();
  BOOST_TEST(report.files_finished == 2);
  BOOST_TEST(report.files_failed == 0);
  BOOST_TEST(report.dropped_ticks == 0);
  BOOST_TEST(folder.files(".reel").empty());

  // Every response is one of the simulator's ticks, byte for byte and in order.
  auto answers = files::open_echo(folder.files(".echoreplay").at(0));
  BOOST_REQUIRE(answers.has_value());
  simulated_source truth(simulation);
  auto state = std::make_unique<echo::state>();
  auto true_state = std::make_unique<echo::state>();
  std::string true_text;
  std::vector<echo::state> recorded;
  while ((*answers)->next(*state).value()) {
    while (true_text != (*answers)->session_json()) {
      BOOST_REQUIRE(truth.next(*true_state).value());
      true_text.clear();
      echo::append_session_json(*true_state, echo::json_shape::api, echo::number_style::game, true_text);
    }
    recorded.push_back(*state);
  }
  BOOST_TEST(recorded.size() == report.frames);
  BOOST_REQUIRE(!recorded.empty());  // the first poll starts the match

  // The .butter file, read by its own reader, contains the same ticks.
  const byte_vector bytes = test::read_file(folder.files(".butter").at(0));
  auto butter = butter::reader::open(bytes);
  BOOST_REQUIRE(butter.has_value());
  BOOST_TEST(butter->head().map_name == recorded.front().match.map_name.view());
  std::size_t read = 0;
  std::size_t with_bones = 0;
  while (butter->next(*state).value()) {
    BOOST_REQUIRE(read < recorded.size());
    const echo::state& expected = recorded[read++];
    BOOST_REQUIRE_EQUAL(state->recorded_time_ms, expected.recorded_time_ms);
    BOOST_REQUIRE(state->match.game_status == expected.match.game_status);
    BOOST_REQUIRE_SMALL(state->match.game_clock - expected.match.game_clock, 0.01f);
    BOOST_REQUIRE_EQUAL(state->match.player_count, expected.match.player_count);
    BOOST_REQUIRE_SMALL(state->match.disc.at.position.z - expected.match.disc.at.position.z, 0.01f);
    if (state->bone_player_count > 0) ++with_bones;
  }
  BOOST_TEST(read == recorded.size());
  // The game has bones from the first response of /session to the end of the match.
  if (recorded.size() > 2) BOOST_TEST(with_bones > 0);
  return recorded.size();
}

BOOST_AUTO_TEST_CASE(from_the_simulator_over_http_into_a_butter_file) {
  // The match goes on while the recorder stands still: then a longer one follows.
  std::size_t polls = 0;
  for (float match_seconds = 4; polls <= 20 && match_seconds <= 64; match_seconds *= 2) {
    polls = check_recorded_match(match_seconds);
  }
  BOOST_TEST(polls > 20);
}

BOOST_AUTO_TEST_CASE(the_next_session_is_the_next_file) {
  scripted_match first;
  first.ticks = 60;
  scripted_match second = endless();
  second.sessionid = "99999999-BBBB-4000-8000-000000000002";
  const api_server server = serve({first, second});
  const temporary_folder folder;
  event_log log;
  record_session session = begin(options_for(folder, {server.port()}), log);
  BOOST_TEST(eventually([&] { return log.of(event_kind::file_started).size() == 2; }));
  const session_report report = session.finish();
  BOOST_TEST(report.files_finished == 2);
  std::uint64_t ticks = 0;
  for (const auto& path : folder.files(".butter")) {
    const std::vector<echo::state> states = read_all(path);
    BOOST_REQUIRE(!states.empty());
    ticks += states.size();
    for (const echo::state& each : states)
      BOOST_TEST((each.match.sessionid == states.front().match.sessionid));
  }
  BOOST_TEST(ticks == report.frames);
}

BOOST_AUTO_TEST_CASE(a_server_that_restarts_within_the_grace_period_is_bridged) {
  const temporary_folder folder;
  event_log log;
  auto server = std::make_unique<api_server>(serve({endless()}));
  const std::uint16_t port = server->port();
  record_session session = begin(options_for(folder, {port}), log);
  BOOST_TEST(eventually([&] { return frames(session) >= 20; }));
  server.reset();
  BOOST_TEST(eventually([&] { return session.status()[0].state == target_state::unreachable; }));
  const std::uint64_t before = frames(session);
  const api_server again = serve({endless(10'000)}, port);
  BOOST_TEST(eventually([&] { return frames(session) >= before + 20; }));
  const session_report report = session.finish();
  BOOST_TEST(report.files_finished == 1);
  BOOST_TEST(report.lost_polls > 0);
  const auto gaps = gaps_of(log);
  BOOST_REQUIRE(gaps.size() == 1);
  BOOST_TEST(gaps[0].line.starts_with("the match continues after a gap of "), gaps[0].line);
  const auto finished = log.of(event_kind::file_finished);
  BOOST_REQUIRE(finished.size() == 1);
  BOOST_TEST(finished[0].lost_ticks == report.lost_polls);

  const std::vector<echo::state> states = read_all(folder.files(".butter").at(0));
  BOOST_TEST(states.size() == report.frames);
  BOOST_TEST(test::tick_of(states.front()) < 10'000);
  BOOST_TEST(test::tick_of(states.back()) >= 10'000);
}

BOOST_AUTO_TEST_CASE(a_server_that_restarts_later_is_another_match) {
  const temporary_folder folder;
  event_log log;
  auto server = std::make_unique<api_server>(serve({endless()}));
  const std::uint16_t port = server->port();
  record_options options = options_for(folder, {port});
  options.matches.grace_ms = 0;
  record_session session = begin(options, log);
  BOOST_TEST(eventually([&] { return frames(session) >= 5; }));
  server.reset();
  BOOST_TEST(eventually([&] { return !session.status()[0].match.recording; }));
  const api_server again = serve({endless(10'000)}, port);
  BOOST_TEST(eventually([&] { return session.status()[0].match.recording; }));
  const session_report report = session.finish();
  BOOST_TEST(report.files_finished >= 2);
  BOOST_TEST(folder.files(".butter").size() == report.files_finished);
  BOOST_TEST(folder.files(".reel").empty());
}

BOOST_AUTO_TEST_CASE(no_failure_of_a_game_ends_the_session) {
  const scripted_match match;
  fault_server game(
      {{"/session", test::session_text(match, 1)}, {"/player_bones", test::bones_text(match, 1)}});
  const temporary_folder folder;
  event_log log;
  record_options options = options_for(folder, {game.port()});
  options.polls.answer_timeout_ms = 300;
  record_session session = begin(options, log);
  for (const fault each :
       {fault::drop, fault::half, fault::html, fault::text_500, fault::api_off, fault::lobby, fault::menu,
        fault::cut_json, fault::not_http, fault::huge, fault::hang}) {
    BOOST_TEST_CONTEXT("fault " << static_cast<int>(each)) {
      const std::uint64_t before = frames(session);
      BOOST_TEST(eventually([&] { return frames(session) >= before + 3; }));
      game.set(each);
      const std::uint64_t requests = game.requests("/session");
      BOOST_TEST(eventually([&] { return game.requests("/session") >= requests + 2; }));
      game.set(fault::none);
    }
  }
  const std::uint64_t before = frames(session);
  BOOST_TEST(eventually([&] { return frames(session) >= before + 3; }));
  const session_report report = session.finish();
  BOOST_TEST(report.files_finished == 1);  // all of it within the grace period
  BOOST_TEST(report.lost_polls >= 2);
  BOOST_TEST(read_all(folder.files(".butter").at(0)).size() == report.frames);
}

BOOST_AUTO_TEST_CASE(many_targets_do_not_wait_for_each_other) {
  std::vector<api_server> servers;
  std::vector<std::uint16_t> ports;
  for (std::uint32_t i = 0; i < 8; ++i) {
    scripted_match match = endless();
    match.sessionid = std::to_string(i) + "0000000-0000-4000-8000-000000000000";
    servers.push_back(serve({match}));
    ports.push_back(servers.back().port());
  }
  fault_server hanging(std::map<std::string, std::string>{{"/session", "{}"}});
  hanging.set(fault::hang);
  ports.push_back(hanging.port());
  ports.push_back(refusing_port());

  const temporary_folder folder;
  event_log log;
  record_options options = options_for(folder, ports);
  options.threads = 2;
  options.polls.rate_hz = 20;
  record_session session = begin(options, log);
  std::vector<target_status> status;
  BOOST_TEST(eventually([&] {
    status = session.status();
    const auto is_recorded = [](const target_status& each) {
      return each.match.total_frames >= 20 && each.state == target_state::in_match;
    };
    return status.size() == 10 && std::all_of(status.begin(), status.begin() + 8, is_recorded) &&
           status[9].state == target_state::unreachable;
  }));
  // In all that time the hanging game did not even time out.
  BOOST_REQUIRE(status.size() == 10);
  for (std::size_t i = 0; i < 10; ++i) BOOST_TEST(status[i].where.port == ports[i]);
  for (std::size_t i = 0; i < 8; ++i) {
    BOOST_TEST((status[i].state == target_state::in_match));
    BOOST_TEST(status[i].match.players == 2);
    BOOST_TEST(status[i].latency_p50_us > 0);
    BOOST_TEST(status[i].latency_p99_us >= status[i].latency_p50_us);
  }
  BOOST_TEST(status[8].match.total_frames == 0);
  BOOST_TEST((status[9].state == target_state::unreachable));
  const session_report report = session.finish();
  BOOST_TEST(report.files_finished == 8);
  // The files contain the polled ticks.
  std::uint64_t in_files = 0;
  for (const auto& path : folder.files(".butter")) in_files += read_all(path).size();
  BOOST_TEST(in_files == report.frames);
  std::uint64_t answered = 0;
  for (const target_status& each : session.status()) answered += each.polls - each.polls_failed;
  BOOST_TEST(answered == report.frames);
}

BOOST_AUTO_TEST_CASE(it_ends_after_the_given_time) {
  // If no poll is answered in that time, there is no file: then a longer session follows.
  std::uint64_t recorded = 0;
  for (std::uint64_t duration_ms = 200; recorded == 0 && duration_ms < 60'000; duration_ms *= 2) {
    const api_server server = serve({endless()});
    const temporary_folder folder;
    event_log log;
    record_options options = options_for(folder, {server.port()});
    options.duration_ms = duration_ms;
    const auto began = std::chrono::steady_clock::now();
    record_session session = begin(options, log);
    BOOST_REQUIRE(eventually([&] { return session.wait_for(std::chrono::milliseconds(10)); }));
    BOOST_TEST((std::chrono::steady_clock::now() - began >= std::chrono::milliseconds(duration_ms)));
    const session_report report = session.finish();
    recorded = report.frames;
    BOOST_TEST(report.files_finished == (recorded == 0 ? 0u : 1u));
    BOOST_TEST(report.files_failed == 0u);
  }
  BOOST_TEST(recorded > 0u);
}

BOOST_AUTO_TEST_CASE(stop_only_sets_a_flag_and_the_files_are_finished) {
  const api_server server = serve({endless()});
  const temporary_folder folder;
  event_log log;
  {
    record_session session = begin(options_for(folder, {server.port()}), log);
    BOOST_TEST(eventually([&] { return frames(session) >= 5; }));
    BOOST_TEST(!session.wait_for(std::chrono::milliseconds(0)));
    session.stop();
    BOOST_TEST(eventually([&] { return session.wait_for(std::chrono::milliseconds(10)); }));
    // Destroyed without finish(): the file is published anyway.
  }
  BOOST_TEST(folder.files(".butter").size() == 1);
  BOOST_TEST(folder.files(".reel").empty());
  BOOST_TEST(log.of(event_kind::file_finished).size() == 1);
}

BOOST_AUTO_TEST_CASE(reels_of_an_earlier_crash_are_listed_at_the_start) {
  const temporary_folder folder;
  const std::filesystem::path reel = folder.path() / "earlier.butter.reel";
  std::ofstream(reel) << "what a crash left";
  event_log log;
  record_session session = begin(options_for(folder, {refusing_port()}), log);
  const auto found = log.of(event_kind::left_over);
  BOOST_REQUIRE(found.size() == 1);
  BOOST_TEST(found[0].path == reel);
  BOOST_TEST(found[0].line.find("tickreel recover \"" + reel.string() + "\"") != std::string::npos);
  BOOST_TEST(session.finish().files_finished == 0);
  BOOST_TEST(std::filesystem::file_size(reel) == 17);
}

BOOST_AUTO_TEST_CASE(a_recovered_reel_is_not_recovered_again) {
  const temporary_folder folder;
  const std::filesystem::path reel = folder.path() / "earlier.butter.reel";
  std::ofstream(reel) << "what a crash left";
  std::ofstream(folder.path() / "earlier.butter") << "what was made of it";
  event_log log;
  record_session session = begin(options_for(folder, {refusing_port()}), log);
  const auto found = log.of(event_kind::left_over);
  BOOST_REQUIRE(found.size() == 1);
  BOOST_TEST(found[0].line.find("already exists") != std::string::npos, found[0].line);
  BOOST_TEST(found[0].line.find("tickreel recover") == std::string::npos, found[0].line);
  (void)session.finish();
}

BOOST_AUTO_TEST_CASE(a_reel_that_grew_after_recovery_gets_another_name) {
  using namespace std::chrono_literals;
  const temporary_folder folder;
  const std::filesystem::path reel = folder.path() / "earlier.butter.reel";
  const std::filesystem::path too_early = folder.path() / "earlier.butter";
  std::ofstream(reel) << "what a crash left";
  std::ofstream(too_early) << "what was there before";
  std::filesystem::last_write_time(too_early, std::filesystem::last_write_time(reel) - 5s);
  event_log log;
  record_session session = begin(options_for(folder, {refusing_port()}), log);
  const auto found = log.of(event_kind::left_over);
  BOOST_REQUIRE(found.size() == 1);
  BOOST_TEST(found[0].line.ends_with("-o \"" + (folder.path() / "earlier-2.butter").string() + '"'),
             found[0].line);
  (void)session.finish();
}

BOOST_AUTO_TEST_CASE(contradictory_options_are_rejected) {
  const temporary_folder folder;
  const record_options good = options_for(folder, {1});
  const auto refused = [](const record_options& options) {
    const auto session = record_session::start(options);
    return !session && session.error().code == error_code::invalid_argument;
  };
  record_options options = good;
  options.targets.clear();
  BOOST_TEST(refused(options));
  options = good;
  options.matches.formats.clear();
  BOOST_TEST(refused(options));
  options.matches.formats = {record_format::butter, record_format::butter};
  BOOST_TEST(refused(options));
  for (const double rate_hz : {0.0, -1.0, 0.01, 121.0, std::numeric_limits<double>::quiet_NaN()}) {
    options = good;
    options.polls.rate_hz = rate_hz;
    BOOST_TEST(refused(options));
  }
  options = good;
  options.matches.idle_rate_hz = 500;
  BOOST_TEST(refused(options));
  options = good;
  options.matches.folder = folder.path() / "file" / "inside";
  std::ofstream(folder.path() / "file") << "x";
  BOOST_TEST(!record_session::start(options).has_value());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::echo_vr
