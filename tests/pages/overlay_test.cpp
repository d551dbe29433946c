// The casters' page, with a simulated game.
#include "page_user.hpp"
#include "tickreel/echo_vr/live_feed.hpp"
#include "tickreel/echo_vr/overlay_server.hpp"

BOOST_AUTO_TEST_SUITE(pages_tests)
BOOST_AUTO_TEST_SUITE(overlay_test, *tickreel::test::with_browser)

namespace {

using namespace tickreel;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(an_overlay_follows_the_game) {
  browser& page = the_browser();
  echo_vr::live_feed feed;
  echo_vr::live_feed::writer game(feed, "127.0.0.1:6721");
  auto overlay = echo_vr::overlay_server::start(feed, {.port = 0});
  BOOST_REQUIRE(overlay.has_value());
  (void)page.complaints();
  page.resize(1200, 600);
  page.open("http://127.0.0.1:" + std::to_string(overlay->port()) + "/");
  const std::string board = "document.getElementById('board')";
  page.wait_until("document.body.dataset.updates >= 1");
  BOOST_TEST(page.truth(board + ".hidden"));
  BOOST_TEST(page.text("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)");

  auto state = std::make_unique<echo::state>();
  echo::session& match = state->match;
  match.sessionid.assign("S");
  match.team_count = 3;
  match.player_count = 2;
  match.teams[0].player_count = match.teams[1].player_count = 1;
  match.teams[0].name.assign(wicked_name);
  match.teams[1].name.assign("ORANGE TEAM");
  state->players[0].name.assign("blue one");
  state->players[1].name.assign(wicked_name);
  state->players[1].possession = true;
  match.blue_points = 3;
  match.game_clock_display.assign("09:58.42");
  game.see(*state, 0);
  page.wait_until("!" + board + ".hidden");
  const auto says = [&](const char* id) {
    return page.text("document.getElementById('" + std::string(id) + "').textContent");
  };
  BOOST_TEST(says("blue-team") == wicked_name);
  BOOST_TEST(says("blue-points") == "3");
  BOOST_TEST(says("orange-points") == "0");
  BOOST_TEST(says("clock") == "09:58.42");
  BOOST_TEST(says("possession") == wicked_name);
  BOOST_TEST(page.text("document.getElementById('possession').dataset.team") == "orange");
  BOOST_TEST(says("goal") == "");
  BOOST_TEST(page.truth("document.querySelector('img') === null"));

  // A long name does not move the points, and no name reverses the line's text direction.
  match.teams[0].name.assign("WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW");
  match.teams[1].name.assign("WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW");
  state->players[1].name.assign("a\u202Eb\u2066c");
  game.see(*state, 0);
  page.wait_until("document.getElementById('blue-team').textContent.startsWith('WWW')");
  for (const char* id : {"blue-points", "orange-points"}) {
    const std::string place = "document.getElementById('" + std::string(id) + "')";
    BOOST_TEST(page.truth(place + ".getBoundingClientRect().left >= " + place +
                          ".parentElement.getBoundingClientRect().left && " + place +
                          ".getBoundingClientRect().right <= " + place +
                          ".parentElement.getBoundingClientRect().right"));
    BOOST_TEST(page.truth(place + ".getBoundingClientRect().right <= innerWidth"));
  }
  BOOST_TEST(page.truth("document.getElementById('clock').getBoundingClientRect().width > 0"));
  BOOST_TEST(says("possession") == "abc");
  BOOST_TEST(page.truth("document.querySelector('#possession bdi') !== null"));

  match.last_score.person_scored.assign("blue one");
  match.last_score.team.assign("blue");
  match.last_score.point_amount = 2;
  match.last_score.disc_speed = 12.34f;
  match.blue_points = 5;
  state->players[1].possession = false;
  game.see(*state, 0);
  page.wait_until("document.getElementById('blue-points').textContent == '5'");
  BOOST_TEST(says("goal").find("blue one") == 0u);
  BOOST_TEST(says("goal").find("12.3 m/s") != std::string::npos);
  BOOST_TEST(says("possession") == "");

  // Each change appears by itself, without a reload of the page.
  const double before = page.number("Number(document.body.dataset.updates)");
  for (int points = 6; points < 26; ++points) {
    match.blue_points = static_cast<float>(points);
    game.see(*state, 0);
    page.wait_until("document.getElementById('blue-points').textContent == '" + std::to_string(points) + "'");
  }
  BOOST_TEST(page.number("Number(document.body.dataset.updates)") >= before + 20);
  game.out_of_match();
  page.wait_until(board + ".hidden");
  for (const std::string& each : page.complaints()) BOOST_ERROR("the browser's console: " << each);
  // Otherwise the page would try to reconnect while other cases read the console.
  (void)page.ask("location.replace('about:blank')");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
