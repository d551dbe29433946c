// Compares what a repairing reader reads from files of the reference writer with that writer's input.
#include <boost/test/unit_test.hpp>

#include "recordings.hpp"
#include "round_trip.hpp"
#include "state_difference.hpp"
#include "state_equal.hpp"

namespace tickreel {

BOOST_AUTO_TEST_SUITE(encoders_butter_tests)
BOOST_AUTO_TEST_SUITE(repair_test)

namespace {

struct three_views {
  std::vector<echo::state> input;
  test::read_frames plain;
  test::read_frames repaired;
};

three_views views_of(const std::filesystem::path& folder, const std::string& input, const std::string& file) {
  const byte_vector bytes = test::read_file(folder / file);
  return {test::read_echoreplay(folder / (input + ".echoreplay")), test::read_butter(bytes),
          test::read_butter(bytes, {.repair = true})};
}

test::closeness closeness_of(const std::vector<echo::state>& wanted, const std::vector<echo::state>& got,
                             std::size_t first = 0) {
  test::closeness sum;
  for (std::size_t i = first; i < std::min(wanted.size(), got.size()); ++i) sum.add(wanted[i], got[i]);
  return sum;
}

}  // namespace

BOOST_AUTO_TEST_CASE(bones_after_the_first_chunk) {
  const auto folder = test::shared_data("butter");
  if (folder.empty()) return;
  const three_views views = views_of(folder, "arena-bones-small", "arena-bones-small.none.butter");
  BOOST_REQUIRE_EQUAL(views.repaired.states.size(), 36u);
  constexpr std::size_t second_chunk = 12;
  const test::closeness plain = closeness_of(views.input, views.plain.states, second_chunk);
  const test::closeness repaired = closeness_of(views.input, views.repaired.states, second_chunk);
  BOOST_TEST(plain.bone_m.mean() > 0.3);
  BOOST_TEST(plain.bone_degrees.mean() > 25);
  BOOST_TEST(repaired.bone_m.mean() < 0.005);
  BOOST_TEST(repaired.bone_m.most() < 0.01);
  BOOST_TEST(repaired.bone_degrees.mean() < 4);
}

BOOST_AUTO_TEST_CASE(a_bone_player_who_joins) {
  const auto folder = test::shared_data("butter");
  if (folder.empty()) return;
  const three_views views = views_of(folder, "arena-bones-join", "arena-bones-join.none.butter");
  BOOST_TEST(views.plain.ended_with.has_value());
  BOOST_TEST(!views.repaired.ended_with.has_value());
  BOOST_REQUIRE_EQUAL(views.repaired.states.size(), views.input.size());
  const test::closeness repaired = closeness_of(views.input, views.repaired.states);
  BOOST_TEST(repaired.bone_m.most() < 0.005);
  BOOST_TEST(repaired.bone_degrees.mean() < 1.5);
}

BOOST_AUTO_TEST_CASE(team_statistics_and_pause_timers) {
  const auto folder = test::shared_data("butter");
  if (folder.empty()) return;
  for (const char* file : {"arena-small.none.butter", "arena-small-v1.none.butter",
                           "arena-small-v2.none.butter", "arena-8p-300.none.butter"}) {
    BOOST_TEST_CONTEXT(file) {
      const std::string name = file;
      const three_views views =
          views_of(folder, name.starts_with("arena-small") ? "arena-small" : "arena-8p-300", name);
      BOOST_REQUIRE_EQUAL(views.repaired.states.size(), views.input.size());
      int plain_differs = 0;
      float plain_timer = 0, repaired_timer = 0;
      for (std::size_t i = 0; i < views.input.size(); ++i) {
        const echo::session& wanted = views.input[i].match;
        const echo::session& plain = views.plain.states[i].match;
        const echo::session& repaired = views.repaired.states[i].match;
        for (std::size_t t = 0; t < 3; ++t) {
          echo::stats repaired_stats = repaired.teams[t].stats;
          BOOST_TEST(std::fabs(repaired_stats.possession_time - wanted.teams[t].stats.possession_time) <
                     0.01f);
          repaired_stats.possession_time = wanted.teams[t].stats.possession_time;
          BOOST_TEST((repaired_stats == wanted.teams[t].stats));
          plain_differs += plain.teams[t].stats.points != wanted.teams[t].stats.points ? 1 : 0;
        }
        for (const auto timer : {&echo::pause_state::paused_timer, &echo::pause_state::unpaused_timer}) {
          plain_timer = std::max(plain_timer, std::fabs(plain.pause.*timer - wanted.pause.*timer));
          repaired_timer = std::max(repaired_timer, std::fabs(repaired.pause.*timer - wanted.pause.*timer));
        }
      }
      BOOST_TEST(plain_differs > 0);
      BOOST_TEST(plain_timer > 0.05f);
      BOOST_TEST(repaired_timer < 0.005f);
      // All other values are unchanged.
      const test::closeness before = closeness_of(views.input, views.plain.states);
      const test::closeness after = closeness_of(views.input, views.repaired.states);
      BOOST_TEST(after.position_m.mean() <= before.position_m.mean() + 1e-6);
      BOOST_TEST(after.velocity_mps.mean() <= before.velocity_mps.mean() + 1e-6);
    }
  }
}

BOOST_AUTO_TEST_CASE(uniform_motion) {
  const auto folder = test::shared_data("butter");
  if (folder.empty()) return;
  const three_views views = views_of(folder, "arena-const-velocity", "arena-const-velocity.none.butter");
  const test::closeness plain = closeness_of(views.input, views.plain.states);
  const test::closeness repaired = closeness_of(views.input, views.repaired.states);
  BOOST_TEST(plain.disc_m.most() > 1);
  BOOST_TEST(repaired.disc_m.most() < 1e-5);
  BOOST_TEST(repaired.position_m.most() < 1e-5);
}

// Files of this encoder carry a mark and are read the same with and without repair.
BOOST_AUTO_TEST_CASE(our_own_files_need_no_repair) {
  const auto folder = test::shared_data("butter");
  if (folder.empty()) return;
  for (const char* name : {"arena-small", "arena-bones-small", "combat-flat-small"}) {
    const auto input = test::read_echoreplay(folder / (std::string(name) + ".echoreplay"));
    const test::written_file file = test::write_butter(input, 10);
    const test::read_frames plain = test::read_butter(file.bytes);
    const test::read_frames repaired = test::read_butter(file.bytes, {.repair = true});
    BOOST_REQUIRE_EQUAL(plain.states.size(), input.size());
    BOOST_REQUIRE_EQUAL(repaired.states.size(), input.size());
    for (std::size_t i = 0; i < input.size(); ++i) {
      test::state_comparison same;
      same.states(plain.states[i], repaired.states[i]);
      same.bones(plain.states[i], repaired.states[i]);
      BOOST_TEST(same.found() == "");
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel
