// The winner of an Echo VR match, and the statistics of its players.
#include <algorithm>
#include <map>

#include "fixtures.hpp"

BOOST_AUTO_TEST_SUITE(files_tests)
BOOST_AUTO_TEST_SUITE(score_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;
using files::fact;

template <class Value>
std::optional<Value> value_of(const std::vector<fact>& facts, std::string_view key) {
  const auto found = std::ranges::find(facts, key, &fact::key);
  if (found == facts.end()) return std::nullopt;
  return std::get<Value>(found->value);
}

echo_vr::simulation_options whole_match(std::uint64_t seed, bool private_match) {
  echo_vr::simulation_options options = short_match();
  options.seed = seed;
  options.private_match = private_match;
  options.match_seconds = 90;
  return options;
}

// The game's own counters, last per player.
struct truth {
  std::map<std::string, echo::stats> players;
  float blue_points = 0, orange_points = 0;
  float points_of_nobody = 0;  // own goals, and goals without a thrower

  explicit truth(const echo_vr::simulation_options& options) {
    echo_vr::match_simulator simulator(options);
    const auto tick = std::make_unique<echo::state>();
    while (simulator.next(*tick)) {
      const echo::last_score& goal = tick->match.last_score;
      const float more = tick->match.blue_points + tick->match.orange_points - blue_points - orange_points;
      if (goal.goal_type.view() == "SELF GOAL" || goal.person_scored.view() == "[INVALID]") {
        points_of_nobody += more;
      }
      blue_points = tick->match.blue_points;
      orange_points = tick->match.orange_points;
      const std::size_t playing = echo::first_player(tick->match, 2);
      for (std::size_t each = 0; each < playing; ++each) {
        players[std::string(tick->players[each].name.view())] = tick->players[each].stats;
      }
    }
  }
};

// A match with given points.
class scripted_source final : public files::echo_source {
 public:
  struct step {
    const char* status;
    float blue, orange;
  };
  scripted_source(std::vector<step> steps, int rounds, int blue_rounds)
      : steps_(std::move(steps)), rounds_(rounds), blue_rounds_(blue_rounds) {
    echo_vr::match_simulator(short_match()).next(tick_);
  }

  result<bool> next(echo::state& out) override {
    if (at_ == steps_.size() * 2) return false;
    const step& now = steps_[at_ / 2];
    tick_.recorded_time_ms += 33;
    tick_.match.game_status.assign(now.status);
    tick_.match.blue_points = now.blue;
    tick_.match.orange_points = now.orange;
    tick_.match.total_round_count = rounds_;
    tick_.match.blue_round_score = blue_rounds_;
    tick_.match.orange_round_score = 0;
    out = tick_;
    ++at_;
    return true;
  }
  result<void> rewind() override {
    at_ = 0;
    return {};
  }

 private:
  std::vector<step> steps_;
  int rounds_, blue_rounds_;
  std::size_t at_ = 0;
  echo::state tick_ = {};
};

std::string winner_of(std::vector<scripted_source::step> steps, int rounds, int blue_rounds = 0) {
  std::string both;
  for (const char* name : {"m.butter", "m.echoreplay"}) {
    scratch_folder folder;
    scripted_source source(steps, rounds, blue_rounds);
    BOOST_REQUIRE(files::convert(source, folder.path() / name, {}));
    const auto what = open_recording(folder.path() / name)->summarise();
    BOOST_REQUIRE(what);
    const std::string winner = value_of<std::string>(what->facts, "winner").value_or("unknown");
    if (!both.empty()) BOOST_TEST(both == winner);
    both = winner;
  }
  return both;
}

}  // namespace

