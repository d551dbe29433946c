// A struct that is described at run time gives the same schema, rows and reels as the same struct described to the compiler.
#include "tickreel/describe/native_struct.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstring>
#include <optional>

#include "file_bytes.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "tickreel/struct_recording.hpp"

namespace tickreel::test {

struct run_time_vector {
  float x = 0, y = 0;
};
TICKREEL_DESCRIBE(run_time_vector, x, y);
TICKREEL_DECLARE(run_time_vector, (x, decimals(2), unit_name("m")));
struct run_time_target {
  std::int16_t slot = 0;
  std::optional<run_time_vector> at;
};
TICKREEL_DESCRIBE(run_time_target, slot, at);
struct run_time_world {
  std::uint64_t number = 0;
  std::array<run_time_vector, 3> path;
  bool is_day = false;
  std::optional<std::int32_t> score;
  short_text<6> name;
  std::array<run_time_target, 2> targets;
  double heat = 0;
  fixed_value<4, std::int16_t> height;
};
TICKREEL_DESCRIBE(run_time_world, number, path, is_day, score, name, targets, heat, height);
TICKREEL_DECLARE(run_time_world, (heat, tolerance(0.25)));

namespace {

// The same in C, with its padding.
struct native_vector {
  float x, y;
};
struct native_target {
  std::int16_t slot;
  std::uint8_t has_at;
  native_vector at;
};
struct native_world {
  std::uint8_t is_day;
  std::uint64_t number;
  native_vector path[3];
  std::int32_t score;
  std::uint8_t has_score;
  char name[6];
  native_target targets[2];
  std::int16_t height;
  double heat;
};

std::shared_ptr<const native_struct> describe_vector() {
  const native_field fields[] = {
      {.name = "x", .kind = type_kind::floating, .bytes = 4, .offset = offsetof(native_vector, x)},
      {.name = "y", .kind = type_kind::floating, .bytes = 4, .offset = offsetof(native_vector, y)}};
  std::vector<native_field> all(std::begin(fields), std::end(fields));
  all[0].declared = {.kept = precision::decimals, .places = 2, .unit = "m"};
  return native_struct::create("run_time_vector", sizeof(native_vector), all).value();
}

std::shared_ptr<const native_struct> describe_world() {
  const auto vector = describe_vector();
  std::vector<native_field> target(2);
  target[0] = {
      .name = "slot", .kind = type_kind::signed_integer, .bytes = 2, .offset = offsetof(native_target, slot)};
  target[1] = {.name = "at", .kind = type_kind::structure, .offset = offsetof(native_target, at)};
  target[1].of = vector;
  target[1].is_optional = true;
  target[1].flag_offset = offsetof(native_target, has_at);
  const auto target_type = native_struct::create("run_time_target", sizeof(native_target), target).value();
  std::vector<native_field> world(8);
  world[0] = {.name = "number",
              .kind = type_kind::unsigned_integer,
              .bytes = 8,
              .offset = offsetof(native_world, number)};
  world[1] = {.name = "path", .kind = type_kind::structure, .offset = offsetof(native_world, path)};
  world[1].of = vector;
  world[1].count = 3;
  world[2] = {
      .name = "is_day", .kind = type_kind::boolean, .bytes = 1, .offset = offsetof(native_world, is_day)};
  world[3] = {.name = "score",
              .kind = type_kind::signed_integer,
              .bytes = 4,
              .offset = offsetof(native_world, score)};
  world[3].is_optional = true;
  world[3].flag_offset = offsetof(native_world, has_score);
  world[4] = {.name = "name", .kind = type_kind::text, .bytes = 6, .offset = offsetof(native_world, name)};
  world[5] = {.name = "targets", .kind = type_kind::structure, .offset = offsetof(native_world, targets)};
  world[5].of = target_type;
  world[5].count = 2;
  world[6] = {
      .name = "heat", .kind = type_kind::floating, .bytes = 8, .offset = offsetof(native_world, heat)};
  world[6].declared = {.kept = precision::tolerance, .most = 0.25};
  world[7] = {
      .name = "height", .kind = type_kind::fixed_point, .bytes = 2, .offset = offsetof(native_world, height)};
  world[7].fraction_bits = 4;
  return native_struct::create("run_time_world", sizeof(native_world), world).value();
}

// Whole numbers below a limit.
class small_numbers {
 public:
  explicit small_numbers(const char* what) : random_(seeded_random(what)) {}
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

