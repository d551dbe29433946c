// A world of many units with many values each, of which few change per tick.
#include <boost/test/unit_test.hpp>

#include "file_bytes.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(sdk_simple_level_tests)
BOOST_AUTO_TEST_SUITE(large_world_test)

namespace {
using namespace tickreel;
using namespace tickreel::test;

struct large_unit {
  std::int32_t x = 0, y = 0, z = 0, dx = 0, dy = 0, dz = 0;
  std::uint16_t heading = 0, pitch = 0;
  std::uint32_t animation = 0;
  std::int32_t health = 100, shield = 0, energy = 0;
  std::uint32_t target = 0, owner = 0, order = 0, cooldown = 0, flags = 0;
};
TICKREEL_DESCRIBE(large_unit, x, y, z, dx, dy, dz, heading, pitch, animation, health, shield, energy, target,
                  owner, order, cooldown, flags);
struct large_world {
  std::array<large_unit, 10'000> units{};
};
TICKREEL_DESCRIBE(large_world, units);
struct small_world {
  std::array<large_unit, 900> units{};
};
TICKREEL_DESCRIBE(small_world, units);
// A function of its own, because each state on the stack has 640 kB.
[[gnu::noinline]] void require_tick(replay_of<large_world>& in, std::size_t at, const large_world& expected) {
  const auto state = in.at(at);
  BOOST_REQUIRE(state);
  BOOST_REQUIRE((to_component_bytes(*state) == to_component_bytes(expected)));
}

static_assert(tracks::row_encoder<small_world>::encoder_version == 1, "readers of 0.2 read smaller rows");
}  // namespace

BOOST_AUTO_TEST_CASE(ten_thousand_units_round_trip) {
  scratch_folder folder;
  const std::string path = folder / "units.reel";
  auto random = seeded_random("large world");
  recorder_options options;
  options.ticks_per_second = 30;
  options.mode = threading::pumped;
  options.ring_ticks = 4;
  options.seal_interval_ms = 3'600'000;  // one block, however slow the machine is
  auto out = record<large_world>(path, options);
  BOOST_REQUIRE(out);
  auto now = std::make_unique<large_world>();
  for (large_unit& one : now->units) {
    one.x = static_cast<std::int32_t>(random() % 100'000);
    one.owner = static_cast<std::uint32_t>(random() % 8);
  }
  std::vector<std::unique_ptr<large_world>> pushed;
  for (int tick = 0; tick < 40; ++tick) {
    for (int i = 0; i < 100; ++i) {
      large_unit& one = now->units[random() % now->units.size()];
      one.dx = static_cast<std::int32_t>(random() % 100) - 50;
      one.x += one.dx;
      one.heading = static_cast<std::uint16_t>(random());
    }
    BOOST_REQUIRE(out->push(*now));
    out->pump();
    pushed.push_back(std::make_unique<large_world>(*now));
  }
  BOOST_REQUIRE(out->close());
  auto source = reel::reader::open(path);
  BOOST_REQUIRE(source);
  BOOST_TEST(source->head().encoder_version == 2u);
  // About 25 kB of positions and owners, and 40 times 100 changes of about 6 bytes.
  BOOST_TEST(source->contents().file_bytes < 80'000u);
  {
    auto in = replay<large_world>(path);
    BOOST_REQUIRE(in);
    for (int i = 0; i < 20; ++i) {
      const std::size_t at = random() % pushed.size();
      require_tick(*in, at, *pushed[at]);
    }
  }
  auto in = replay<large_world>(path);
  BOOST_REQUIRE(in);
  std::size_t tick = 0;
  for (const auto& each : *in) {
    BOOST_REQUIRE(tick < pushed.size());
    BOOST_REQUIRE((to_component_bytes(each.state) == to_component_bytes(*pushed[tick++])));
  }
  BOOST_TEST(!in->failure());
  BOOST_TEST(tick == pushed.size());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