BOOST_AUTO_TEST_CASE(score_and_players_equal_the_games_values) {
  std::size_t won = 0;
  std::int64_t scored = 0;
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const auto options = whole_match(seed, seed != 2);
    const truth game(options);
    for (const char* name : {"m.butter", "m.echoreplay", "m.reel"}) {
      BOOST_TEST_CONTEXT(name << ", seed " << seed) {
        scratch_folder folder;
        write_match(folder.path() / name, {}, options);
        const auto what = open_recording(folder.path() / name)->summarise();
        BOOST_REQUIRE(what);
        BOOST_TEST(value_of<std::int64_t>(what->facts, "blue_points").value_or(-1) ==
                   static_cast<std::int64_t>(game.blue_points));
        BOOST_TEST(value_of<std::int64_t>(what->facts, "orange_points").value_or(-1) ==
                   static_cast<std::int64_t>(game.orange_points));
        const std::string winner = value_of<std::string>(what->facts, "winner").value_or("");
        if (game.blue_points == game.orange_points) {
          BOOST_TEST(winner.empty());
        } else {
          BOOST_TEST(winner == (game.blue_points > game.orange_points ? "blue" : "orange"));
          ++won;
        }
        std::size_t looked_at = 0;
        std::int64_t points = 0;
        for (const files::player_summary& each : what->players) {
          const auto known = game.players.find(each.name);
          if (known == game.players.end()) {
            BOOST_TEST(each.facts.empty());
            continue;
          }
          ++looked_at;
          const auto number = [&](const char* key) {
            return value_of<std::int64_t>(each.facts, key).value_or(-1);
          };
          BOOST_TEST(number("points") == known->second.points);
          BOOST_TEST(number("goals") == known->second.goals);
          BOOST_TEST(number("assists") == known->second.assists);
          BOOST_TEST(number("saves") == known->second.saves);
          BOOST_TEST(number("stuns") == known->second.stuns);
          BOOST_TEST(number("shots_taken") == known->second.shots_taken);
          BOOST_TEST(std::abs(value_of<double>(each.facts, "possession_time").value_or(-1) -
                              static_cast<double>(known->second.possession_time)) < 0.2);
          points += number("points");
        }
        BOOST_TEST(looked_at == game.players.size());
        scored += points;
        BOOST_TEST(static_cast<float>(points) + game.points_of_nobody ==
                   game.blue_points + game.orange_points);
      }
    }
  }
  BOOST_TEST(won > 0u);
  BOOST_TEST(scored > 0);
}

BOOST_AUTO_TEST_CASE(a_winner_is_named_only_when_it_is_known) {
  // The match ends with the recording.
  BOOST_TEST(winner_of({{"playing", 3, 0}, {"post_match", 3, 2}}, 1) == "blue");
  BOOST_TEST(winner_of({{"playing", 3, 0}, {"round_over", 3, 5}}, 1) == "orange");
  BOOST_TEST(winner_of({{"playing", 3, 0}, {"post_match", 3, 3}}, 1) == "unknown");
  // The match continues after the recording.
  BOOST_TEST(winner_of({{"playing", 3, 0}, {"score", 5, 0}}, 1) == "unknown");
  BOOST_TEST(winner_of({{"playing", 3, 0}, {"round_over", 3, 0}}, 3) == "unknown");
  // Rounds count, not the points of the last one.
  const std::vector<scripted_source::step> rounds = {
      {"playing", 3, 0},    {"round_over", 3, 0}, {"playing", 0, 0},    {"post_sudden_death", 4, 2},
      {"round_over", 4, 2}, {"playing", 0, 0},    {"round_over", 0, 9}, {"post_match", 0, 9}};
  BOOST_TEST(winner_of(rounds, 3) == "blue");
  BOOST_TEST(winner_of({{"playing", 1, 3}, {"round_over", 1, 3}, {"post_match", 1, 3}}, 3, 1) == "unknown");
  BOOST_TEST(winner_of({{"playing", 1, 0}, {"round_over", 4, 3}}, 3, 1) == "blue");
  // A restarted match discards earlier points.
  BOOST_TEST(winner_of({{"playing", 9, 0}, {"round_over", 9, 0}, {"pre_match", 0, 0}, {"post_match", 0, 2}},
                       3) == "orange");
}

BOOST_AUTO_TEST_CASE(a_match_of_combat_has_no_winner_by_points) {
  echo_vr::simulation_options options = short_match();
  options.mode = echo::mode::combat;
  scratch_folder folder;
  write_match(folder.path() / "m.echoreplay", {}, options);
  const auto what = open_recording(folder.path() / "m.echoreplay")->summarise();
  BOOST_REQUIRE(what);
  BOOST_TEST(!value_of<std::string>(what->facts, "winner").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
