#include "tickreel/echo_vr/overlay_server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "support/waiting.hpp"

namespace tickreel::echo_vr {

BOOST_AUTO_TEST_SUITE(echo_vr_network_tests)
BOOST_AUTO_TEST_SUITE(overlay_server_test)

namespace {

// A connection that reads until it has the expected text.
class visitor {
 public:
  explicit visitor(std::uint16_t port) : port_(port), socket_(context_) {
    socket_.connect({boost::asio::ip::address_v4::loopback(), port});
  }
  // `more`: further lines of the head, and a body.
  void ask(const std::string& path, std::string host = {}, const std::string& method = "GET",
           const std::string& more = "\r\n") {
    if (host.empty()) host = "127.0.0.1:" + std::to_string(port_);
    boost::asio::write(
        socket_, boost::asio::buffer(method + ' ' + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + more));
  }
  // Empty if the connection ended before.
  std::string read_to(const std::string& end) {
    boost::system::error_code failed;
    const std::size_t size = boost::asio::read_until(socket_, buffer_, end, failed);
    if (failed) return {};
    const auto begin = boost::asio::buffers_begin(buffer_.data());
    std::string text(begin, begin + static_cast<std::ptrdiff_t>(size));
    buffer_.consume(size);
    return text;
  }

 private:
  std::uint16_t port_;
  boost::asio::io_context context_;
  boost::asio::ip::tcp::socket socket_;
  boost::asio::streambuf buffer_;
};

struct game {
  live_feed feed;
  live_feed::writer writer{feed, "a:1"};
  std::unique_ptr<echo::state> state = std::make_unique<echo::state>();
  std::vector<std::function<void(const saved_clips&)>> asked;
  std::mutex mutex;
  result<overlay_server> server =
      overlay_server::start(feed, {.port = 0,
                                   .interval_ms = 5,
                                   .max_clients = 4,
                                   .ask_for_clip = [this](std::function<void(const saved_clips&)> then) {
                                     const std::lock_guard lock(mutex);
                                     asked.push_back(std::move(then));
                                   }});

  std::function<void(const saved_clips&)> take_question() {
    std::function<void(const saved_clips&)> taken;
    BOOST_REQUIRE(test::eventually([&] {
      const std::lock_guard lock(mutex);
      if (asked.empty()) return false;
      taken = std::move(asked.front());
      asked.erase(asked.begin());
      return true;
    }));
    return taken;
  }

  game() { BOOST_REQUIRE(server.has_value()); }
  void points(int blue) {
    state->match.sessionid.assign("S");
    state->match.blue_points = static_cast<float>(blue);
    writer.see(*state, 0);
  }
};

BOOST_FIXTURE_TEST_CASE(pages_are_served_with_their_policy, game) {
  for (const char* path : {"/", "/overlay.js", "/overlay.css", "/state"}) {
    visitor one(server->port());
    one.ask(path);
    const std::string head = one.read_to("\r\n\r\n");
    BOOST_TEST(head.starts_with("HTTP/1.1 200"), head);
    BOOST_TEST(head.find("Content-Security-Policy: default-src 'none'") != std::string::npos, head);
    BOOST_TEST(head.find("nosniff") != std::string::npos, head);
  }
  visitor two(server->port());
  two.ask("/etc/passwd");
  BOOST_TEST(two.read_to("\r\n\r\n").starts_with("HTTP/1.1 404"));
  visitor three(server->port());
  three.ask("/", {}, "POST");
  BOOST_TEST(three.read_to("\r\n\r\n").starts_with("HTTP/1.1 405"));
}

BOOST_FIXTURE_TEST_CASE(only_requests_for_its_own_names_are_accepted, game) {
  for (const std::string host : {"evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:80"}) {
    for (const char* path : {"/", "/live", "/state"}) {
      visitor one(server->port());
      one.ask(path, host);
      BOOST_TEST(one.read_to("\r\n\r\n").starts_with("HTTP/1.1 403"), host << ' ' << path);
    }
  }
  visitor one(server->port());
  one.ask("/state", "localhost:" + std::to_string(server->port()));
  BOOST_TEST(one.read_to("\r\n\r\n").starts_with("HTTP/1.1 200"));
}

BOOST_FIXTURE_TEST_CASE(followers_get_the_current_state_and_changes, game) {
  points(1);
  visitor one(server->port());
  one.ask("/live");
  BOOST_TEST(one.read_to("\r\n\r\n").find("text/event-stream") != std::string::npos);
  for (int points_now = 2; points_now < 50; ++points_now) {
    points(points_now);
    const std::string wanted = "\"points\":" + std::to_string(points_now) + "}";
    std::string said;
    do said = one.read_to("\n\n");
    while (!said.empty() && said.find(wanted) == std::string::npos);
    BOOST_REQUIRE_MESSAGE(said.starts_with("data: {"), said);
  }
}

BOOST_FIXTURE_TEST_CASE(a_client_that_does_not_read_blocks_no_one, game) {
  std::vector<std::unique_ptr<visitor>> deaf;
  for (int i = 0; i < 3; ++i) {
    deaf.push_back(std::make_unique<visitor>(server->port()));
    deaf.back()->ask("/live");
  }
  visitor one(server->port());
  one.ask("/live");
  (void)one.read_to("\r\n\r\n");
  for (int i = 1; i < 300; ++i) points(i);
  std::string said;
  do said = one.read_to("\n\n");
  while (!said.empty() && said.find("\"points\":299}") == std::string::npos);
  BOOST_TEST(!said.empty());
  // A fifth client is rejected; accepted again after one disconnects.
  visitor fifth(server->port());
  BOOST_TEST(fifth.read_to("\n").empty());
  deaf.clear();
  BOOST_TEST(test::eventually([&, number = 300]() mutable {
    points(number++);
    visitor next(server->port());
    try {
      next.ask("/state");
    } catch (const std::exception&) {
      return false;
    }
    return next.read_to("\r\n\r\n").starts_with("HTTP/1.1 200");
  }));
  server->stop();
  server->stop();
  BOOST_TEST(one.read_to("no such text").empty());
}

BOOST_FIXTURE_TEST_CASE(a_clip_is_requested_by_post, game) {
  visitor one(server->port());
  one.ask("/clip", {}, "POST");
  take_question()({{{"a:1", "x/goal \"1\".butter", 7}}, {}});
  BOOST_TEST(one.read_to("\r\n\r\n").starts_with("HTTP/1.1 200"));
  BOOST_TEST(one.read_to("]}") == R"({"clips":[{"target":"a:1","file":"x/goal \"1\".butter","ticks":7}]})");
  // The connection continues; a failure is reported.
  one.ask("/clip", {}, "POST");
  take_question()({{}, "no match"});
  BOOST_TEST(one.read_to("\r\n\r\n").starts_with("HTTP/1.1 409"));
  BOOST_TEST(one.read_to("}").find("no match") != std::string::npos);
  // Too many requests are reported as well.
  one.ask("/clip", {}, "POST");
  take_question()({{}, "ask again", true});
  const std::string busy = one.read_to("\r\n\r\n");
  BOOST_TEST(busy.starts_with("HTTP/1.1 503"), busy);
  BOOST_TEST(busy.find("Retry-After: 1\r\n") != std::string::npos, busy);
  BOOST_TEST(one.read_to("}").find("ask again") != std::string::npos);
  for (const char* method : {"GET", "PUT", "DELETE", "HEAD", "OPTIONS"}) {
    visitor other(server->port());
    other.ask("/clip", {}, method);
    const std::string head = other.read_to("\r\n\r\n");
    BOOST_TEST(head.starts_with("HTTP/1.1 405"), head);
    BOOST_TEST(head.find("Allow: POST") != std::string::npos, head);
  }
  BOOST_TEST(asked.empty());
  // A client that disconnected before the response, and a server that stopped.
  {
    visitor gone(server->port());
    gone.ask("/clip", {}, "POST");
    take_question()({{}, "no match"});
  }
  visitor last(server->port());
  last.ask("/clip", {}, "POST");
  const auto late = take_question();
  server->stop();
  late({{}, "too late"});
}

