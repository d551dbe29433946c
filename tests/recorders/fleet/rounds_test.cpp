// Rounds of faults at random moments. TICKREEL_FLEET_ROUNDS=100 for many; the seed is printed.
#include <boost/test/unit_test.hpp>

#include "cut_proxy.hpp"
#include "delivered.hpp"
#include "random.hpp"
#include "tickreel/reel/recover.hpp"

using namespace tickreel;
using namespace tickreel::fleet;
using namespace tickreel::test;

namespace {

fleet::nats_url at_port(std::uint16_t port, const std::string& match = "") {
  auto url = read_nats_url("nats://127.0.0.1:" + std::to_string(port) + "/rounds");
  url->match = match;
  return *url;
}

void one_round(int number, std::mt19937_64& random, const scratch_folder& folder, nats_server& server,
               cut_proxy& proxy) {
  const std::string name = "round " + std::to_string(number);
  const std::string path = folder / (name + ".reel");
  publish_options how = quick_options();
  how.queue.max_records = static_cast<std::uint32_t>(4 + random() % 200);  // some overflow
  const bool dies = random() % 4 == 0;
  if (dies) how.queue.close_wait_ms = 10;
  auto sink = publish_to(at_port(proxy.port()), path, how);
  BOOST_REQUIRE(sink);
  growing_reel growing(path, random, std::move(*sink));
  auto watching = follower::create(at_port(proxy.port(), name), path + ".watched", quick_follow());
  BOOST_REQUIRE(watching);
  const auto look = [&] { BOOST_REQUIRE(watching->pump(std::chrono::milliseconds(random() % 5))); };
  for (std::uint64_t fault = 1 + random() % 4; fault > 0; --fault) {
    growing.grow(random() % 80);
    look();
    switch (random() % 4) {
      case 0:
        server.kill();
        growing.grow(random() % 80);
        look();
        server.start();
        break;
      case 1:
        proxy.set(cut_proxy::mode::refuse);
        growing.grow(random() % 80);
        look();
        break;
      case 2:
        proxy.set(cut_proxy::mode::swallow);
        growing.grow(random() % 80);
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % 1500));
        look();
        break;
      default:
        look();
        break;
    }
    proxy.set(cut_proxy::mode::pass);
  }
  if (dies) {
    // Without an end, and most likely with records that nobody delivered; recovery ends it.
    growing.writer->abandon();
    growing.writer.reset();
    BOOST_REQUIRE(reel::recover_in_place(path));
    BOOST_REQUIRE(publish_reel(at_port(server.port()), path, quick_options()));
  } else {
    BOOST_REQUIRE(growing.writer->finish());
    growing.writer.reset();
  }
  BOOST_TEST(eventually([&] {
    look();
    return watching->ended();
  }));
  BOOST_TEST(watching->counters().reel.lost_records == 0u);
  BOOST_TEST((read_file(path + ".watched") == read_file(path)), name);
  BOOST_TEST((followed(at_port(server.port(), name), path + ".came") == read_file(path)), name);
}

}  // namespace

BOOST_AUTO_TEST_CASE(rounds_of_faults) {
  if (!can_start_broker()) return;
  auto random = seeded_random("rounds");
  const char* const told = std::getenv("TICKREEL_FLEET_ROUNDS");
  const int rounds = told != nullptr ? std::atoi(told) : 3;
  const scratch_folder folder;
  nats_server server(folder.path());
  cut_proxy proxy(server.port());
  for (int each = 0; each < rounds; ++each) one_round(each, random, folder, server, proxy);
  std::cout << rounds << " rounds\n";
}
