// Known correct bytes.
#include <boost/test/unit_test.hpp>

#include "blocks.hpp"
#include "tickreel/samp_rec/legacy.hpp"

BOOST_AUTO_TEST_SUITE(encoders_samp_rec_tests)
BOOST_AUTO_TEST_SUITE(golden_test)

using namespace tickreel;
using namespace tickreel::samp_rec;
using namespace tickreel::samp_rec::test;

namespace {

constexpr std::string_view vehicle_header = "e803000001000000";
constexpr std::string_view on_foot_header = "e803000002000000";
constexpr std::string_view driving_east =
    "e80300000000000000000800f304353f0000000000000000f304353f000020410000000000004040cdcc4c3e0000000000000000"
    "0000"
    "7a446400000000000000000000";
constexpr std::string_view walking_north =
    "d0070000000080ff00040000000066664640000040400000803f0000000000000000000000006400000000000000b6f3fd3c0000"
    "0000"
    "0000000000000000000000000000cf040480";
// Block 157 of a real drive.
constexpr std::string_view real_drive =
    "ff2400000100000000000000da3b353f1e51f63a808195bbdbcc343f1d831a45699bcfc4138653418a4da33e3d29513912740b3b"
    "0000"
    "7a446400160000000000000000";

vehicle_block drive_east() {
  vehicle_block block;
  block.time_ms = 1000;
  block.position_m = {10, 0, 3};
  block.rotation = from_heading_degrees(270);
  block.velocity_m_per_20ms = velocity_from_m_per_s(10, 0, 0);
  block.keys = bits(key::sprint);
  return block;
}

on_foot_block walk_north() {
  on_foot_block block;
  block.time_ms = 2000;
  block.position_m = {0, 3.1f, 3};
  block.rotation = from_heading_degrees(0);
  block.velocity_m_per_20ms = {0, 0.031f, 0};
  block.up_down = axis::forward;
  block.keys = bits(key::walk);
  block.animation_id = animation::walk;
  block.animation_flags = animation::usual_flags;
  return block;
}

template <class Block>
void reads_back(std::string_view hex, const Block& expected) {
  const byte_vector bytes = from_hex(hex);
  BOOST_REQUIRE(bytes.size() == Block::wire_bytes);
  byte_reader from(bytes);
  Block block;
  read(from, block);
  BOOST_TEST(from.ok());
  BOOST_TEST(from.at_end());
  BOOST_TEST(samp_rec::same_bits(block, expected));
  BOOST_TEST((block == expected));
  BOOST_TEST((bytes_of(block) == bytes));
}

}  // namespace

BOOST_AUTO_TEST_CASE(headers) {
  std::array<std::byte, 8> room;
  for (const auto& [hex, kind] : {std::pair(vehicle_header, recording_kind::vehicle),
                                  std::pair(on_foot_header, recording_kind::on_foot)}) {
    byte_writer to(room);
    write(to, file_header{file_header::samp_version, kind});
    BOOST_TEST((byte_vector(room.begin(), room.end()) == from_hex(hex)));
  }
  BOOST_TEST((to_bytes(std::span<const vehicle_block>()) == from_hex(vehicle_header)));
  BOOST_TEST((to_bytes(std::span<const on_foot_block>()) == from_hex(on_foot_header)));
}

BOOST_AUTO_TEST_CASE(a_drive_and_a_walk) {
  BOOST_TEST((bytes_of(drive_east()) == from_hex(driving_east)));
  BOOST_TEST((bytes_of(walk_north()) == from_hex(walking_north)));
  reads_back(driving_east, drive_east());
  reads_back(walking_north, walk_north());
}

BOOST_AUTO_TEST_CASE(a_real_block) {
  const byte_vector bytes = from_hex(real_drive);
  byte_reader from(bytes);
  vehicle_block block;
  read(from, block);
  BOOST_TEST(from.ok());
  BOOST_TEST(block.time_ms == 9471u);
  BOOST_TEST(block.vehicle_id == 1u);
  const double tolerance = 5e-9;
  BOOST_TEST(std::abs(static_cast<double>(block.rotation.w) - 0.70794451) < tolerance);
  BOOST_TEST(std::abs(static_cast<double>(block.rotation.x) - 0.00187925) < tolerance);
  BOOST_TEST(std::abs(static_cast<double>(block.rotation.y) + 0.00456256) < tolerance);
  BOOST_TEST(std::abs(static_cast<double>(block.rotation.z) - 0.70625085) < tolerance);
  BOOST_TEST(std::abs(static_cast<double>(block.position_m.x) - 2472.1946) < 5e-5);
  BOOST_TEST(std::abs(static_cast<double>(block.position_m.y) + 1660.8566) < 5e-5);
  BOOST_TEST(std::abs(static_cast<double>(block.position_m.z) - 13.2202) < 5e-5);
  BOOST_TEST(std::abs(speed_m_per_s(block.velocity_m_per_20ms) - 15.95) < 0.005);
  BOOST_TEST(std::abs(heading_degrees(block.rotation) - 270.14) < 0.005);
  BOOST_TEST((weapon_id(block.weapon_and_key) == static_cast<int>(weapon::pistol)));
  BOOST_TEST((block.weapon_and_key >> 6) == 0);
  BOOST_TEST((bytes_of(block) == bytes));
}

BOOST_AUTO_TEST_CASE(both_interpretations_of_special) {
  vehicle_block block;
  block.special = 0x3F000000u;
  BOOST_TEST(block.train_speed_m_per_20ms() == 0.5f);
  block.set_train_speed_m_per_20ms(-1);
  BOOST_TEST(block.special == 0xBF800000u);
  block.special = 1u << 16 | 5000u;
  BOOST_TEST(block.thrusters().first == 5000u);
  BOOST_TEST(block.thrusters().second == 1u);
  BOOST_TEST(is_train_model(538));
  BOOST_TEST(!is_train_model(hydra_model));
}

BOOST_AUTO_TEST_CASE(parts_of_numbers_are_rejected) {
  BOOST_TEST((surface_of(0).kind == surface_kind::none));
  BOOST_TEST((surface_of(1999).kind == surface_kind::vehicle));
  BOOST_TEST(surface_of(1999).id == 1999u);
  BOOST_TEST((surface_of(2000).kind == surface_kind::object));
  BOOST_TEST(surface_of(3999).id == 1999u);
  BOOST_TEST((surface_of(4000).kind == surface_kind::none));
}

BOOST_AUTO_TEST_CASE(names_map_in_both_directions) {
  int keys = 0, actions = 0, weapons = 0;
  for (int bit = 0; bit < 16; ++bit) {
    const auto one = static_cast<key>(1 << bit);
    if (name(one).empty()) continue;
    BOOST_TEST((key_named(name(one)) == one));
    ++keys;
  }
  for (int id = 0; id < 256; ++id) {
    const auto action = static_cast<special_action>(id);
    if (!name(action).empty()) {
      BOOST_TEST((special_action_named(name(action)) == action));
      ++actions;
    }
    const auto held = static_cast<weapon>(id);
    if (!name(held).empty()) {
      BOOST_TEST((weapon_named(name(held)) == held));
      ++weapons;
    }
  }
  BOOST_TEST(keys == 15);
  BOOST_TEST(actions == 20);
  BOOST_TEST(weapons == 44);
  BOOST_TEST(!key_named("nothing"));
  BOOST_TEST(!special_action_named(""));
  BOOST_TEST(!weapon_named("Pistol"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
