#include <boost/test/unit_test.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "random.hpp"
#include "tickreel/mpq/write_archive.hpp"
#include "tickreel/sc2replay/map_ground.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_archive_tests)
BOOST_AUTO_TEST_SUITE(map_ground_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

void put(byte_vector& to, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to.push_back(static_cast<std::byte>(value >> (8 * i) & 0xFFu));
}
void put(byte_vector& to, std::string_view text) {
  const byte_span bytes = as_bytes(text);
  to.insert(to.end(), bytes.begin(), bytes.end());
  to.push_back(std::byte{0});
}

struct map_edges {
  std::uint32_t left = 1, bottom = 2, right = 5, top = 4;
};

byte_vector map_info(std::uint32_t version, const map_edges& edges, bool own_preview = false) {
  byte_vector out;
  put(out, 0x4D617049, 4);
  put(out, version, 4);
  if (version >= 0x18) put(out, 77, 8);
  put(out, 8, 4);
  put(out, 8, 4);
  put(out, 1, 4);
  put(out, own_preview ? 2 : 1, 4);
  if (own_preview) put(out, "earth.tga");
  if (version >= 0x1F) put(out, "");
  if (version >= 0x26) put(out, "");
  if (version >= 0x1F) put(out, 1, 4);
  put(out, 0, 4);
  put(out, "Dark");
  put(out, "Char");
  for (const std::uint32_t edge : {edges.left, edges.bottom, edges.right, edges.top}) put(out, edge, 4);
  return out;
}

// 8 by 8 pixels, of which each knows its place: 10 * row + column, rows from the top.
byte_vector minimap(int bits, bool from_top, bool packed) {
  byte_vector out;
  put(out, packed ? 0x0A0000u : 0x020000u, 3);
  put(out, 0, 8);
  put(out, 0, 1);
  put(out, 8, 2);
  put(out, 8, 2);
  put(out, static_cast<std::uint64_t>(bits), 1);
  put(out, from_top ? 0x20u : 0u, 1);
  for (unsigned stored = 0; stored < 8; ++stored) {
    const unsigned row = from_top ? stored : 7 - stored;
    for (unsigned column = 0; column < 8; ++column) {
      // A run of one, and a run of seven single ones.
      if (packed && column == 0) put(out, 0x80, 1);
      if (packed && column == 1) put(out, 0x06, 1);
      put(out, 10 * row + column, 1);
      put(out, 0, bits / 8 - 1);
    }
  }
  return out;
}

byte_vector map_file(byte_vector info, byte_vector picture) {
  std::vector<mpq::new_member> members;
  members.push_back({"MapInfo", std::move(info)});
  members.push_back({"Minimap.tga", std::move(picture)});
  return *mpq::write_archive({}, members);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_ground_is_the_playable_part_in_every_version_and_order) {
  for (const std::uint32_t version : {0x17u, 0x18u, 0x1Fu, 0x20u, 0x26u, 0x27u}) {
    for (const int bits : {24, 32}) {
      for (const int kind : {0, 1, 2, 3}) {
        BOOST_TEST_CONTEXT(version << " " << bits << " " << kind) {
          const auto found = sc2replay::read_map_ground(
              map_file(map_info(version, {}, version > 0x20), minimap(bits, kind % 2 == 0, kind >= 2)));
          BOOST_REQUIRE(found);
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

BOOST_AUTO_TEST_CASE(contradictions_are_refused) {
  const auto code = [](byte_vector info, byte_vector picture) {
    const auto found = sc2replay::read_map_ground(map_file(std::move(info), std::move(picture)));
    BOOST_REQUIRE(!found);
    return found.error().code;
  };
  const byte_vector plain = minimap(24, true, false);
  for (const map_edges wrong :
       {map_edges{5, 2, 5, 4}, map_edges{1, 4, 5, 2}, map_edges{1, 2, 9, 4}, map_edges{1, 2, 5, 9}}) {
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
