// The dialect of VC-MP. No real file is known, so these files follow its description.
#include <boost/test/unit_test.hpp>

#include "blocks.hpp"
#include "tickreel/samp_rec/vcmp.hpp"

BOOST_AUTO_TEST_SUITE(encoders_samp_rec_tests)
BOOST_AUTO_TEST_SUITE(vcmp_test)

using namespace tickreel;
using namespace tickreel::samp_rec;
using namespace tickreel::samp_rec::test;

namespace {

class maker {
 public:
  maker(std::uint32_t version, std::uint32_t type, std::string_view player = {}) {
    put([&](byte_writer& to) {
      to.u32(version);
      to.u32(type);
      if (version < 1005) return;
      to.u32(player.empty() ? 0 : 1);
      if (player.empty()) return;
      to.bytes(as_bytes(player));
      for (std::size_t i = player.size(); i < vcmp::name_bytes; ++i) to.u8(0);
    });
  }
  template <class Fill>
  maker& put(Fill&& fill) {
    std::array<std::byte, 512> room;
    byte_writer to(room);
    fill(to);
    BOOST_REQUIRE(to.ok());
    file.insert(file.end(), to.written().begin(), to.written().end());
    return *this;
  }
  byte_vector file;
};

void put_floats(byte_writer& to, int count, float first) {
  for (int i = 0; i < count; ++i) to.f32(first + static_cast<float>(i));
}

void put_driver(byte_writer& to) {
  to.u16(7);
  to.u32(8);
  put_floats(to, 4 + 3 + 3, 1);
  to.f32(1000);
  to.u8(100);
  to.u8(50);
  to.u8(3);
  to.u32(0xAABBCCDD);
  put_floats(to, 2, 20);
  to.u16(17);
}

void put_on_foot(byte_writer& to) {
  to.u32(1);
  put_floats(to, 3, 1);
  to.f32(0.5f);
  for (const int each : {100, 0, 4, 1}) to.u8(static_cast<std::uint8_t>(each));
  put_floats(to, 3, 4);
  to.u8(1);
  put_floats(to, 6, 7);
  to.u8(0);
  to.u16(30);
  to.u8(2);
  to.u8(9);
}

}  // namespace

BOOST_AUTO_TEST_CASE(drivers_and_walkers) {
  for (const std::uint32_t version : {1004u, 1005u}) {
    maker driver(version, 2, version == 1005 ? "Tommy" : "");
    maker walker(version, 1);
    for (std::uint32_t i = 0; i < 3; ++i) {
      driver.put([&](byte_writer& to) { to.u32(1000 + i), put_driver(to); });
      walker.put([&](byte_writer& to) { to.u32(1000 + i), put_on_foot(to); });
    }
    const std::uint32_t header = version == 1004 ? 8 : 36;
    const file_shape driven = taken(detect(driver.file));
    BOOST_TEST((driven.layout == block_layout::vcmp_driver));
    BOOST_TEST(driven.header_bytes == header);
    BOOST_TEST(driven.block_count == 3u);
    BOOST_TEST(driven.tail_bytes == 0u);
    BOOST_TEST((read_recording(driver.file).error().code == error_code::unsupported_operation));
    byte_reader from(byte_span(driver.file).subspan(header));
    vcmp::driver_block block;
    read(from, block);
    BOOST_TEST(from.ok());
    BOOST_TEST(block.time == 1000u);
    BOOST_TEST(block.sync.vehicle_id == 7u);
    BOOST_TEST(block.sync.rotation.x == 1.0f);
    BOOST_TEST(block.sync.rotation.w == 4.0f);
    BOOST_TEST(block.sync.damage == 0xAABBCCDDu);
    BOOST_TEST(block.sync.ammo == 17u);

    const file_shape walked = taken(detect(walker.file));
    BOOST_TEST((walked.layout == block_layout::vcmp_on_foot));
    BOOST_TEST(walked.block_count == 3u);
    byte_reader walk(byte_span(walker.file).subspan(walked.header_bytes));
    vcmp::on_foot_block step;
    read(walk, step);
    BOOST_TEST(step.sync.aim_position.z == 12.0f);
    BOOST_TEST(int{step.sync.reserved} == 9);
  }
  const auto header = taken(vcmp::read_header(maker(1005, 2, "Tommy").file));
  BOOST_TEST((std::string_view(header.player_name.data()) == "Tommy"));
}

