#include <bit>
#include <boost/describe.hpp>
#include <boost/test/unit_test.hpp>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "hex.hpp"
#include "random.hpp"
#include "tickreel/describe/boost_describe.hpp"
#include "tickreel/describe/component.hpp"

namespace game_types {

enum class stance : std::uint8_t { idle, guard, attack };
struct place {
  std::int32_t x = 0, y = 0;
};
TICKREEL_DESCRIBE(place, x, y);
struct unit {
  place at;
  stance mood = stance::idle;
  bool burning = false;
  std::optional<place> target;
  std::array<std::uint16_t, 3> ammunition{};
  float aim[2] = {0, 0};
  tickreel::short_text<6> label;
  tickreel::fixed_value<16> speed;
  tickreel::interned_text kind;
  double not_recorded = 0;
};
TICKREEL_DESCRIBE(unit, at, mood, burning, target, ammunition, aim, label, speed, kind);

struct by_boost {
  std::int16_t a = 0;
  bool b = false;
};
BOOST_DESCRIBE_STRUCT(by_boost, (), (a, b))

struct by_hand {
  std::uint32_t id = 0;
};

}  // namespace game_types

template <>
struct tickreel::described_as<game_types::by_hand> {
  static constexpr auto fields = std::tuple(tickreel::described_field{"id", &game_types::by_hand::id});
};

BOOST_AUTO_TEST_SUITE(sdk_describe_tests)
BOOST_AUTO_TEST_SUITE(component_test)

namespace {

using namespace tickreel;
using namespace game_types;

// The maximum number of members.
struct wide {
  std::uint8_t a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7, c0, c1, c2, c3, c4, c5, c6, c7,
      d0, d1, d2, d3, d4, d5, d6, d7, e0, e1, e2, e3, e4, e5, e6, e7, f0, f1, f2, f3, f4, f5, f6, f7, g0, g1,
      g2, g3, g4, g5, g6, g7, h0, h1, h2, h3, h4, h5, h6, h7;
};
TICKREEL_DESCRIBE(wide, a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7, c0, c1, c2, c3, c4,
                  c5, c6, c7, d0, d1, d2, d3, d4, d5, d6, d7, e0, e1, e2, e3, e4, e5, e6, e7, f0, f1, f2, f3,
                  f4, f5, f6, f7, g0, g1, g2, g3, g4, g5, g6, g7, h0, h1, h2, h3, h4, h5, h6, h7);

// An empty field list and types that no component uses: the serialiser decides.
struct nothing {};
TICKREEL_DESCRIBE(nothing);
struct wire_only {
  std::vector<std::string> texts;
  std::variant<int, std::string> either;
};
TICKREEL_DESCRIBE(wire_only, texts, either);

// Values whose bytes in memory are those of their component, and values of the same size whose bytes are not.
struct part {
  std::int32_t a = 0;
  std::uint16_t b = 0, c = 0;
  float d = 0;
};
TICKREEL_DESCRIBE(part, a, b, c, d);
struct whole {
  std::array<part, 6> parts{};
  std::uint16_t more[4] = {};
  fixed_value<8> speed;
  stance moods[4] = {};
};
TICKREEL_DESCRIBE(whole, parts, more, speed, moods);
struct in_another_order {
  std::uint16_t b = 0, c = 0;
};
TICKREEL_DESCRIBE(in_another_order, c, b);
struct with_another_order {
  std::array<in_another_order, 2> all{};
};
TICKREEL_DESCRIBE(with_another_order, all);
struct padded {
  std::uint8_t a = 0;
  std::uint32_t b = 0;
};
TICKREEL_DESCRIBE(padded, a, b);
struct with_flag {
  bool a = false;
};
TICKREEL_DESCRIBE(with_flag, a);

static_assert(component_size<place> == 8);
static_assert(component_size<unit> == 8 + 1 + 1 + 9 + 6 + 8 + 8 + 4 + 4);
static_assert(field_count<unit> == 9);
static_assert(component_size<wide> == 64);
static_assert(field_count<nothing> == 0);
static_assert(field_count<wire_only> == 2);
static_assert(component_size<by_boost> == 3);
static_assert(component_size<by_hand> == 4);

BOOST_AUTO_TEST_CASE(bytes_are_packed_and_little_endian) {
  unit tank;
  tank.at = {1024, -2};
  tank.mood = stance::attack;
  tank.burning = true;
  tank.target = place{7, 8};
  tank.ammunition = {1, 2, 0xABCD};
  tank.aim[1] = 1.0f;
  tank.label = "ore";
  tank.speed = fixed_value<16>::from(1.5);
  tank.kind = {9};
  BOOST_TEST(test::to_hex(to_component_bytes(tank)) ==
             "00040000feffffff"
             "02"
             "01"
             "010700000008000000"
             "01000200cdab"
             "000000000000803f"
             "03006f7265000000"
             "00800100"
             "09000000");
  tank.target.reset();
  BOOST_TEST(test::to_hex(to_component_bytes(tank)).substr(20, 18) == std::string(18, '0'));
  BOOST_TEST(test::to_hex(to_component_bytes(by_boost{-2, true})) == "feff01");
  BOOST_TEST(test::to_hex(to_component_bytes(by_hand{5})) == "05000000");
}

BOOST_AUTO_TEST_CASE(values_round_trip) {
  auto random = tickreel::test::seeded_random("components");
  for (int round = 0; round < 2000; ++round) {
    unit tank;
    tank.at = {static_cast<std::int32_t>(random()), static_cast<std::int32_t>(random())};
    tank.mood = static_cast<stance>(random() % 3);
    tank.burning = random() % 2 == 0;
    if (random() % 2 == 0) tank.target = place{static_cast<std::int32_t>(random()), 1};
    for (auto& item : tank.ammunition) item = static_cast<std::uint16_t>(random());
    tank.aim[0] = static_cast<float>(random() % 1000) / 7.0f;
    tank.label = std::string_view("abcdef").substr(0, random() % 7);
    tank.speed.raw = static_cast<std::int32_t>(random());
    tank.kind.id = static_cast<std::uint32_t>(random());
    const auto bytes = to_component_bytes(tank);
    const auto again = read_component<unit>(bytes);
    BOOST_REQUIRE(again);
    BOOST_TEST((to_component_bytes(*again) == bytes));
    BOOST_TEST(again->target.has_value() == tank.target.has_value());
    BOOST_TEST(again->label.view() == tank.label.view());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      BOOST_TEST(!read_component<unit>(byte_span(bytes).first(size)));
    }
  }
}

