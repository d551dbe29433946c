// Random states: every frame can be read, and every value that the format can store is returned.
#include <boost/test/unit_test.hpp>

#include "allocation_counter.hpp"
#include "random.hpp"
#include "random_state.hpp"
#include "round_trip.hpp"
#include "small_match.hpp"
#include "state_difference.hpp"

namespace tickreel {

BOOST_AUTO_TEST_SUITE(encoders_butter_tests)
BOOST_AUTO_TEST_SUITE(property_test)

namespace {

// A match in which everything that a server can do happens all the time.
class chaos {
 public:
  explicit chaos(std::mt19937_64& random) : random_(random), state_(test::opening()) {}

  const echo::state& next() {
    state_.recorded_time_ms += one_in(40) ? static_cast<std::int64_t>(random_() % 200'000) - 100'000
                                          : static_cast<std::int64_t>(random_() % 50);
    state_.match.game_clock = one_in(50) ? number(700) : state_.match.game_clock - 0.033f;
    if (one_in(10)) change_roster();
    for (std::size_t i = 0; i < state_.match.player_count; ++i) move(state_.players[i]);
    state_.match.disc.at.position = near(state_.match.disc.at.position);
    if (one_in(30)) state_.match.fields ^= echo::session::has_disc | echo::session::has_disc_velocity;
    if (one_in(30)) state_.match.fields ^= echo::session::has_last_score;
    state_.match.last_score.disc_speed = one_in(9) ? number(30) : state_.match.last_score.disc_speed;
    state_.match.teams[random_() % 3].stats.points = static_cast<std::int32_t>(random_() % 256);
    if (one_in(12)) {
      test::give_bones(state_, random_() % 6, number(10));
      if (one_in(4)) state_.bones = echo::bones_kind::without_list;
    }
    return state_;
  }

 private:
  bool one_in(std::uint64_t n) { return random_() % n == 0; }
  float number(double range) {
    return static_cast<float>((static_cast<double>(random_() % 2'000'001) / 1e6 - 1) * range);
  }
  echo::vec3 near(const echo::vec3& v) {
    if (one_in(60)) return {number(60), number(60), number(60)};
    return {v.x + number(0.3), v.y + number(0.3), v.z + number(0.3)};
  }

  void change_roster() {
    static constexpr const char* names[] = {"Ann", "Ben", "", "Bot", "Bot", "Zo\u00EB"};
    for (echo::team& team : state_.match.teams) team.player_count = 0;
    state_.match.player_count = 0;
    for (std::size_t t = 0; t < 3; ++t) {
      for (std::uint64_t n = random_() % 6; n > 0; --n) {
        test::add_player(state_, t, names[random_() % std::size(names)], random_() % 5);
      }
    }
  }

  void move(echo::player& player) {
    for (echo::pose* part : {&player.head, &player.body, &player.lhand, &player.rhand}) {
      part->position = near(part->position);
      if (one_in(3)) test::face(*part, number(3.2));
    }
    player.velocity = near(player.velocity);
    player.ping = one_in(5) ? static_cast<std::int32_t>(random_() % 1000) : player.ping;
    player.stats.stuns += one_in(7) ? 1 : 0;
    if (one_in(100)) player.stats = {};
  }

  std::mt19937_64& random_;
  echo::state state_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(storable_values_round_trip) {
  auto random = test::seeded_random("chaos");
  for (int round = 0; round < 6; ++round) {
    chaos source(random);
    std::vector<echo::state> states;
    for (int i = 0; i < 250; ++i) states.push_back(source.next());
    const auto file = test::write_butter(states, 50);
    const test::read_frames back = test::read_butter(file.bytes);
    BOOST_REQUIRE_MESSAGE(!back.ended_with, (back.ended_with ? describe(*back.ended_with) : ""));
    BOOST_REQUIRE_EQUAL(back.states.size(), states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      const echo::state& wanted = states[i];
      const echo::state& got = back.states[i];
      BOOST_TEST_CONTEXT("frame " << i) {
        BOOST_TEST(got.recorded_time_ms == wanted.recorded_time_ms);
        BOOST_TEST(std::fabs(got.match.game_clock - wanted.match.game_clock) <= 1e-4f);
        BOOST_REQUIRE_EQUAL(got.match.player_count, wanted.match.player_count);
        constexpr std::uint64_t parts = echo::session::has_disc | echo::session::has_last_score;
        BOOST_TEST((got.match.fields & parts) == (wanted.match.fields & parts));
        BOOST_TEST((got.bones == echo::bones_kind::present) == (wanted.bones == echo::bones_kind::present));
        for (std::size_t t = 0; t < 3; ++t) {
          BOOST_TEST(got.match.teams[t].stats.points == wanted.match.teams[t].stats.points);
        }
        test::closeness sum;
        sum.add(wanted, got);
        for (std::size_t p = 0; p < wanted.match.player_count; ++p) {
          BOOST_TEST(got.players[p].userid == wanted.players[p].userid);
          BOOST_TEST(got.players[p].ping == wanted.players[p].ping);
          // Players with the same userid share the held stats, which may increase by more than one step can express.
          BOOST_TEST(got.players[p].stats.stuns >= wanted.players[p].stats.stuns);
        }
        BOOST_TEST(sum.pose_degrees.most() < 0.5);
        if (sum.bone_m.count() != 0) {
          BOOST_TEST(sum.bone_m.most() < 0.00061);
          BOOST_TEST(sum.bone_degrees.most() < 0.36);
        }
        // A half has an error of 1/32 m between 64 and 128 m: at keyframes, and where a player is new or moved far. Three of
        // them: 0.055 m.
        BOOST_TEST(sum.position_m.most() < 0.055);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(everything_encoded_can_be_read) {
  auto random = test::seeded_random("hostile states");
  test::state_generator generator(random);
  const auto state = std::make_unique<echo::state>();
  for (int round = 0; round < 25; ++round) {
    std::vector<echo::state> states;
    for (int i = 0; i < 25; ++i) {
      generator.fill(*state, true);
      if (random() % 3 != 0 && !states.empty()) *state = states.back();
      state->recorded_time_ms = static_cast<std::int64_t>(random() >> (random() % 64));
      states.push_back(*state);
    }
    const auto file = test::write_butter(
        states, 7, {.hold = round % 2 == 0 ? butter::tolerances{} : butter::small_profile});
    const test::read_frames back = test::read_butter(file.bytes);
    BOOST_REQUIRE_MESSAGE(!back.ended_with, (back.ended_with ? describe(*back.ended_with) : ""));
    BOOST_REQUIRE_EQUAL(back.states.size(), states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      BOOST_TEST(back.states[i].recorded_time_ms == states[i].recorded_time_ms);
      const echo::vec3& disc = back.states[i].match.disc.at.forward;
      BOOST_TEST(std::isfinite(disc.x + disc.y + disc.z));
      BOOST_TEST(std::isfinite(back.states[i].match.game_clock));
    }
  }
}

BOOST_AUTO_TEST_CASE(encoding_allocates_nothing) {
  auto random = test::seeded_random("allocations");
  chaos source(random);
  butter::encoder encoder;
  byte_vector room(encoder.max_frame_size());
  for (int i = 0; i < 500; ++i) {
    const echo::state& state = source.next();
    byte_writer out(room);
    const std::uint64_t before = test::allocation_count();
    (void)encoder.needs_keyframe(state);
    (void)encoder.needs_new_file(state);
    encoder.encode(state, i % 100 == 0 ? frame_kind::keyframe : frame_kind::delta, out);
    const std::uint64_t after = test::allocation_count();
    BOOST_TEST(after == before);
    BOOST_TEST(out.ok());
  }
  if (test::counts_allocations) BOOST_TEST(test::allocation_count() > 0u);
}

BOOST_AUTO_TEST_CASE(the_small_profile_keeps_its_tolerance) {
  const auto states = test::match_of(120, test::opening(), [](echo::state& s, std::size_t i) {
    const auto t = static_cast<double>(i);
    for (std::size_t p = 0; p < 4; ++p) {
      echo::player& player = s.players[p];
      for (echo::pose* part : {&player.head, &player.body, &player.lhand, &player.rhand}) {
        part->position = {static_cast<float>(20 * std::sin(t / 40 + static_cast<double>(p))),
                          static_cast<float>(0.05 * t), static_cast<float>(30 - 0.11 * t)};
        test::face(*part, 0.01 * t * static_cast<double>(p));
      }
      player.velocity = {static_cast<float>(std::sin(t / 9)), static_cast<float>(0.03 * t), 0};
    }
    test::give_bones(s, 4, 0.02 * t);
  });
  const auto back = test::through_file(states, 300, {.hold = butter::small_profile});
  test::closeness sum;
  for (std::size_t i = 1; i < states.size(); ++i) sum.add(states[i], back[i]);
  BOOST_TEST(sum.position_m.most() < 0.002);
  BOOST_TEST(sum.pose_degrees.most() < 0.5);
  BOOST_TEST(sum.velocity_mps.most() < 0.35);
  BOOST_TEST(sum.bone_m.most() < 0.002);
  BOOST_TEST(sum.bone_degrees.most() < 0.5);
}

// Of movement below the tolerance: 1.2 mm and 0.4 degrees per tick.
BOOST_AUTO_TEST_CASE(leading_writes_less_within_the_same_tolerance) {
  const auto states = test::match_of(120, test::opening(), [](echo::state& s, std::size_t i) {
    const auto t = static_cast<double>(i);
    test::give_bones(s, 4, 0.5);
    for (std::size_t p = 0; p < 4; ++p) {
      echo::player& player = s.players[p];
      for (echo::pose* part : {&player.head, &player.body, &player.lhand, &player.rhand}) {
        test::face(*part, 0.007 * t);
      }
      for (std::size_t j = 0; j < echo::bone_count; ++j) {
        s.bone_players[p].positions[j].y += static_cast<float>(0.0012 * t);
        s.bone_players[p].rotations[j] = test::turned(0.3, 0.5, 0.007 * t);
      }
    }
  });
  butter::tolerances nearest = butter::small_profile;
  nearest.lead = 0;
  const std::size_t with = test::write_butter(states, 300, {.hold = butter::small_profile}).bytes.size();
  const std::size_t without = test::write_butter(states, 300, {.hold = nearest}).bytes.size();
  BOOST_TEST(with * 100 <= without * 80, with << " bytes leading, " << without << " not");
  const auto back = test::through_file(states, 300, {.hold = butter::small_profile});
  test::closeness sum;
  for (std::size_t i = 1; i < states.size(); ++i) sum.add(states[i], back[i]);
  BOOST_TEST(sum.pose_degrees.most() < 0.5);
  BOOST_TEST(sum.bone_m.most() < 0.002);
  BOOST_TEST(sum.bone_degrees.most() < 0.5);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel
