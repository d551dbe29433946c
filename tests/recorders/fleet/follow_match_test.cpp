// Described ticks of a game, read by another process while it runs.
#include <boost/test/unit_test.hpp>

#include "delivered.hpp"
#include "random.hpp"

BOOST_AUTO_TEST_SUITE(fleet_broker_tests)
BOOST_AUTO_TEST_SUITE(follow_match_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct puck {
  float x = 0, y = 0;
  std::uint32_t noise = 0;
};
TICKREEL_DESCRIBE(puck, x, y, noise);
struct bounced {
  std::uint32_t wall = 0;
};
TICKREEL_DESCRIBE(bounced, wall);

puck puck_at(std::uint64_t tick) {
  const auto at = static_cast<float>(tick);
  return {at / 3, at / 7, static_cast<std::uint32_t>(tick * 2654435761u)};
}
bool is_puck_of(const replayed<puck>& one) {
  const puck wanted = puck_at(one.tick);
  return one.state.x == wanted.x && one.state.y == wanted.y && one.state.noise == wanted.noise;
}

// Every 50 ticks one hits a wall.
template <class Recording>
void play(Recording& out, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t tick = from; tick < to; ++tick) {
    BOOST_REQUIRE(eventually([&] { return bool(out.push(puck_at(tick))); }));
    if (tick % 50 == 0) BOOST_REQUIRE(out.event(bounced{static_cast<std::uint32_t>(tick)}));
  }
}

// The ticks that it received until `done`.
std::vector<std::uint64_t> ticks_until(replay_of<puck>& live, const std::function<bool()>& done) {
  std::vector<std::uint64_t> seen;
  BOOST_TEST(eventually([&] {
    BOOST_REQUIRE(live.refresh(50ms));
    for (;;) {
      const auto tick = live.next();
      BOOST_REQUIRE(tick);
      if (!*tick) break;
      BOOST_TEST(is_puck_of(**tick));
      seen.push_back((*tick)->tick);
    }
    return done();
  }));
  return seen;
}

void check_in_a_row(const std::vector<std::uint64_t>& seen, std::uint64_t last) {
  BOOST_REQUIRE(!seen.empty());
  for (std::size_t i = 1; i < seen.size(); ++i) BOOST_REQUIRE_EQUAL(seen[i], seen[i - 1] + 1);
  BOOST_TEST(seen.back() == last);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_game_is_followed_remotely_by_early_and_late_readers, *with_broker) {
  scratch_folder folder;
  const nats_server server(folder.path());
  const std::string path = folder / "cup.reel";
  const std::string address = "nats://127.0.0.1:" + std::to_string(server.port()) + "/main/cup";
  auto sink = fleet::publish_to(server.url("main", "cup"), path, quick_options());
  BOOST_REQUIRE(sink);
  std::vector<std::unique_ptr<reel::sink>> sinks;
  sinks.push_back(std::move(*sink));
  auto out =
      record<puck>(path, {.seal_frames = 20, .ring_ticks = 512, .ticks_per_second = 60}, std::move(sinks));
  BOOST_REQUIRE(out);
  play(*out, 0, 100);

  auto early = follow<puck>(address, quick_follow(), 60s);
  BOOST_REQUIRE_MESSAGE(early.has_value(), (early ? "" : describe(early.error())));
  std::vector<std::uint64_t> seen;
  BOOST_TEST(eventually([&] {
    const auto more = ticks_until(*early, [] { return true; });
    seen.insert(seen.end(), more.begin(), more.end());
    return seen.size() >= 40;
  }));

  fleet::follow_options from_here = quick_follow();
  from_here.from_start = false;
  auto late = follow<puck>(address, from_here, 60s);
  BOOST_REQUIRE_MESSAGE(late.has_value(), (late ? "" : describe(late.error())));
  play(*out, 100, 300);
  const auto closed = out->close();
  BOOST_REQUIRE(closed);
  BOOST_TEST(closed->counters.events_lost == 0u);

  const auto rest = ticks_until(*early, [&] { return early->ended(); });
  seen.insert(seen.end(), rest.begin(), rest.end());
  check_in_a_row(seen, 299);
  BOOST_TEST(seen.size() == 300u);
  BOOST_TEST(early->losses().losses == 0u);
  BOOST_TEST(early->losses().gap_ticks == 0u);
  BOOST_TEST(!early->trouble());
  const auto walls = early->events<bounced>();
  BOOST_REQUIRE(walls);
  BOOST_REQUIRE_EQUAL(walls->size(), 6u);
  for (const auto& each : *walls) BOOST_TEST(each.event.wall == each.tick);

  // A late follower has everything from some tick on.
  const auto heard = ticks_until(*late, [&] { return late->ended(); });
  check_in_a_row(heard, 299);
}

BOOST_AUTO_TEST_CASE(waiting_for_a_match_without_a_recorder_is_limited, *with_broker) {
  scratch_folder folder;
  const nats_server server(folder.path());
  const std::string address = "nats://127.0.0.1:" + std::to_string(server.port()) + "/main/nobody";
  BOOST_TEST(!follow<puck>(address, quick_follow(), 200ms));
  BOOST_TEST(!follow<puck>("nats://127.0.0.1:1/main/nobody", quick_follow(), 200ms));
  BOOST_TEST((follow<puck>("http://x", quick_follow(), 200ms).error().code == error_code::invalid_argument));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