 private:
  std::mt19937_64 random_;
};

// The same content in both.
void fill(small_numbers& random, run_time_world& world, native_world& native) {
  std::memset(&native, 0xAA, sizeof native);  // padding and absent values hold anything
  const auto vector = [&](run_time_vector& a, native_vector& b) {
    a.x = b.x = static_cast<float>(random.below(1000)) / 8;
    a.y = b.y = -static_cast<float>(random.below(3));
  };
  world.number = native.number = random.below(1u << 30);
  for (std::size_t i = 0; i < 3; ++i) vector(world.path[i], native.path[i]);
  world.is_day = random.below(2) == 1;
  native.is_day = world.is_day ? 7 : 0;
  native.has_score = random.below(2) == 1 ? 1 : 0;
  native.score = static_cast<std::int32_t>(random.below(100));
  world.score = native.has_score == 1 ? std::optional(native.score) : std::nullopt;
  constexpr std::string_view letters = "abcdef";
  const std::string_view name = letters.substr(0, random.below(7));
  world.name = short_text<6>(name);
  std::memset(native.name, 0, 6);
  std::memcpy(native.name, name.data(), name.size());
  for (std::size_t i = 0; i < 2; ++i) {
    native_target& target = native.targets[i];
    world.targets[i].slot = target.slot = static_cast<std::int16_t>(random.below(9));
    target.has_at = random.below(2) == 1 ? 255 : 0;
    run_time_vector at;
    vector(at, target.at);
    world.targets[i].at = target.has_at != 0 ? std::optional(at) : std::nullopt;
  }
  world.heat = native.heat = static_cast<double>(random.below(50));
  native.height = static_cast<std::int16_t>(random.below(400));
  world.height.raw = native.height;
}

native_field float_at(std::uint32_t offset) {
  return {.name = "x", .kind = type_kind::floating, .bytes = 4, .offset = offset};
}

error_code refusal_of(const native_field& field, std::uint32_t bytes = 8) {
  const auto made = native_struct::create("s", bytes, {&field, 1});
  BOOST_REQUIRE(!made);
  return made.error().code;
}

BOOST_AUTO_TEST_SUITE(sdk_native_struct_tests)
BOOST_AUTO_TEST_SUITE(native_struct_test)

BOOST_AUTO_TEST_CASE(schema_and_rows_are_those_of_the_described_struct) {
  const auto described = describe_world();
  BOOST_TEST((to_bytes(described->described()) == to_bytes(schema_of<run_time_world>())));
  BOOST_REQUIRE_EQUAL(described->row_bytes(), component_size<run_time_world>);
  small_numbers random("native_struct");
  for (int i = 0; i < 200; ++i) {
    run_time_world world;
    native_world native;
    fill(random, world, native);
    component_bytes<run_time_world> row;
    described->write_row(reinterpret_cast<const std::byte*>(&native), row.data());
    BOOST_TEST((row == to_component_bytes(world)));
  }
}

BOOST_AUTO_TEST_CASE(reels_are_those_of_the_described_struct) {
  const scratch_folder folder;
  const recorder_options options{.mode = threading::pumped, .ticks_per_second = 60, .start_time_us = 1};
  {
    auto by_type = record<run_time_world>(folder / "type.reel", options).value();
    auto by_offset = struct_recording<>::open(folder / "offset.reel", describe_world(), options).value();
    const auto event = native_event::create(describe_vector()).value();
    small_numbers random("native_struct");
    for (int tick = 0; tick < 50; ++tick) {
      run_time_world world;
      native_world native;
      fill(random, world, native);
      BOOST_TEST(by_type.push(world));
      BOOST_TEST(by_offset.push(&native));
      if (tick % 10 != 3) continue;
      BOOST_TEST(by_type.event(run_time_vector{1, 2}));
      const native_vector happened{1, 2};
      BOOST_TEST(by_offset.event(*event, &happened));
    }
    BOOST_TEST(by_type.close().value().nothing_lost());
    BOOST_TEST(by_offset.close().value().nothing_lost());
  }
  BOOST_TEST((read_file(folder / "type.reel") == read_file(folder / "offset.reel")));
}

// Slots of a ring that drops the oldest tick change places, and keep their memory.
BOOST_AUTO_TEST_CASE(full_ring_keeps_the_newest_ticks) {
  const scratch_folder folder;
  const native_field field = {.name = "n", .kind = type_kind::unsigned_integer, .bytes = 4};
  const auto described = native_struct::create("s", 4, {&field, 1}).value();
  auto out = struct_recording<loss_policy::drop_oldest>::open(
                 folder / "s.reel", described,
                 {.mode = threading::pumped, .ring_ticks = 4, .ticks_per_second = 1, .start_time_us = 1})
                 .value();
  for (std::uint32_t n = 0; n < 11; ++n) BOOST_TEST(out.push(&n));
  BOOST_TEST(out.close().value().counters.dropped == 7u);
  auto rows = tracks::row_reader::open(folder / "s.reel").value();
  std::uint32_t expected = 7;
  for (tracks::row_view row; rows.next(row).value(); ++expected) {
    BOOST_TEST(row.stamp.tick == expected);
    BOOST_TEST(row.bytes.size() == 4u);
    BOOST_TEST(std::to_integer<std::uint32_t>(row.bytes[0]) == expected);
  }
  BOOST_TEST(expected == 11u);
}

BOOST_AUTO_TEST_CASE(names_that_no_path_can_have_are_refused) {
  for (const auto& [name, why] : {std::pair("", "member 1 has no name"),
                                  {"x", "member 1 has the name of an earlier"},
                                  {"a.b", "the name of member 1"},
                                  {"a[0]", "the name of member 1"}}) {
    native_field fields[] = {float_at(0), float_at(4)};
    fields[0].name = "x";
    fields[1].name = name;
    const auto made = native_struct::create("s", 8, fields);
    BOOST_REQUIRE(!made);
    BOOST_TEST((made.error().code == error_code::invalid_argument));
    BOOST_TEST(describe(made.error()).find(why) != std::string::npos, describe(made.error()));
  }
}

BOOST_AUTO_TEST_CASE(contradictory_members_are_refused) {
  native_field field = float_at(4);
  BOOST_TEST(native_struct::create("s", 8, {&field, 1}).has_value());
  BOOST_TEST((refusal_of(float_at(5)) == error_code::invalid_argument));
  field.bytes = 3;
  BOOST_TEST((refusal_of(field) == error_code::invalid_argument));
  field = float_at(0);
  field.count = 3;
  BOOST_TEST((refusal_of(field) == error_code::invalid_argument));
  field.count = 0xFFFFFFFF;
  field.stride = 0xFFFFFFFF;
  BOOST_TEST((refusal_of(field) == error_code::invalid_argument));
  field = float_at(0);
  field.is_optional = true;
  field.flag_offset = 8;
  BOOST_TEST((refusal_of(field) == error_code::invalid_argument));
  field = float_at(0);
  field.is_entities = true;
  field.count = 2;
  BOOST_TEST((refusal_of(field) == error_code::invalid_argument));
  field = float_at(0);
  field.kind = type_kind::structure;
  BOOST_TEST((refusal_of(field) == error_code::invalid_argument));
  field = float_at(0);
  field.kind = type_kind::signed_integer;
  field.declared.kept = precision::tolerance;
  field.declared.most = 1;
  BOOST_TEST((refusal_of(field) == error_code::invalid_argument));
  BOOST_TEST((refusal_of(float_at(0), (1u << 20) + 1) == error_code::invalid_argument));
  field = float_at(0);
  field.name = "a.b";
  BOOST_TEST((refusal_of(field) == error_code::invalid_argument));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace tickreel::test
