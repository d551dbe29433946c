#include "tickreel/echo_vr/api_server.hpp"

#include <atomic>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/http_client.hpp"
#include "support/scripted_source.hpp"
#include "support/waiting.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/net/http_server.hpp"

namespace tickreel::echo_vr {

BOOST_AUTO_TEST_SUITE(echo_vr_network_tests)
BOOST_AUTO_TEST_SUITE(api_server_test)

namespace {

using test::http_client;
using test::scripted_match;
using test::scripted_source;

api_server serve(std::vector<scripted_match> matches, serve_options options = {}) {
  options.port = 0;
  auto server = api_server::start(std::make_unique<scripted_source>(std::move(matches)), options);
  BOOST_REQUIRE(server.has_value());
  return std::move(*server);
}

// It ends much later.
scripted_match long_match() {
  scripted_match match;
  match.ticks = 1'000'000;
  return match;
}

// Supplies verbatim text with every tick.
class verbatim_source final : public files::echo_source {
 public:
  result<bool> next(echo::state& out) override {
    test::fill_tick({}, number_++, out);
    text_ = "{ \"sessionid\" : \"verbatim\", \"n\" : " + std::to_string(number_) + " }";
    return true;
  }
  std::string_view session_json() const noexcept override { return text_; }
  std::string_view bones_json() const noexcept override { return "{\"user_bones\":[],\"err_code\":0}"; }
  result<void> rewind() override {
    number_ = 0;
    return {};
  }

