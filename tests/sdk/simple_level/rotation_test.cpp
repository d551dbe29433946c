// Rotations: the coder's model of them makes reels smaller and changes no bit.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "random.hpp"
#include "recorded_size.hpp"
#include "scratch_folder.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(sdk_simple_level_tests)
BOOST_AUTO_TEST_SUITE(rotation_test)

namespace {
using namespace tickreel;
using namespace tickreel::test;
}  // namespace

namespace {
struct plain_turn {
  std::array<float, 4> facing{};
  std::array<std::array<float, 3>, 3> axes{};
};
TICKREEL_DESCRIBE(plain_turn, facing, axes);
TICKREEL_DECLARE(plain_turn, (facing, decimals(4)), (axes, decimals(4)));
struct turn {
  std::array<float, 4> facing{};
  std::array<std::array<float, 3>, 3> axes{};
};
TICKREEL_DESCRIBE(turn, facing, axes);
TICKREEL_DECLARE(turn, (facing, decimals(4), rotation), (axes, decimals(4), rotation));
struct half_a_turn {
  std::array<float, 5> facing{};
};
TICKREEL_DESCRIBE(half_a_turn, facing);
TICKREEL_DECLARE(half_a_turn, (facing, rotation));

struct plain_skeleton {
  std::array<std::array<float, 4>, 12> bones{};
  std::array<std::array<float, 3>, 2> hands{};
};
TICKREEL_DESCRIBE(plain_skeleton, bones, hands);
TICKREEL_DECLARE(plain_skeleton, (bones, decimals(4)), (hands, decimals(4)));
struct skeleton {
  std::array<std::array<float, 4>, 12> bones{};
  std::array<std::array<float, 3>, 2> hands{};
};
TICKREEL_DESCRIBE(skeleton, bones, hands);
TICKREEL_DECLARE(skeleton, (bones, decimals(4), rotation), (hands, decimals(4), unit_vector));

// Rotations about a moving axis, as a quaternion and as its axes; occasionally a value that is not a rotation.
template <class T>
T turned(std::mt19937_64& random, std::array<double, 3>& angles) {
  for (double& each : angles) each += 0.02 * (static_cast<double>(random() % 1000) / 500 - 1);
  const double size = std::sqrt(angles[0] * angles[0] + angles[1] * angles[1] + angles[2] * angles[2]) + 1e-9;
  const double w = std::cos(size), factor = std::sin(size) / size;
  const double x = angles[0] * factor, y = angles[1] * factor, z = angles[2] * factor;
  const auto rounded = [](double value) { return static_cast<float>(std::round(value * 1e4) / 1e4); };
  T now;
  now.facing = {rounded(x), rounded(y), rounded(z), rounded(w)};
  now.axes = {
      {{rounded(1 - 2 * (y * y + z * z)), rounded(2 * (x * y + z * w)), rounded(2 * (x * z - y * w))},
       {rounded(2 * (x * y - z * w)), rounded(1 - 2 * (x * x + z * z)), rounded(2 * (y * z + x * w))},
       {rounded(2 * (x * z + y * w)), rounded(2 * (y * z - x * w)), rounded(1 - 2 * (x * x + y * y))}}};
  if (random() % 50 == 0) now.facing[random() % 4] = std::numeric_limits<float>::max();
  if (random() % 50 == 0) now.axes[2][random() % 3] = std::numeric_limits<float>::quiet_NaN();
  return now;
}

template <class T>
T moved(std::mt19937_64& random, std::array<std::array<double, 3>, 12>& angles) {
  T now;
  for (std::size_t i = 0; i < now.bones.size(); ++i) {
    const auto one = turned<turn>(random, angles[i]);
    now.bones[i] = one.facing;
    if (i < now.hands.size()) now.hands[i] = one.axes[0];
  }
  return now;
}
}  // namespace

BOOST_AUTO_TEST_CASE(a_rotation_round_trips_and_costs_less_when_declared) {
  scratch_folder folder;
  auto random = seeded_random("rotation");
  const std::uint64_t seed = random();
  const auto size = [&]<class T>(const std::string& path, T) {
    auto again = std::mt19937_64(seed);
    std::array<double, 3> angles{};
    return recorded_size<T>(path, 256, [&] { return turned<T>(again, angles); });
  };
  const auto plain = size(folder / "plain.reel", plain_turn{});
  const auto said = size(folder / "said.reel", turn{});
  BOOST_TEST_MESSAGE("256 ticks of 13 numbers: " << plain << " bytes, with rotations declared " << said);
  BOOST_TEST(said < plain * 3 / 4);
  BOOST_TEST((record<half_a_turn>(folder / "half.reel").error().code == error_code::invalid_argument));
}

BOOST_AUTO_TEST_CASE(directions_of_an_array_are_those_of_its_elements) {
  scratch_folder folder;
  auto random = seeded_random("skeletons");
  const std::uint64_t seed = random();
  const auto size = [&]<class T>(const std::string& path, T) {
    auto again = std::mt19937_64(seed);
    std::array<std::array<double, 3>, 12> angles{};
    return recorded_size<T>(path, 256, [&] { return moved<T>(again, angles); });
  };
  const auto plain = size(folder / "plain.reel", plain_skeleton{});
  const auto said = size(folder / "said.reel", skeleton{});
  BOOST_TEST_MESSAGE("256 ticks of 54 numbers: " << plain << " bytes, with directions declared " << said);
  BOOST_TEST(said < plain * 9 / 10);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