BOOST_AUTO_TEST_CASE(values_that_are_their_own_bytes_are_copied_as_such) {
  constexpr bool little = std::endian::native == std::endian::little;
  BOOST_TEST(detail::is_own_bytes(whole{}) == little);
  BOOST_TEST(!detail::is_own_bytes(in_another_order{}));
  BOOST_TEST(!detail::is_own_bytes(with_another_order{}));
  BOOST_TEST(!detail::is_own_bytes(padded{}));
  // A recorded one is 0 or 1.
  BOOST_TEST(!detail::is_own_bytes(with_flag{}));
  whole now;
  now.parts[1] = {1, 2, 3, 1.0f};
  now.more[3] = 4;
  now.speed.raw = 5;
  now.moods[2] = stance::attack;
  const auto bytes = to_component_bytes(now);
  BOOST_TEST(test::to_hex(bytes) == std::string(24, '0') + "01000000020003000000803f" + std::string(96, '0') +
                                        "0000000000000400" + "05000000" + "00000200");
  const auto again = read_component<whole>(bytes);
  BOOST_REQUIRE(again);
  BOOST_TEST((to_component_bytes(*again) == bytes));
  // The offset of the member that is missing.
  for (const auto& [size, offset] : {std::pair{17, 16}, {19, 18}, {71, 68}, {75, 74}, {83, 80}}) {
    const auto cut = read_component<whole>(byte_span(bytes).first(static_cast<std::size_t>(size)));
    BOOST_REQUIRE(!cut);
    BOOST_TEST((cut.error().code == error_code::truncated));
    BOOST_TEST(cut.error().offset == static_cast<std::uint64_t>(offset));
  }
  in_another_order other;
  other.b = 1;
  other.c = 2;
  BOOST_TEST(test::to_hex(to_component_bytes(with_another_order{{other, other}})) == "0200010002000100");
  BOOST_TEST(
      read_component<with_another_order>(to_component_bytes(with_another_order{{other, other}}))->all[1].b ==
      1);
}

BOOST_AUTO_TEST_CASE(invalid_bytes_are_rejected) {
  const auto bytes = to_component_bytes(unit{});
  for (const auto& [offset, value] : {std::pair{9, 2}, {10, 2}, {33, 7}}) {
    auto damaged = bytes;
    damaged[static_cast<std::size_t>(offset)] = static_cast<std::byte>(value);
    const auto refused = read_component<unit>(damaged);
    BOOST_REQUIRE(!refused);
    BOOST_TEST((refused.error().code == error_code::malformed));
  }
  byte_vector longer(bytes.begin(), bytes.end());
  longer.push_back(std::byte{0});
  BOOST_TEST((read_component<unit>(longer).error().code == error_code::malformed));
}

BOOST_AUTO_TEST_CASE(masks_name_the_changed_fields) {
  unit before;
  unit now = before;
  BOOST_TEST(change_mask(before, now) == 0u);
  now.at.y = 1;
  now.label = "x";
  now.not_recorded = 5;
  BOOST_TEST(change_mask(before, now) == ((1u << 0) | (1u << 6)));
  now = before;
  now.aim[0] = -0.0f;
  BOOST_TEST(change_mask(before, now) == 1u << 5);
  now.aim[0] = std::numeric_limits<float>::quiet_NaN();
  BOOST_TEST(same_component(now, now));
}

BOOST_AUTO_TEST_CASE(fields_have_names) {
  BOOST_TEST(described_name<unit>() == "unit");
  std::string names;
  unit tank;
  visit_fields(tank, [&](std::string_view field, auto&) { names += std::string(field) + " "; });
  BOOST_TEST(names == "at mood burning target ammunition aim label speed kind ");
  const auto values = layout_of<unit>();
  BOOST_REQUIRE(values.size() == 15u);
  BOOST_TEST((values[1] == value_layout{"at.y", value_kind::signed_integer, 4, 4}));
  BOOST_TEST((values[4] == value_layout{"target?", value_kind::boolean, 10, 1}));
  BOOST_TEST((values[6] == value_layout{"target.y", value_kind::signed_integer, 15, 4}));
  BOOST_TEST((values[9] == value_layout{"ammunition[2]", value_kind::unsigned_integer, 23, 2}));
  BOOST_TEST((values[12] == value_layout{"label", value_kind::text, 33, 8}));
  BOOST_TEST((values[14] == value_layout{"kind", value_kind::interned, 45, 4}));
}

BOOST_AUTO_TEST_CASE(long_texts_are_truncated_at_a_whole_character) {
  BOOST_TEST(short_text<3>("abcd").view() == "abc");
  BOOST_TEST(short_text<3>("ab\xC3\xA9").view() == "ab");
  BOOST_TEST(short_text<4>("ab\xC3\xA9").view() == "ab\xC3\xA9");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
