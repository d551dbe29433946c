#include "tickreel/net/http_connection.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>
#include <future>
#include <optional>
#include <string>
#include <thread>

#include "event_loop_internals.hpp"

namespace tickreel::net {

BOOST_AUTO_TEST_SUITE(echo_vr_network_tests)
BOOST_AUTO_TEST_SUITE(http_connection_test)

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

// Each piece needs an iteration of the loop and a wait for the system: with 55 per poll, a busy machine lost polls.
BOOST_AUTO_TEST_CASE(an_available_response_is_read_in_few_pieces) {
  asio::io_context context;
  tcp::acceptor acceptor(context, {asio::ip::make_address("127.0.0.1"), 0});
  const std::string body(16'000, 'a');
  // Completely in the system's buffers before the client reads, so that the pieces do not depend on timing.
  std::promise<void> written;
  std::promise<void> answered;
  std::thread server([&] {
    boost::system::error_code failed;
    tcp::socket socket(context);
    acceptor.accept(socket, failed);
    const std::string answer =
        "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    asio::write(socket, asio::buffer(answer), failed);
    written.set_value();
    answered.get_future().wait();
  });
  event_loop loop;
  std::optional<std::string> got;
  {
    http_connection connection(loop, "127.0.0.1", acceptor.local_endpoint().port(),
                               {60'000, 60'000, 1u << 20});
    connection.get("/session", [&](const result<http_answer>& answer) {
      got = answer ? std::string(answer->body) : describe(answer.error());
    });
    written.get_future().wait();
    int turns = 0;
    while (!got && loop.inside().context.run_one() > 0) ++turns;
    BOOST_TEST((got == body));
    BOOST_TEST(turns < 15);
  }
  answered.set_value();
  server.join();
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::net
