// Bones within their errors, everything else exactly.
#include "tickreel/echo/bone_errors.hpp"

#include <algorithm>
#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <vector>

#include "random.hpp"
#include "random_state.hpp"
#include "tickreel/echo/described.hpp"
#include "tickreel/tracks/block_reader.hpp"
#include "tickreel/tracks/block_writer.hpp"
#include "tickreel/tracks/rows.hpp"

BOOST_AUTO_TEST_SUITE(encoders_echo_tests)
BOOST_AUTO_TEST_SUITE(bone_errors_test)

using namespace tickreel;

namespace {

using recorded = echo::recorded_tick_with_bones;

std::vector<std::unique_ptr<recorded>> stored_and_read(const std::vector<std::unique_ptr<recorded>>& ticks,
                                                       const echo::bone_errors& largest) {
  schema declared = schema_of<recorded>();
  echo::allow_bone_errors(declared, largest);
  BOOST_REQUIRE(has_same_layout(declared, schema_of<recorded>()));
  const auto again = read_schema(to_bytes(declared));
  BOOST_REQUIRE(again.has_value());
  const auto shape = tracks::shape_of(*again);
  BOOST_REQUIRE(shape.has_value());
  tracks::block_writer writer(*shape, {.max_rows = 64});
  byte_vector row;
  for (const auto& tick : ticks) {
    row.clear();
    append_component(row, *tick);
    BOOST_REQUIRE(writer.add(row));
  }
  byte_vector room(writer.largest_size());
  byte_writer out(room);
  writer.write(out);
  tracks::block_reader reader(*shape);
  BOOST_REQUIRE(reader.open(out.written()).has_value());
  std::vector<std::unique_ptr<recorded>> found;
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    row.resize(shape->row_bytes);
    BOOST_REQUIRE(reader.row(i, row).has_value());
    auto tick = read_component<recorded>(row);
    BOOST_REQUIRE(tick.has_value());
    found.push_back(std::make_unique<recorded>(*tick));
  }
  return found;
}

void check_number(float wanted, float found, double most) {
  if (std::isfinite(wanted)) {
    BOOST_REQUIRE_LE(std::abs(double{wanted} - double{found}), most);
  } else {
    BOOST_REQUIRE(std::bit_cast<std::uint32_t>(wanted) == std::bit_cast<std::uint32_t>(found));
  }
}

void check_bones(const echo::bone_player& wanted, const echo::bone_player& found,
                 const echo::bone_errors& largest) {
  BOOST_REQUIRE(wanted.playerid == found.playerid);
  const double part = std::sin(largest.rotation_deg / 360 * std::numbers::pi) / 2;
  for (std::size_t bone = 0; bone < echo::bone_count; ++bone) {
    const echo::vec3 &a = wanted.positions[bone], &b = found.positions[bone];
    for (const auto& [x, y] : {std::pair(a.x, b.x), {a.y, b.y}, {a.z, b.z}})
      check_number(x, y, largest.position_m);
    if (std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z)) {
      BOOST_REQUIRE_LE(std::hypot(double{a.x} - b.x, double{a.y} - b.y, double{a.z} - b.z),
                       largest.position_m);
    }
    const echo::quat &p = wanted.rotations[bone], &q = found.rotations[bone];
    for (const auto& [x, y] : {std::pair(p.x, q.x), {p.y, q.y}, {p.z, q.z}, {p.w, q.w}})
      check_number(x, y, part);
    const double p_length = std::hypot(std::hypot(double{p.x}, p.y), std::hypot(double{p.z}, p.w));
    if (!(std::abs(p_length - 1) < 1e-6)) continue;
    const double q_length = std::hypot(std::hypot(double{q.x}, q.y), std::hypot(double{q.z}, q.w));
    const double cosine = (double{p.x} * q.x + double{p.y} * q.y + double{p.z} * q.z + double{p.w} * q.w) /
                          (p_length * q_length);
    BOOST_REQUIRE_LE(std::acos(std::min(1.0, std::abs(cosine))) * 360 / std::numbers::pi,
                     largest.rotation_deg + 1e-4);
  }
}

// Bones that move a little in each tick, as those of players do.
void move_bones(echo::bone_player& of, std::mt19937_64& random) {
  std::uniform_real_distribution<float> step(-0.01f, 0.01f);
  for (echo::vec3& at : of.positions) at = {at.x + step(random), at.y + step(random), at.z + step(random)};
  for (echo::quat& turn : of.rotations) {
    turn = {turn.x + step(random), turn.y + step(random), turn.z + step(random), turn.w + step(random)};
    const float length = std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z + turn.w * turn.w);
    turn = {turn.x / length, turn.y / length, turn.z / length, turn.w / length};
  }
}

void clear_skeletons(recorded& of) {
  for (echo::bone_player& each : of.bone_players) each = {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(bones_are_within_their_errors_and_all_else_is_exact) {
  auto random = test::seeded_random("bone errors");
  test::state_generator generate(random);
  const auto state = std::make_unique<echo::state>();
  for (const echo::bone_errors& largest : {echo::bone_errors{0.0005, 0.1}, {0.1, 10}, {0.000001, 0.0001}}) {
    std::vector<std::unique_ptr<recorded>> ticks;
    echo::bone_player moving;
    for (int i = 0; i < 40; ++i) {
      do generate.fill(*state, true);
      while (!recorded::has_room_for(*state));
      ticks.push_back(std::make_unique<recorded>());
      echo::assign(*ticks.back(), *state, {});
      move_bones(moving, random);
      ticks.back()->bone_players[0] = moving;
    }
    const auto found = stored_and_read(ticks, largest);
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      for (std::size_t k = 0; k < ticks[i]->bone_players.size(); ++k) {
        check_bones(ticks[i]->bone_players[k], found[i]->bone_players[k], largest);
      }
      clear_skeletons(*ticks[i]);
      clear_skeletons(*found[i]);
      byte_vector wanted, read;
      append_component(wanted, *ticks[i]);
      append_component(read, *found[i]);
      BOOST_REQUIRE(wanted == read);
    }
  }
}

BOOST_AUTO_TEST_CASE(errors_are_named_as_they_were_asked_for) {
  BOOST_TEST(echo::sentence_of({0.0005, 0.1}) == "0.5 mm, 0.1 degrees");
  BOOST_TEST(echo::sentence_of({0.002, 10}) == "2 mm, 10 degrees");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
