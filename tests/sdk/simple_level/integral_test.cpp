// A position predicted from its velocity: smaller if declared, and every bit is equal.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "random.hpp"
#include "recorded_size.hpp"
#include "scratch_folder.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(sdk_simple_level_tests)
BOOST_AUTO_TEST_SUITE(integral_test)

namespace {
using namespace tickreel;
using namespace tickreel::test;
}  // namespace

namespace {
struct plain_flight {
  std::array<float, 3> position{}, velocity{};
};
TICKREEL_DESCRIBE(plain_flight, position, velocity);
TICKREEL_DECLARE(plain_flight, (position, decimals(3)), (velocity, decimals(2)));
struct flight {
  std::array<float, 3> position{}, velocity{};
};
TICKREEL_DESCRIBE(flight, position, velocity);
TICKREEL_DECLARE(flight, (position, decimals(3), integral_of("velocity", 60)), (velocity, decimals(2)));
struct too_few {
  std::array<float, 3> position{};
  float speed = 0;
};
TICKREEL_DESCRIBE(too_few, position, speed);
TICKREEL_DECLARE(too_few, (position, integral_of("speed", 60)));
struct timeless {
  float place = 0, speed = 0;
};
TICKREEL_DESCRIBE(timeless, place, speed);
TICKREEL_DECLARE(timeless, (place, integral_of("speed", 0)));
}  // namespace

BOOST_AUTO_TEST_CASE(a_position_round_trips_and_costs_less_with_a_declared_velocity) {
  scratch_folder folder;
  auto random = seeded_random("integral");
  const std::uint64_t seed = random();
  const auto size = [&]<class T>(const std::string& path, T) {
    auto again = std::mt19937_64(seed);
    std::array<double, 3> place{}, speed{};
    return recorded_size<T>(path, 512, [&] {
      T now;
      for (std::size_t i = 0; i < 3; ++i) {
        speed[i] = std::round((speed[i] + static_cast<double>(again() % 200) / 50 - 2) * 100) / 100;
        place[i] += speed[i] / 60;
        now.velocity[i] = static_cast<float>(speed[i]);
        now.position[i] = static_cast<float>(std::round(place[i] * 1000) / 1000);
      }
      if (again() % 60 == 0) now.position[again() % 3] = std::numeric_limits<float>::infinity();
      if (again() % 60 == 0) now.velocity[again() % 3] = -0.0f;
      return now;
    });
  };
  const auto plain = size(folder / "plain.reel", plain_flight{});
  const auto said = size(folder / "said.reel", flight{});
  BOOST_TEST(said * 10 < plain * 9);
}

BOOST_AUTO_TEST_CASE(a_velocity_of_another_shape_or_without_ticks_is_rejected) {
  scratch_folder folder;
  BOOST_TEST(!record<too_few>(folder / "few.reel", {.ticks_per_second = 60}));
  BOOST_TEST(!record<timeless>(folder / "timeless.reel", {.ticks_per_second = 60}));
}

BOOST_AUTO_TEST_CASE(the_velocity_declaration_is_in_the_schema) {
  const schema described = schema_of<flight>();
  const auto back = read_schema(to_bytes(described));
  BOOST_REQUIRE(back);
  BOOST_TEST((to_bytes(*back) == to_bytes(described)));
  const schema_declaration& said = back->root().fields[0].declared;
  BOOST_TEST((said.how == relation::integral_of));
  BOOST_TEST(said.first == "velocity");
  BOOST_TEST(said.ticks_per_second == 60u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
