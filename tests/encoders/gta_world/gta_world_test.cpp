// Path nodes and height maps: round trips, truncated and malicious files.
#include <boost/test/unit_test.hpp>

#include "random.hpp"
#include "tickreel/gta_world/height_map.hpp"
#include "town.hpp"
#include "write_path_nodes.hpp"

BOOST_AUTO_TEST_SUITE(encoders_gta_world_tests)
BOOST_AUTO_TEST_SUITE(gta_world_test)

using namespace tickreel;
using namespace tickreel::gta_world;

BOOST_AUTO_TEST_CASE(path_nodes_round_trip) {
  for (const node_area& area : test::town()) {
    const byte_vector file = test::write_path_nodes(area);
    const auto read = read_path_nodes(file);
    BOOST_REQUIRE(read);
    BOOST_TEST(read->vehicle_nodes == area.vehicle_nodes);
    BOOST_TEST((test::write_path_nodes(*read) == file));
    BOOST_REQUIRE_EQUAL(read->nodes.size(), area.nodes.size());
    for (std::size_t i = 0; i < area.nodes.size(); ++i) {
      BOOST_TEST(read->nodes[i].x_m == area.nodes[i].x_m);
      BOOST_TEST(read->nodes[i].links() == area.nodes[i].links());
    }
    BOOST_TEST(read->navi_nodes.front().lanes_along() == 1u);
    BOOST_TEST(read->navi_nodes.front().lanes_against() == 1u);
  }
}

BOOST_AUTO_TEST_CASE(truncated_and_damaged_path_nodes_are_harmless) {
  const byte_vector file = test::write_path_nodes(test::town().front());
  // The lengths of links and the bytes after them are not read.
  const std::size_t needed = file.size() - 192 - 2 * test::town().front().links.size();
  for (std::size_t size = 0; size < needed; ++size)
    BOOST_REQUIRE(!read_path_nodes(byte_span(file).first(size)));
  BOOST_TEST(bool(read_path_nodes(byte_span(file).first(needed))));
  auto random = tickreel::test::seeded_random("path nodes");
  for (int round = 0; round < 3000; ++round) {
    byte_vector damaged = file;
    for (int i = 0; i < 4; ++i) damaged[random() % damaged.size()] = static_cast<std::byte>(random());
    if (const auto read = read_path_nodes(damaged)) {
      for (const path_node& each : read->nodes)
        BOOST_REQUIRE(each.links() == 0 || each.first_link + each.links() <= read->links.size());
    }
  }
  byte_vector counts(20, std::byte{0xFF});
  BOOST_TEST((read_path_nodes(counts).error().code == error_code::over_limit));
}

BOOST_AUTO_TEST_CASE(height_maps_are_detected_by_their_size) {
  const auto full = height_map_shape_of(72'000'000);
  const auto least = height_map_shape_of(8'000'000);
  BOOST_REQUIRE((full && least));
  BOOST_TEST(full->side == 6000u);
  BOOST_TEST(least->step_m == 3);
  BOOST_TEST(!height_map_shape_of(71'999'999));
  // The north-western corner is first in the file.
  const height_places corner = places_about(*full, -3000, 3000);
  BOOST_TEST(corner.column == 0u);
  BOOST_TEST(corner.row == 0u);
  const height_places inside = places_about(*full, 0.25, -10.5);
  BOOST_TEST(inside.column == 3000u);
  BOOST_TEST(inside.row == 3010u);
  BOOST_TEST(inside.east == 0.25);
  BOOST_TEST(inside.south == 0.5);
  for (const double far : {1e9, -1e9, std::nan("")}) {
    const height_places edge = places_about(*full, far, far);
    BOOST_TEST(edge.column + 1 < full->side);
    BOOST_TEST(edge.row + 1 < full->side);
    BOOST_TEST(edge.east <= 1);
  }
  const std::byte bytes[2] = {std::byte{0x10}, std::byte{0x27}};
  BOOST_TEST(height_of(bytes) == 100);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
