#include <boost/test/unit_test.hpp>
#include <utility>

#include "random.hpp"
#include "sample_map.hpp"
#include "tickreel/sc2replay/map_ground.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_archive_tests)
BOOST_AUTO_TEST_SUITE(map_ground_test)

using namespace tickreel;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(the_ground_is_the_playable_part_in_every_version_and_order) {
  for (const std::uint32_t version : {0x17u, 0x18u, 0x1Fu, 0x20u, 0x26u, 0x27u}) {
    for (const int bits : {24, 32}) {
      for (const int kind : {0, 1, 2, 3}) {
        BOOST_TEST_CONTEXT(version << " " << bits << " " << kind) {
          const auto found = sc2replay::read_map_ground(
              map_file(map_info(version, {}, version > 0x20), minimap(bits, kind % 2 == 0, kind >= 2)));
          BOOST_REQUIRE(found);
          BOOST_TEST(found->map_width == 8u);
          BOOST_TEST(found->map_height == 9u);
          BOOST_TEST(found->left == 1u);
          BOOST_TEST(found->bottom == 2u);
          BOOST_TEST(found->right == 5u);
          BOOST_TEST(found->top == 4u);
          // Two pixels a unit: all eight columns, and the four rows in the middle.
          BOOST_TEST(found->width == 8u);
          BOOST_TEST(found->height == 4u);
          BOOST_REQUIRE(found->pixels.size() == 8u * 4 * 3);
          for (unsigned row = 0; row < 4; ++row) {
            for (unsigned column = 0; column < 8; ++column) {
              BOOST_TEST(std::to_integer<unsigned>(found->pixels[(row * 8 + column) * 3]) ==
                         10 * (row + 2) + column);
            }
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_picture_is_in_the_middle_also_when_units_do_not_fill_it) {
  const auto found =
      sc2replay::read_map_ground(map_file(map_info(0x27, {0, 0, 3, 1}), minimap(24, true, false)));
  BOOST_REQUIRE(found);
  BOOST_TEST(found->width == 6u);
  BOOST_TEST(found->height == 2u);
  BOOST_TEST(std::to_integer<unsigned>(found->pixels[0]) == 31u);
}

// As the editor does; larger pictures have more pixels per unit, and the same margins.
BOOST_AUTO_TEST_CASE(a_picture_is_as_large_as_the_next_powers_of_two) {
  const byte_vector info = map_info(0x27, {1, 2, 6, 9});
  for (const std::uint32_t scale : {1u, 2u, 4u, 7u}) {
    BOOST_TEST_CONTEXT(scale) {
      const auto found =
          sc2replay::read_map_ground(map_file(info, minimap(24, true, true, {8 * scale, 8 * scale})));
      BOOST_REQUIRE(found);
      BOOST_TEST(found->width == 5 * scale);
      BOOST_TEST(found->height == 7 * scale);
      const std::uint32_t row = scale / 2, column = 3 * scale / 2;
      BOOST_TEST(std::to_integer<unsigned>(found->pixels[0]) == ((10 * row + column) & 0xFFu));
    }
  }
  // Five units wide, so eight pixels at least.
  BOOST_TEST(!sc2replay::read_map_ground(map_file(info, minimap(24, true, false, {7, 8}))));
}

BOOST_AUTO_TEST_CASE(members_that_are_cut_anywhere_are_refused) {
  const byte_vector info = map_info(0x27, {}, true);
  for (const bool packed : {false, true}) {
    const byte_vector picture = minimap(24, true, packed);
    for (std::size_t left = 0; left < info.size(); ++left)
      BOOST_TEST(!sc2replay::read_map_ground(byte_span(info).first(left), picture), left);
    for (std::size_t left = 0; left < picture.size(); ++left)
      BOOST_TEST(!sc2replay::read_map_ground(info, byte_span(picture).first(left)), left);
    BOOST_TEST(sc2replay::read_map_ground(info, picture).has_value());
  }
}

BOOST_AUTO_TEST_CASE(contradictions_are_refused) {
  const auto code = [](byte_vector info, byte_vector picture) {
    const auto found = sc2replay::read_map_ground(map_file(std::move(info), std::move(picture)));
    BOOST_REQUIRE(!found);
    return found.error().code;
  };
  const byte_vector plain = minimap(24, true, false);
  for (const map_edges wrong :
       {map_edges{5, 2, 5, 4}, map_edges{1, 4, 5, 2}, map_edges{1, 2, 9, 4}, map_edges{1, 2, 5, 10}}) {
    BOOST_TEST((code(map_info(0x27, wrong), plain) == error_code::malformed));
  }
  byte_vector small = plain;
  small[12] = std::byte{3};
  BOOST_TEST((code(map_info(0x27, {}), small) == error_code::malformed));
  byte_vector huge = plain;
  huge[13] = std::byte{0xFF};
  BOOST_TEST((code(map_info(0x27, {}), huge) == error_code::over_limit));
  byte_vector palette = plain;
  palette[2] = std::byte{1};
  BOOST_TEST((code(map_info(0x27, {}), palette) == error_code::unsupported_version));
  const auto nothing = sc2replay::read_map_ground({});
  BOOST_TEST(!nothing);
}

BOOST_AUTO_TEST_CASE(damaged_maps_never_read_beyond_their_end) {
  auto random = seeded_random("damaged_maps_never_read_beyond_their_end");
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  const byte_vector info = map_info(0x27, {});
  for (int round = 0; round < 300; ++round) {
    byte_vector changed_info = info, picture = minimap(24, true, round % 2 == 0);
    byte_vector& victim = round % 3 == 0 ? changed_info : picture;
    if (round % 5 == 0) {
      victim.resize(below(victim.size()));
    } else {
      victim[below(victim.size())] = static_cast<std::byte>(below(256));
    }
    const auto found = sc2replay::read_map_ground(map_file(std::move(changed_info), std::move(picture)));
    if (found) BOOST_TEST(found->pixels.size() == std::size_t{found->width} * found->height * 3);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