BOOST_AUTO_TEST_CASE(older_versions_are_reported) {
  for (const std::uint32_t version : {1001u, 1002u, 1003u}) {
    const auto shape = detect(maker(version, 1).put([](byte_writer& to) { put_driver(to); }).file);
    BOOST_REQUIRE(!shape);
    BOOST_TEST((shape.error().code == error_code::unsupported_version));
    BOOST_TEST(describe(shape.error()).find("VC-MP") != std::string::npos);
  }
  const auto first = detect(maker(1000, 1).file, {.vcmp = true});
  BOOST_REQUIRE(!first);
  BOOST_TEST((first.error().code == error_code::unsupported_version));
}

BOOST_AUTO_TEST_CASE(packets_of_every_kind) {
  maker all(1005, 3, "Vercetti");
  // The sizes of the bodies by type; -1 contains a text of three bytes.
  const std::vector<std::pair<int, int>> bodies = {
      {1, 4},   {2, 26},  {3, 0},   {4, 5},  {5, 5},   {6, 66},  {7, 66}, {8, 67}, {9, 7},  {10, -1},
      {11, -1}, {12, -1}, {13, -1}, {14, 4}, {15, 14}, {16, 14}, {17, 4}, {18, 5}, {19, 0}, {20, 2}};
  for (const auto& [type, size] : bodies) {
    all.put([&, type = type, size = size](byte_writer& to) {
      to.u32(static_cast<std::uint32_t>(500 + type));
      to.u8(static_cast<std::uint8_t>(type));
      if (type == 12) (void)to.reserve(vcmp::name_bytes);
      if (size >= 0) return (void)to.reserve(static_cast<std::size_t>(size));
      to.u16(3);
      to.bytes(as_bytes("abc"));
    });
  }
  BOOST_TEST((taken(detect(all.file)).layout == block_layout::vcmp_packets));
  auto cursor = taken(vcmp::packet_cursor::open(all.file));
  vcmp::packet packet;
  for (const auto& [type, size] : bodies) {
    BOOST_REQUIRE(taken(cursor.next(packet)));
    BOOST_TEST(static_cast<int>(packet.type) == type);
    BOOST_TEST(packet.time == static_cast<std::uint32_t>(500 + type));
    BOOST_TEST(!vcmp::name(packet.type).empty());
    if (const auto* text = std::get_if<vcmp::packet_body::text>(&packet.body)) {
      BOOST_TEST(as_text(text->bytes) == "abc");
    }
  }
  BOOST_TEST(!taken(cursor.next(packet)));

  const std::size_t begin = 36;
  for (std::size_t size = begin; size < all.file.size(); ++size) {
    auto cut = taken(vcmp::packet_cursor::open(byte_span(all.file).first(size)));
    std::size_t count = 0;
    for (;; ++count) {
      const auto more = cut.next(packet);
      if (!more) {
        BOOST_REQUIRE((more.error().code == error_code::truncated));
        BOOST_REQUIRE(!taken(cut.next(packet)));
        break;
      }
      if (!*more) break;
    }
    BOOST_REQUIRE(count < bodies.size());
  }
  all.put([](byte_writer& to) { to.u32(1), to.u8(21); });
  auto unknown = taken(vcmp::packet_cursor::open(all.file));
  for (std::size_t i = 0; i < bodies.size(); ++i) BOOST_REQUIRE(taken(unknown.next(packet)));
  BOOST_TEST((unknown.next(packet).error().code == error_code::malformed));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
