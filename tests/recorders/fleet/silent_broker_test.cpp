// Brokers that accept a connection and stop to answer.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <optional>
#include <string>

#include "cut_proxy.hpp"
#include "nats_server.hpp"
#include "scratch_folder.hpp"
#include "silent_server.hpp"

BOOST_AUTO_TEST_SUITE(fleet_broker_tests)
BOOST_AUTO_TEST_SUITE(silent_broker_test)

using namespace tickreel;
using namespace tickreel::fleet;
using namespace std::chrono_literals;

namespace {

nats_url address_of(std::uint16_t port) {
  return *read_nats_url("nats://127.0.0.1:" + std::to_string(port));
}

broker_options impatient() {
  broker_options out;
  out.connect = 50ms;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(connecting_to_a_silent_broker_times_out, *test::with_broker_client) {
  for (const std::string& text : {std::string(), test::broker_info.substr(0, 20), test::broker_info}) {
    BOOST_TEST_CONTEXT("after \"" << text << '"') {
      const test::silent_server server(text);
      const auto connected = broker::connect(address_of(server.port()), impatient());
      BOOST_REQUIRE(!connected);
      BOOST_TEST((connected.error().code == error_code::timed_out), describe(connected.error()));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_end_of_a_program_ends_the_wait, *test::with_broker_client) {
  for (const std::string& text : {std::string(), test::broker_info}) {
    const test::silent_server server(text);
    broker_options options;
    options.connect = 1h;
    int polls = 0;
    options.cancelled = [&] { return ++polls == 3; };
    const auto connected = broker::connect(address_of(server.port()), options);
    BOOST_REQUIRE(!connected);
    BOOST_TEST((connected.error().code == error_code::interrupted), describe(connected.error()));
  }
}

// Each abandoned login holds a thread and a connection.
BOOST_AUTO_TEST_CASE(a_broker_that_ignores_logins_gets_a_limited_number, *test::with_broker_client) {
  const test::silent_server server(test::broker_info);
  const auto begin = std::chrono::steady_clock::now();
  for (int tries = 0; tries < 40; ++tries) {
    const auto connected = broker::connect(address_of(server.port()), impatient());
    BOOST_REQUIRE(!connected);
    BOOST_REQUIRE((connected.error().code == error_code::timed_out));
  }
  // At the limit, one more a minute.
  const auto minutes = (std::chrono::steady_clock::now() - begin) / 1min;
  BOOST_TEST(test::eventually([&] { return server.open() <= 16 + static_cast<std::size_t>(minutes); }));
}

BOOST_AUTO_TEST_CASE(a_broker_that_answers_again_is_connected, *test::with_broker) {
  const test::scratch_folder folder;
  const test::nats_server server(folder.path());
  test::cut_proxy proxy(server.port());
  proxy.set(test::cut_proxy::mode::swallow);
  for (int tries = 0; tries < 20; ++tries) {
    const auto connected = broker::connect(address_of(proxy.port()), impatient());
    BOOST_REQUIRE(!connected);
    BOOST_TEST((connected.error().code == error_code::timed_out), describe(connected.error()));
  }
  proxy.set(test::cut_proxy::mode::pass);
  BOOST_TEST(test::connected_to(address_of(proxy.port())).has_value());
}

// The servers are tried in a random order.
BOOST_AUTO_TEST_CASE(another_server_of_the_address_is_used, *test::with_broker) {
  const test::scratch_folder folder;
  const test::nats_server server(folder.path());
  const auto silent = std::make_optional<test::silent_server>(test::broker_info);
  const auto both = read_nats_url("nats://127.0.0.1:" + std::to_string(silent->port()) +
                                  ",127.0.0.1:" + std::to_string(server.port()));
  BOOST_REQUIRE(both);
  broker_options options;
  options.connect = 2s;
  BOOST_TEST(test::eventually([&] {
    const auto connected = broker::connect(*both, options);
    return connected.has_value() && silent->accepted() != 0;
  }));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
