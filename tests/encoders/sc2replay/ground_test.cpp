// The ground of a map file, and whether it is that of a replay.
#include <boost/test/unit_test.hpp>

#include "hex.hpp"
#include "sample_file.hpp"
#include "sample_map.hpp"
#include "tickreel/files/ground.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/icrep/digest.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_convert_tests)
BOOST_AUTO_TEST_SUITE(ground_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

// `hash` of its map, which has the size of the sample map if `same_size`.
files::played_map played_on(byte_span hash, bool same_size) {
  auto members = sample_members();
  for (mpq::new_member& each : members) {
    if (each.name == "replay.details") {
      sc2replay::details details = sample_details();
      details.cache_handles->back() =
          hash.empty() ? "s2ma" : std::string("s2ma\0\0EU", 8) + std::string(as_text(hash));
      each.bytes = sc2replay::write_details(details);
    } else if (each.name == "replay.initData") {
      sc2replay::lobby lobby = sample_lobby();
      lobby.map_size_x = 8;
      lobby.map_size_y = same_size ? 9 : 8;
      each.bytes = *sc2replay::write_lobby(lobby, sample_base_build);
    }
  }
  const byte_vector file = sample_file(members);
  const auto opened = files::open(file);
  BOOST_REQUIRE(opened.has_value());
  const auto summary = (*opened)->summarise();
  BOOST_REQUIRE(summary.has_value());
  return files::played_map_of(*summary);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_ground_is_that_of_the_map_that_the_replay_states) {
  const byte_vector map = map_file(map_info(0x27, {}), minimap(24, true, false));
  const auto hash = icrep::sha256(map);
  const files::played_map same = played_on(hash, true);
  BOOST_TEST(same.file == to_hex(hash) + ".s2ma");
  BOOST_TEST(same.size == "8 x 9");
  const auto ground = [&](const files::played_map& played) {
    return files::read_ground(byte_source(map), played);
  };
  const auto found = ground(same);
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST(found->doubt == "");
  BOOST_TEST(files::edges_text(*found) == "1 2 5 4");
  // The hash is stronger than a size.
  BOOST_TEST(ground(played_on(hash, false)).has_value());
  const std::string another(32, '\x7F');
  const auto doubtful = ground(played_on(as_bytes(another), true));
  BOOST_REQUIRE(doubtful.has_value());
  BOOST_TEST(doubtful->doubt.starts_with("the recording states another file"));
  const auto wrong = ground(played_on(as_bytes(another), false));
  BOOST_REQUIRE(!wrong.has_value());
  BOOST_TEST(describe(wrong.error()).find("its size is 8 x 9") != std::string::npos);
  const auto unknown = ground(played_on({}, true));
  BOOST_REQUIRE(unknown.has_value());
  BOOST_TEST(unknown->doubt.starts_with("the recording does not state"));
  const auto nothing = files::read_ground(byte_source(map), {});
  BOOST_REQUIRE(nothing.has_value());
  BOOST_TEST(nothing->doubt.starts_with("the recording does not state"));
}

BOOST_AUTO_TEST_CASE(a_ground_is_a_bitmap) {
  files::ground_picture of;
  of.width = 1;
  of.height = 2;
  for (const int value : {1, 2, 3, 4, 5, 6}) of.pixels.push_back(static_cast<std::byte>(value));
  // The last row first, each of four bytes.
  BOOST_TEST(
      to_hex(as_bytes(files::bitmap_of(of))) ==
      "424d3e000000000000003600000028000000010000000200000001001800000000000800000000000000000000000000"
      "0000000000000405060001020300");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