BOOST_FIXTURE_TEST_CASE(no_page_of_another_site_can_request_a_clip, game) {
  const std::string own = "http://127.0.0.1:" + std::to_string(server->port());
  for (const std::string& origin :
       {std::string("http://evil.example"), std::string("null"), own + ".evil.example", "https://" + own}) {
    visitor one(server->port());
    one.ask("/clip", {}, "POST", "Origin: " + origin + "\r\n\r\n");
    BOOST_TEST(one.read_to("\r\n\r\n").starts_with("HTTP/1.1 403"), origin);
  }
  visitor wrong(server->port());
  wrong.ask("/clip", "evil.example", "POST");
  BOOST_TEST(wrong.read_to("\r\n\r\n").starts_with("HTTP/1.1 403"));
  BOOST_TEST(asked.empty());
  visitor one(server->port());
  one.ask("/clip", {}, "POST", "Origin: " + own + "\r\n\r\n");
  take_question()({{}, "x"});
  BOOST_TEST(one.read_to("\r\n\r\n").starts_with("HTTP/1.1 409"));
}

BOOST_FIXTURE_TEST_CASE(request_bodies_do_not_block, game) {
  const std::string large(1u << 20, 'x');
  const std::string all = "Content-Length: " + std::to_string(large.size()) + "\r\n\r\n";
  for (const std::string& more : {all, all + large.substr(0, 10), std::string("Content-Length: 2\r\n\r\n{}"),
                                  std::string("Transfer-Encoding: chunked\r\n\r\n"),
                                  std::string("Content-Length: 99999999999\r\n\r\n")}) {
    visitor one(server->port());
    one.ask("/state", {}, "POST", more);
    BOOST_TEST(one.read_to("\r\n\r\n").starts_with("HTTP/1.1 405"));
    BOOST_TEST(one.read_to("no such text").empty());  // nothing of the body is read as a request
  }
  visitor two(server->port());
  two.ask("/clip", {}, "POST", "Content-Length: 2\r\n\r\n{}");
  take_question()({{}, "x"});
  BOOST_TEST(two.read_to("\r\n\r\n").starts_with("HTTP/1.1 409"));
}

BOOST_FIXTURE_TEST_CASE(idle_connections_do_not_block_pages, game) {
  std::vector<std::unique_ptr<visitor>> silent;
  for (int each = 0; each < 60; ++each) silent.push_back(std::make_unique<visitor>(server->port()));
  visitor page(server->port());
  page.ask("/live");
  BOOST_TEST(page.read_to("\n\n").starts_with("HTTP/1.1 200"));
  for (int each = 0; each < 60; ++each) silent.push_back(std::make_unique<visitor>(server->port()));
  visitor second(server->port());
  second.ask("/state");
  BOOST_TEST(second.read_to("\r\n\r\n").starts_with("HTTP/1.1 200"));
  points(2);
  BOOST_TEST(!page.read_to("\n\n").empty());  // the page that follows is not replaced
}

BOOST_FIXTURE_TEST_CASE(a_port_in_use_is_reported, game) {
  const auto second = overlay_server::start(feed, {.port = server->port()});
  BOOST_REQUIRE(!second.has_value());
  BOOST_TEST((second.error().code == error_code::address_in_use));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::echo_vr
