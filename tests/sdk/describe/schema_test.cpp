// Schemas: the description of a struct survives encoding, and damage is always detected.
#include <array>
#include <boost/test/unit_test.hpp>
#include <optional>

#include "random.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/describe/schema.hpp"

BOOST_AUTO_TEST_SUITE(sdk_describe_tests)
BOOST_AUTO_TEST_SUITE(schema_test)

namespace shown {

enum class weapon : std::int8_t { none = -1, bow, sword };
TICKREEL_DESCRIBE_ENUM(weapon, none, bow, sword);
enum class unnamed : std::uint16_t { a };

struct vector3 {
  float x = 0, y = 0, z = 0;
};
TICKREEL_DESCRIBE(vector3, x, y, z);

struct unit {
  vector3 position, forward;
  weapon holds = weapon::none;
  std::optional<std::int32_t> target;
  tickreel::short_text<12> label;
};
TICKREEL_DESCRIBE(unit, position, forward, holds, target, label);
TICKREEL_DECLARE(unit, (position, decimals(3), unit_name("m")), (forward, unit_vector, tolerance(0.001)));

struct world {
  tickreel::entities<unit, 3> units;
  std::array<std::uint64_t, 2> scores{};
  unnamed phase{};
  double clock = 0;
  bool over = false;
  tickreel::fixed_value<8> gravity;
  tickreel::interned_text map;
};
TICKREEL_DESCRIBE(world, units, scores, phase, clock, over, gravity, map);

}  // namespace shown

namespace {

using namespace tickreel;

}  // namespace

BOOST_AUTO_TEST_CASE(schemas_round_trip) {
  const schema made = schema_of<shown::world>();
  const auto read = read_schema(to_bytes(made));
  BOOST_REQUIRE(read);
  BOOST_TEST((read->types == made.types));
  BOOST_TEST(read->row_bytes() == component_size<shown::world>);
  BOOST_TEST((values_of(*read) == layout_of<shown::world>()));
  const auto unit = std::find_if(made.types.begin(), made.types.end(),
                                 [](const schema_type& type) { return type.name == "unit"; });
  BOOST_REQUIRE((unit != made.types.end()));
  BOOST_TEST(unit->fields[0].declared.places == 3);
  BOOST_TEST(unit->fields[0].declared.unit == "m");
  BOOST_TEST((unit->fields[1].declared.how == relation::unit_vector));
  BOOST_TEST(unit->fields[1].declared.most == 0.001);
  const auto weapon = std::find_if(made.types.begin(), made.types.end(), [](const schema_type& type) {
    return type.kind == type_kind::enumeration && type.is_signed;
  });
  BOOST_REQUIRE((weapon != made.types.end()));
  BOOST_REQUIRE(weapon->enumerators.size() == 3u);
  BOOST_TEST(weapon->enumerators[0].name == "none");
  BOOST_TEST(weapon->enumerators[0].value == -1);
}

BOOST_AUTO_TEST_CASE(truncated_schemas_are_rejected_and_corrupt_ones_stay_within_limits) {
  const byte_vector bytes = to_bytes(schema_of<shown::world>());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    BOOST_TEST(!read_schema(byte_span(bytes).first(size)));
  }
  auto random = tickreel::test::seeded_random("schemas");
  for (int i = 0; i < 20'000; ++i) {
    byte_vector changed = bytes;
    for (int flips = 0; flips < 1 + i % 3; ++flips)
      changed[random() % changed.size()] ^= std::byte(1u << random() % 8);
    const auto read = read_schema(changed);
    if (!read) continue;
    const schema_limits limits;
    BOOST_REQUIRE(read->row_bytes() <= limits.max_row_bytes);
    const auto values = values_of(*read);
    BOOST_REQUIRE(values.size() <= limits.max_values);
    for (const value_layout& value : values)
      BOOST_REQUIRE(value.offset + value.size_bytes <= read->row_bytes());
  }
}

BOOST_AUTO_TEST_CASE(entities_keep_their_index_and_generation) {
  shown::world now;
  const auto first = now.units.add({});
  const auto second = now.units.add({});
  BOOST_REQUIRE((first && second && now.units.add({})));
  BOOST_TEST(!now.units.add({}));
  now.units.find(*second)->target = 4;
  BOOST_TEST(now.units.remove(*first));
  BOOST_TEST(!now.units.remove(*first));
  BOOST_TEST(now.units.find(*first) == nullptr);
  const auto third = now.units.add({});
  BOOST_REQUIRE(third);
  BOOST_TEST(third->place == first->place);
  BOOST_TEST(third->generation == first->generation + 2);
  const auto back = read_component<shown::world>(to_component_bytes(now));
  BOOST_REQUIRE(back);
  BOOST_TEST(back->units.size() == 3u);
  BOOST_TEST(back->units.find(*first) == nullptr);
  BOOST_TEST(back->units.find(*second)->target.value() == 4);
  auto again = *back;
  BOOST_TEST(!again.units.add({}));
  again.units.clear();
  BOOST_TEST(again.units.size() == 0u);
  BOOST_TEST(again.units.add({}).has_value());
}

BOOST_AUTO_TEST_CASE(a_compressed_schema_is_equal_and_a_corrupt_one_is_rejected) {
  const schema described = schema_of<shown::world>();
  const byte_vector whole = to_bytes(described);
  const byte_vector packed = pack_schema(whole);
  BOOST_TEST(packed.size() < whole.size());
  BOOST_TEST((pack_schema(packed) == packed));
  const auto back = read_schema(packed);
  BOOST_REQUIRE(back);
  BOOST_TEST((to_bytes(*back) == whole));
  for (std::size_t cut = 0; cut < packed.size(); ++cut)
    BOOST_TEST(!read_schema(byte_span(packed).first(cut)));
  auto random = test::seeded_random("packed schema");
  for (int round = 0; round < 500; ++round) {
    byte_vector changed = packed;
    changed[random() % changed.size()] ^= static_cast<std::byte>(1 + random() % 255);
    // A truncated one is always rejected: the frame has a checksum.
    const auto read = read_schema(changed);
    if (read) BOOST_TEST((to_bytes(*read) == whole));
  }
  // A schema that was compressed twice is invalid.
  byte_vector twice{std::byte{2}, static_cast<std::byte>(0x80 | (packed.size() & 0x7F)),
                    static_cast<std::byte>(packed.size() >> 7)};
  auto zstd = compressor::create({.codec = codec_id::zstd});
  byte_vector frame;
  BOOST_REQUIRE(zstd && zstd->compress(packed, frame));
  twice.insert(twice.end(), frame.begin(), frame.end());
  BOOST_TEST(!read_schema(twice));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
