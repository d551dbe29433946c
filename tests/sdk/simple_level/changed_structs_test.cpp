// Structs that changed since the recording: which values are read, reported or rejected.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <memory>

#include "scratch_folder.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(sdk_simple_level_tests)
BOOST_AUTO_TEST_SUITE(changed_structs_test)

using namespace tickreel;

// Records one tick of an Old and opens it as a New.
template <class New, class Old>
result<replay_of<New>> reopened(const test::scratch_folder& folder, const Old& state) {
  const std::string path = folder / "match.reel";
  std::filesystem::remove(path);
  auto out = record<Old>(path, {.ticks_per_second = 60});
  BOOST_REQUIRE(out);
  BOOST_REQUIRE(out->push(state));
  BOOST_REQUIRE(out->close());
  return replay<New>(path);
}

template <class Replay>
std::vector<std::string> sentences(const Replay& in) {
  std::vector<std::string> out;
  for (const auto& one : in.differences()) out.push_back(describe(one));
  return out;
}

template <class Replay>
std::string refusal(const Replay& in) {
  BOOST_REQUIRE(!in);
  BOOST_TEST((in.error().code == error_code::unsupported_operation));
  return describe(in.error());
}

namespace {
enum class small_mood : std::uint8_t { calm, angry, asleep };
enum class wide_mood : std::int32_t { asleep, calm, angry };
struct old_unit {
  std::int16_t health = 0;
  std::uint8_t shots = 0;
  float speed = 0;
  small_mood mood = small_mood::calm;
};
TICKREEL_DESCRIBE(old_unit, health, shots, speed, mood);
struct old_world {
  entities<old_unit, 100> units;
  std::array<std::int32_t, 4> slots{};
  short_text<12> title;
  std::optional<std::int32_t> goal;
  std::optional<old_unit> boss;
};
TICKREEL_DESCRIBE(old_world, units, slots, title, goal, boss);

struct new_unit {
  std::int32_t health = 7;
  std::int32_t shots = 0;
  double speed = 0;
  wide_mood mood = wide_mood::calm;
  float armor = 2.5F;
};
TICKREEL_DESCRIBE(new_unit, health, shots, speed, mood, armor);
struct new_world {
  entities<new_unit, 120> units;
  std::array<std::int64_t, 6> slots{1, 1, 1, 1, 1, 1};
  short_text<4> title;
  std::int32_t goal = -1;
  new_unit boss;
};
TICKREEL_DESCRIBE(new_world, units, slots, title, goal, boss);
}  // namespace