 private:
  std::uint32_t number_ = 0;
  std::string text_;
};

BOOST_AUTO_TEST_CASE(a_state_is_served_like_the_game) {
  scripted_match match = long_match();
  match.bones = true;
  const api_server server = serve({match});
  http_client client(server.port());
  const auto session = client.get("/session");
  BOOST_TEST(session.status == 200);
  BOOST_TEST(session.head.find("application/json") != std::string::npos);
  echo::json_parser parser;
  echo::state state;
  BOOST_REQUIRE(parser.parse_session(session.body, state).has_value());
  BOOST_TEST(session.body == test::session_text(match, test::tick_of(state)));

  const auto bones = client.get("/player_bones");
  BOOST_TEST(bones.status == 200);
  BOOST_TEST(bones.body == test::bones_text(match, 0));
}

BOOST_AUTO_TEST_CASE(stored_text_is_served_unchanged) {
  serve_options options;
  options.port = 0;
  options.wait_for_client = true;
  const auto server = api_server::start(std::make_unique<verbatim_source>(), options);
  BOOST_REQUIRE(server.has_value());
  http_client client(server->port());
  BOOST_TEST(client.get("/session").body.starts_with("{ \"sessionid\" : \"verbatim\", \"n\" : "));
  BOOST_TEST(client.get("/player_bones").body == "{\"user_bones\":[],\"err_code\":0}");
}

BOOST_AUTO_TEST_CASE(a_recording_without_bones_answers_like_between_rounds) {
  const api_server server = serve({long_match()});
  http_client client(server.port());
  BOOST_TEST(client.get("/session").status == 200);
  BOOST_TEST(client.get("/player_bones").body == R"({"err_code":0})");
}

BOOST_AUTO_TEST_CASE(other_paths_and_methods_are_not_found) {
  const api_server server = serve({long_match()});
  http_client client(server.port());
  for (const char* path : {"/", "/sessions", "/set_rules", "/session/", "/../session"}) {
    const auto reply = client.get(path);
    BOOST_TEST(reply.status == 404);
    BOOST_TEST(reply.body.empty());
  }
  BOOST_TEST(client.get("/session", "DELETE").status == 404);
  BOOST_TEST(client.get("/session?x=1").status == 200);  // the connection was kept
  BOOST_TEST(test::eventually([&] { return server.status().clients == 1; }));
}

BOOST_AUTO_TEST_CASE(foreign_names_are_refused) {
  const auto status = [](const api_server& server, const std::string& host, const std::string& more = {}) {
    return http_client(server.port()).get("/session", "GET", host, more).status;
  };
  const auto port_of = [](const api_server& server) { return ':' + std::to_string(server.port()); };
  const api_server own = serve({long_match()});
  for (const std::string name : {"127.0.0.1", "localhost"}) {
    BOOST_TEST(status(own, name + port_of(own)) == 200, name);
  }
  // A name that was pointed to this machine, and an address of another machine.
  for (const std::string name : {"evil.example", "192.168.1.7"}) {
    BOOST_TEST(status(own, name + port_of(own)) == 403, name);
  }
  BOOST_TEST(status(own, {}, "Origin: http://evil.example\r\n") == 403);
  serve_options options;
  options.address = "0.0.0.0";
  options.names = {"game.example"};
  const api_server open = serve({long_match()}, options);
  for (const std::string name : {"192.168.1.7", "localhost", "game.example"}) {
    BOOST_TEST(status(open, name + port_of(open)) == 200, name);
  }
  BOOST_TEST(status(open, "evil.example" + port_of(open)) == 403);
}

BOOST_AUTO_TEST_CASE(a_lobby_gives_no_session) {
  scripted_match lobby = long_match();
  lobby.map = "mpl_lobby_b2";
  const api_server server = serve({lobby});
  http_client client(server.port());
  for (const char* path : {"/session", "/player_bones"}) {
    const auto reply = client.get(path);
    BOOST_TEST(reply.status == 500);
    BOOST_TEST((echo::classify_reply(reply.status, reply.body) == echo::reply_kind::lobby));
  }
}

BOOST_AUTO_TEST_CASE(disabled_access) {
  serve_options options;
  options.api_disabled = true;
  const api_server server = serve({long_match()}, options);
  const auto reply = http_client(server.port()).get("/session");
  BOOST_TEST((echo::classify_reply(reply.status, reply.body) == echo::reply_kind::api_disabled));
}

BOOST_AUTO_TEST_CASE(after_the_last_tick_the_game_is_in_the_menu) {
  scripted_match brief;
  brief.ticks = 5;
  serve_options options;
  options.speed = 100;
  const api_server server = serve({brief}, options);
  BOOST_TEST(test::eventually([&] { return server.status().finished; }));
  BOOST_TEST(server.status().ticks == 5);
  BOOST_TEST(server.status().rounds == 1);
  BOOST_TEST(server.status().map == "");
  BOOST_TEST(server.source_result().has_value());
  const auto reply = http_client(server.port()).get("/session");
  BOOST_TEST(reply.status == 404);
  BOOST_TEST((echo::classify_reply(reply.status, reply.body) == echo::reply_kind::loading));
}

BOOST_AUTO_TEST_CASE(a_loop_never_ends) {
  scripted_match brief;
  brief.ticks = 5;
  serve_options options;
  options.speed = 100;
  options.loop = true;
  const api_server server = serve({brief}, options);
  BOOST_TEST(test::eventually([&] { return server.status().rounds >= 3; }));
  BOOST_TEST(!server.status().finished);
  BOOST_TEST(server.status().ticks >= 15);
  BOOST_TEST(http_client(server.port()).get("/session").status == 200);
}

BOOST_AUTO_TEST_CASE(time_starts_with_the_first_client_if_requested) {
  scripted_match brief;
  brief.ticks = 5;
  serve_options options;
  options.speed = 1000;
  options.wait_for_client = true;
  const api_server server = serve({brief}, options);
  // The server reports this request after it has played what is due, and /player_bones starts nothing.
  http_client client(server.port());
  BOOST_TEST(client.get("/player_bones").status == 404);
  BOOST_TEST(test::eventually([&] { return server.status().requests == 1; }));
  BOOST_TEST(server.status().ticks == 0);
  BOOST_TEST(!server.status().finished);
  BOOST_TEST(client.get("/session").status == 200);
  BOOST_TEST(test::eventually([&] { return server.status().finished; }));
}

BOOST_AUTO_TEST_CASE(many_concurrent_clients) {
  const api_server server = serve({long_match()});
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 12; ++i) {
    threads.emplace_back([&] {
      http_client client(server.port());
      for (int n = 0; n < 25; ++n) {
        if (client.get(n % 2 == 0 ? "/session" : "/player_bones").status == 200) ++good;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  BOOST_TEST(good == 12 * 25);
  BOOST_TEST(test::eventually([&] { return server.status().requests == 12 * 25; }));
}

BOOST_AUTO_TEST_CASE(clients_beyond_the_limit_are_rejected) {
  // A client that was idle for so long is replaced by a new one: an attempt that took so long is repeated.
  const std::chrono::milliseconds replaceable_after(net::http_server_options{}.replaceable_after_ms);
  serve_options options;
  options.max_clients = 2;
  BOOST_TEST(test::eventually([&] {
    const api_server server = serve({long_match()}, options);
    const auto began = std::chrono::steady_clock::now();
    http_client first(server.port());
    http_client second(server.port());
    BOOST_TEST(first.get("/session").status == 200);
    BOOST_TEST(second.get("/session").status == 200);
    http_client third(server.port());
    const int of_third = third.get("/session").status;
    const int of_first = first.get("/session").status;
    if (std::chrono::steady_clock::now() - began >= replaceable_after) return false;
    BOOST_TEST(of_third == 0);
    BOOST_TEST(of_first == 200);
    return true;
  }));
}

BOOST_AUTO_TEST_CASE(stopping_closes_every_connection) {
  api_server server = serve({long_match()});
  http_client client(server.port());
  BOOST_TEST(client.get("/session").status == 200);
  server.stop();
  server.stop();
  BOOST_TEST(client.get("/session").status == 0);
  const api_server moved = std::move(server);
  BOOST_TEST(moved.port() != 0);
}

BOOST_AUTO_TEST_CASE(an_unservable_recording_is_an_error) {
  const api_server first = serve({long_match()});
  serve_options options;
  options.port = first.port();
  const auto taken = api_server::start(std::make_unique<scripted_source>(std::vector{long_match()}), options);
  BOOST_REQUIRE(!taken.has_value());
  BOOST_TEST((taken.error().code == error_code::address_in_use));

  options.port = 0;
  options.address = "not an address";
  BOOST_TEST(
      !api_server::start(std::make_unique<scripted_source>(std::vector{long_match()}), options).has_value());
  options = {};
  options.port = 0;
  BOOST_TEST(!api_server::start(nullptr, options).has_value());
  BOOST_TEST(!api_server::start(std::make_unique<scripted_source>(std::vector<scripted_match>{}), options)
                  .has_value());
  options.speed = 0;
  BOOST_TEST(
      !api_server::start(std::make_unique<scripted_source>(std::vector{long_match()}), options).has_value());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::echo_vr
