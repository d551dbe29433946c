#include "tickreel/echo_vr/find_games.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "support/fault_server.hpp"
#include "support/scripted_source.hpp"
#include "support/waiting.hpp"

namespace tickreel::echo_vr {

BOOST_AUTO_TEST_SUITE(echo_vr_network_tests)
BOOST_AUTO_TEST_SUITE(find_games_test)

namespace {

bool has(const std::vector<target>& places, const char* host) {
  return std::find(places.begin(), places.end(), target{host, default_port}) != places.end();
}

BOOST_AUTO_TEST_CASE(only_own_private_subnets_are_searched) {
  const auto home = places_near(std::vector<own_address>{{0xC0A80114, 24}});  // 192.168.1.20/24
  BOOST_TEST(home.size() == 253u);
  BOOST_TEST(has(home, "192.168.1.1"));
  BOOST_TEST(has(home, "192.168.1.254"));
  for (const char* const other : {"192.168.1.0", "192.168.1.20", "192.168.1.255", "192.168.2.1"}) {
    BOOST_TEST(!has(home, other), other);
  }
  // Of a large subnet only the nearest addresses.
  const auto office = places_near(std::vector<own_address>{{0x0A010203, 8}});  // 10.1.2.3/8
  BOOST_TEST(office.size() == 253u);
  BOOST_TEST(has(office, "10.1.2.1"));
  // 8.8.8.8, 127.0.0.1, 172.32.0.1, 100.64.0.1: never searched.
  for (const std::uint32_t address : {0x08080808u, 0x7F000001u, 0xAC200001u, 0x64400001u}) {
    BOOST_TEST(places_near(std::vector<own_address>{{address, 24}}).empty());
  }
  BOOST_TEST(places_near(std::vector<own_address>{{0xC0A80114, 32}}).empty());
  BOOST_TEST(places_near(std::vector<own_address>{{0xC0A80114, 31}}).size() == 1u);
  BOOST_TEST(places_near(std::vector<own_address>{{0xC0A80114, 30}}).size() ==
             2u);  // 20 is the network address of 20 to 23
  BOOST_TEST(places_near(std::vector<own_address>{{0xC0A80114, 99}}).empty());
  BOOST_TEST(places_near({}).empty());
  std::vector<own_address> many;
  for (std::uint32_t i = 0; i < 20; ++i) many.push_back({0xC0A80001 + (i << 8), 24});
  BOOST_TEST(places_near(many).size() == max_places_to_look);
  // Two addresses in one subnet search it once.
  BOOST_TEST(places_near(std::vector<own_address>{{0xC0A80114, 24}, {0xC0A80115, 24}}).size() == 252u);
}

BOOST_AUTO_TEST_CASE(games_are_distinguished_from_other_servers) {
  const std::map<std::string, std::string> match = {{"/session", test::session_text({}, 1)}};
  std::vector<std::unique_ptr<test::fault_server>> servers;
  std::vector<target> places = {{"127.0.0.1", 1}};  // no game there
  const auto add = [&](test::fault how) {
    servers.push_back(std::make_unique<test::fault_server>(match));
    servers.back()->set(how);
    places.push_back({"127.0.0.1", servers.back()->port()});
  };
  for (const auto how : {test::fault::none, test::fault::html, test::fault::menu, test::fault::not_http,
                         test::fault::lobby, test::fault::drop, test::fault::api_off}) {
    add(how);
  }
  std::size_t looked_at = 0;
  find_options options;
  options.at_once = 3;
  options.connect_timeout_ms = 30'000;
  options.answer_timeout_ms = 30'000;
  options.progress = [&](std::size_t done, std::size_t all) {
    BOOST_TEST(done == ++looked_at);
    BOOST_TEST(all == places.size());
    return true;
  };
  const auto found = find_games(places, options);
  BOOST_TEST(looked_at == places.size());
  BOOST_REQUIRE_EQUAL(found.size(), 4u);
  const target_state wanted[] = {target_state::in_match, target_state::menu, target_state::lobby,
                                 target_state::api_disabled};
  for (std::size_t i = 0; i < 4; ++i) {
    BOOST_TEST((found[i].where == places[1 + 2 * i]));
    BOOST_TEST((found[i].state == wanted[i]));
  }
  // Each was asked once, for one path.
  for (const auto& each : servers) {
    BOOST_TEST(each->requests("/session") == 1u);
    BOOST_TEST(each->requests("/player_bones") == 0u);
  }
  options.progress = [](std::size_t, std::size_t) { return false; };
  BOOST_TEST(find_games(places, options).size() <= 3u);
  BOOST_TEST(find_games({}).empty());
}

BOOST_AUTO_TEST_CASE(a_search_passes_over_servers_that_hang) {
  test::fault_server hanging(std::map<std::string, std::string>{{"/session", test::session_text({}, 1)}});
  hanging.set(test::fault::hang);
  const std::vector<target> places(2, target{"127.0.0.1", hanging.port()});
  std::size_t looked_at = 0;
  find_options options;
  options.at_once = 1;
  options.connect_timeout_ms = 30'000;
  options.answer_timeout_ms = 500;
  options.progress = [&](std::size_t done, std::size_t) { return done == ++looked_at; };
  BOOST_TEST(find_games(places, options).empty());
  BOOST_TEST(looked_at == places.size());
  // Each was asked, although the server's threads may notice it later.
  BOOST_TEST(test::eventually([&] { return hanging.requests("/session") == places.size(); }));
  BOOST_TEST(hanging.requests("/player_bones") == 0u);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::echo_vr