BOOST_AUTO_TEST_CASE(wider_numbers_and_enumerators_are_read) {
  test::scratch_folder folder;
  auto then = std::make_unique<old_world>();
  const auto id = then->units.add({-30000, 200, 0.25F, small_mood::asleep});
  then->slots = {-1, 2, 3, 4};
  then->title = "abcd\xC3\xA9";
  then->goal = 12;
  then->boss = old_unit{5, 6, 7, small_mood::angry};
  auto in = reopened<new_world>(folder, *then);
  BOOST_REQUIRE(in);
  const auto state = in->at(0);
  BOOST_REQUIRE(state);
  const new_unit* const unit = state->units.find(*id);
  BOOST_REQUIRE(unit != nullptr);
  BOOST_TEST(unit->health == -30000);
  BOOST_TEST(unit->shots == 200);
  BOOST_TEST(unit->speed == 0.25);
  BOOST_TEST((unit->mood == wide_mood::asleep));
  BOOST_TEST(unit->armor == 2.5F);
  BOOST_TEST((state->slots == std::array<std::int64_t, 6>{-1, 2, 3, 4, 1, 1}));
  BOOST_TEST(state->title.view() == "abcd");
  BOOST_TEST(state->goal == 12);
  BOOST_TEST(state->boss.health == 5);
  BOOST_TEST((state->boss.mood == wide_mood::angry));
  // One line per member.
  const std::vector<std::string> expected = {
      "units[0..99].armor was not recorded",
      "units[100..119] was not recorded",
      "slots[4..5] was not recorded",
      "title was recorded as text of 12 and is text of 4 now: longer texts are cut",
      "boss.armor was not recorded",
      "goal was recorded as an optional and is none now: where it is empty it keeps its default",
      "boss was recorded as an optional and is none now: where it is empty it keeps its default",
  };
  BOOST_TEST(sentences(*in) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_empty_optional_keeps_the_default) {
  test::scratch_folder folder;
  auto in = reopened<new_world>(folder, *std::make_unique<old_world>());
  BOOST_REQUIRE(in);
  const auto state = in->at(0);
  BOOST_REQUIRE(state);
  BOOST_TEST(state->goal == -1);
  BOOST_TEST(state->boss.health == 7);
  BOOST_TEST(state->boss.armor == 2.5F);
}

namespace {
struct with_number {
  std::uint8_t mood = 2;
};
TICKREEL_DESCRIBE(with_number, mood);
struct with_enumeration {
  small_mood mood = small_mood::angry;
};
TICKREEL_DESCRIBE(with_enumeration, mood);
}  // namespace

BOOST_AUTO_TEST_CASE(an_enumeration_and_a_number_are_matched_and_reported) {
  test::scratch_folder folder;
  auto named_now = reopened<with_enumeration>(folder, with_number{});
  BOOST_REQUIRE(named_now);
  BOOST_TEST((named_now->at(0)->mood == small_mood::asleep));
  BOOST_REQUIRE(named_now->differences().size() == 1u);
  BOOST_TEST(sentences(*named_now)[0] ==
             "mood was recorded as u8 and is an enumeration now: its values are matched by number");
  auto number_now = reopened<with_number>(folder, with_enumeration{});
  BOOST_REQUIRE(number_now);
  BOOST_TEST(number_now->at(0)->mood == 1);
  BOOST_REQUIRE(number_now->differences().size() == 1u);
  BOOST_TEST(sentences(*number_now)[0] ==
             "mood was recorded as an enumeration and is u8 now: its values are matched by number");
}

namespace {
struct named {
  short_text<8> title;
};
TICKREEL_DESCRIBE(named, title);
struct briefly_named {
  short_text<4> title;
};
TICKREEL_DESCRIBE(briefly_named, title);
}  // namespace

BOOST_AUTO_TEST_CASE(a_longer_text_is_truncated_at_a_whole_character) {
  test::scratch_folder folder;
  auto in = reopened<briefly_named>(folder, named{"abc\xC3\xA9z"});
  BOOST_REQUIRE(in);
  BOOST_TEST(in->at(0)->title.view() == "abc");
  BOOST_TEST(in->differences().size() == 1u);
  auto fits = reopened<briefly_named>(folder, named{"abcd"});
  BOOST_REQUIRE(fits);
  BOOST_TEST(fits->at(0)->title.view() == "abcd");
}

namespace {
struct point {
  float x = 0, y = 0;
};
TICKREEL_DESCRIBE(point, x, y);
struct single {
  std::int32_t kept = 0;
  float at = 0;
};
TICKREEL_DESCRIBE(single, kept, at);
struct several {
  std::int32_t kept = 0;
  std::array<float, 2> at{};
};
TICKREEL_DESCRIBE(several, kept, at);
struct nested {
  std::int32_t kept = 0;
  point at;
};
TICKREEL_DESCRIBE(nested, kept, at);
struct listed {
  std::int32_t kept = 0;
  entities<float, 2> at;
};
TICKREEL_DESCRIBE(listed, kept, at);
struct narrow {
  std::int16_t kept = 0;
};
TICKREEL_DESCRIBE(narrow, kept);
struct fractional {
  float kept = 0;
};
TICKREEL_DESCRIBE(fractional, kept);
}  // namespace

BOOST_AUTO_TEST_CASE(another_shape_is_an_error) {
  test::scratch_folder folder;
  const auto has = [](const std::string& text, const char* part) {
    BOOST_TEST_INFO(text);
    BOOST_TEST(text.find(part) != std::string::npos);
  };
  has(refusal(reopened<several>(folder, single{})), "at was recorded as f32 and is an array now");
  has(refusal(reopened<single>(folder, several{})), "at was recorded as an array and is f32 now");
  has(refusal(reopened<nested>(folder, single{})), "at was recorded as f32 and is a struct now");
  has(refusal(reopened<nested>(folder, several{})), "at was recorded as an array and is a struct now");
  has(refusal(reopened<several>(folder, listed{})), "at was recorded as entities and is an array now");
  has(refusal(reopened<narrow>(folder, single{})), "kept was recorded as i32 and is i16 now");
  has(refusal(reopened<fractional>(folder, single{})), "kept was recorded as i32 and is f32 now");
}

BOOST_AUTO_TEST_CASE(a_recording_of_another_struct_is_rejected) {
  test::scratch_folder folder;
  const std::string text = refusal(reopened<point>(folder, single{}));
  BOOST_TEST_INFO(text);
  BOOST_TEST(text.find("no member of 'point' (x, y) is in the recording, which holds 'single' (kept, at)") !=
             std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
