// Structs that changed since the recording: values are matched by name and kind; the others are reported.
#include "tickreel/describe/recorded.hpp"

#include <boost/test/unit_test.hpp>

#include "random.hpp"

BOOST_AUTO_TEST_SUITE(sdk_describe_tests)
BOOST_AUTO_TEST_SUITE(recorded_test)

namespace {

using namespace tickreel;

enum class old_mood : std::uint8_t { calm, angry, gone };
enum class mood : std::int16_t { asleep, angry, calm };
enum class rank { private_ = 100, general = -900 };
TICKREEL_DESCRIBE_ENUM(rank, private_, general);

struct place {
  float x = 0, y = 0;
};
TICKREEL_DESCRIBE(place, x, y);
struct exchanged_place {
  float y = 0, x = 0;
};
TICKREEL_DESCRIBE(exchanged_place, y, x);

struct before {
  std::uint16_t health = 0;
  place at;
  std::int8_t small = 0;
  float speed = 0;
  float damage = 0;
  old_mood now = old_mood::calm;
  short_text<4> name;
  std::optional<std::int32_t> goal;
  std::int32_t plain = 0;
  fixed_value<8> fixed;
  std::uint32_t removed = 0;
};
TICKREEL_DESCRIBE(before, health, at, small, speed, damage, now, name, goal, plain, fixed, removed);
struct after {
  std::uint32_t added = 77;
  std::optional<std::int32_t> plain;
  exchanged_place at;
  std::uint32_t health = 0;
  std::int64_t small = 0;
  double speed = 0;
  std::int32_t damage = -5;
  mood now = mood::asleep;
  short_text<9> name;
  std::optional<std::int32_t> goal;
  fixed_value<12> fixed{9};
};
TICKREEL_DESCRIBE(after, added, plain, at, health, small, speed, damage, now, name, goal, fixed);

layout_match match() {
  return layout_match::between(layout_of<after>(), layout_of<before>(), component_size<before>);
}

}  // namespace

BOOST_AUTO_TEST_CASE(values_are_matched_by_name) {
  const before then{40'000, {1.5F, -2}, -3, 0.25F, 8, old_mood::angry, "Ada", 12, -7, {33}, 9};
  const auto found = read_component<after>(to_component_bytes(then), match());
  BOOST_REQUIRE(found);
  BOOST_TEST(found->added == 77u);
  BOOST_REQUIRE(found->plain);
  BOOST_TEST(*found->plain == -7);
  BOOST_TEST(found->at.x == 1.5F);
  BOOST_TEST(found->at.y == -2);
  BOOST_TEST(found->health == 40'000u);
  BOOST_TEST(found->small == -3);
  BOOST_TEST(found->speed == 0.25);
  BOOST_TEST(found->damage == -5);
  BOOST_TEST((found->now == mood::angry));
  BOOST_TEST(found->name.view() == "Ada");
  BOOST_TEST((found->goal == 12));
  BOOST_TEST(found->fixed.raw == 9);
  before calm = then;
  calm.now = old_mood::calm;
  BOOST_TEST((read_component<after>(to_component_bytes(calm), match())->now == mood::calm));
  calm.now = old_mood::gone;
  BOOST_TEST((read_component<after>(to_component_bytes(calm), match())->now == mood::asleep));
}

BOOST_AUTO_TEST_CASE(differences_are_reported) {
  std::vector<std::string> found_differences;
  const layout_match found = match();
  for (const layout_difference& one : found.differences()) found_differences.push_back(describe(one));
  const std::vector<std::string> expected = {
      "added was not recorded",
      "damage was recorded as f32 and is i32 now",
      "now=gone was recorded and is no word any more",
      "fixed was recorded as i32 with 8 fraction bits and is i32 with 12 fraction bits now",
      "removed was recorded and no longer exists",
  };
  BOOST_TEST(found_differences == expected, boost::test_tools::per_element());
  const auto same = layout_match::between(layout_of<before>(), layout_of<before>(), component_size<before>);
  BOOST_TEST(same.is_same());
  BOOST_TEST(same.differences().empty());
  // It applies like any other value.
  byte_vector from(component_size<before>, std::byte{7});
  byte_vector to(component_size<before>);
  BOOST_REQUIRE(same.apply(from, to));
  BOOST_TEST((from == to));
  // Narrower than in the recording.
  const auto back = layout_match::between(layout_of<before>(), layout_of<after>(), component_size<after>);
  BOOST_TEST(std::ranges::any_of(back.differences(), [](const auto& one) {
    return one.name == "health" && one.what == layout_change::changed;
  }));
}

BOOST_AUTO_TEST_CASE(enumerator_names) {
  const std::vector<enumerator> asked = {{"asleep", 0}, {"angry", 1}, {"calm", 2}};
  BOOST_TEST((enumerators_of<mood>() == asked));
  const std::vector<enumerator> found_differences = {{"private_", 100}, {"general", -900}};
  BOOST_TEST((enumerators_of<rank>() == found_differences));
  enum unscoped { one, two };
  BOOST_TEST(enumerators_of<unscoped>().empty());
}

// Spellings of two compilers; the second compiler cannot run here.
BOOST_AUTO_TEST_CASE(enumerator_names_are_parsed_from_function_names) {
  using detail::enumerator_in;
  constexpr std::string_view gcc =
      "constexpr auto spelled_enumerator() [with auto Value = game::mood::calm; x]";
  BOOST_TEST(enumerator_in(gcc, "Value = ", ";]") == "calm");
  BOOST_TEST(enumerator_in("f() [with auto Value = (game::mood)5]", "Value = ", ";]").empty());
  const auto msvc = [](std::string_view value) {
    const std::string function =
        "class std::basic_string_view<char,struct std::char_traits<char> > __cdecl "
        "tickreel::detail::spelled_enumerator<" +
        std::string(value) + ">(void) noexcept";
    return std::string(enumerator_in(function, "spelled_enumerator<", ">"));
  };
  BOOST_TEST(msvc("game::mood::calm") == "calm");
  BOOST_TEST(msvc("calm") == "calm");
  BOOST_TEST(msvc("(enum game::mood)0x5").empty());
  BOOST_TEST(msvc("0x5").empty());
}

// Whatever a file claims about its values, no access leaves its bytes or ours.
BOOST_AUTO_TEST_CASE(inconsistent_layouts) {
  auto random = test::seeded_random("recorded layouts");
  const auto wanted = layout_of<after>();
  for (int round = 0; round < 5000; ++round) {
    auto lying = layout_of<before>();
    for (auto& one : lying) {
      if (random() % 3 == 0) one.offset = static_cast<std::uint32_t>(random() % 100);
      if (random() % 5 == 0) one.size_bytes = static_cast<std::uint32_t>(random() % 12);
      if (random() % 50 == 0) one.offset = one.size_bytes = UINT32_MAX;
      if (random() % 5 == 0) one.kind = static_cast<value_kind>(random() % 6);
      if (random() % 9 == 0) one.name = lying[random() % lying.size()].name;
    }
    const std::size_t claimed = random() % 100;
    const auto found = layout_match::between(wanted, lying, claimed);
    byte_vector bytes(random() % 100);
    for (std::byte& one : bytes) one = static_cast<std::byte>(random());
    const auto read = read_component<after>(bytes, found);
    if (bytes.size() < claimed) BOOST_TEST(!read);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
