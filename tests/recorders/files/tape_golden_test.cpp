// .tape and .nevrcap: golden, odd and hostile files with their expected values and verdicts.
#include <simdjson.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "captures.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/codec/crc32.hpp"
#include "tickreel/tape/wire.hpp"

BOOST_AUTO_TEST_SUITE(files_tape_tests)
BOOST_AUTO_TEST_SUITE(tape_golden_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;
namespace dom = simdjson::dom;

// Compares within a tolerance.
bool is_close(double a, double b, double tolerance) {
  return std::fabs(a - b) <= tolerance * std::max(1.0, std::fabs(b));
}
bool is_close(const echo::vec3& got, dom::element want, double tolerance) {
  const double values[3] = {static_cast<double>(got.x), static_cast<double>(got.y),
                            static_cast<double>(got.z)};
  std::size_t i = 0;
  for (const dom::element each : dom::array(want)) {
    if (i == 3 || !is_close(values[i++], double(each), tolerance)) return false;
  }
  return i == 3;
}
bool has_axes(const echo::pose& got, dom::element forward, dom::element left, dom::element up) {
  constexpr double tolerance = 2e-6;
  return is_close(got.forward, forward, tolerance) && is_close(got.left, left, tolerance) &&
         is_close(got.up, up, tolerance);
}

// The names of the expected values that a state contradicts.
std::string contradictions(const echo::state& got, dom::element want) {
  std::string wrong;
  const auto check = [&](bool same, std::string_view what) {
    if (!same) wrong.append(what).append(" ");
  };
  const auto has = [&](std::string_view key) {
    dom::element each;
    return want[key].get(each) == simdjson::SUCCESS && !each.is_null();
  };
  const echo::session& match = got.match;
  check(match.game_status.view() == std::string_view(want["status"]), "status");
  if (has("clock") && (match.fields & echo::session::has_game_clock) != 0) {
    check(is_close(static_cast<double>(match.game_clock), double(want["clock"]), 1e-6), "clock");
  }
  if (has("display") && (match.fields & echo::session::has_game_clock_display) != 0) {
    check(match.game_clock_display.view() == std::string_view(want["display"]), "display");
  }
  check(match.pause.state.view() == std::string_view(want["pause"]), "pause");
  check(static_cast<double>(match.blue_points) == double(dom::array(want["points"]).at(0)), "blue_points");
  check(static_cast<double>(match.orange_points) == double(dom::array(want["points"]).at(1)),
        "orange_points");
  check(match.blue_round_score == std::int64_t(dom::array(want["rounds"]).at(0)), "blue_rounds");
  check(match.orange_round_score == std::int64_t(dom::array(want["rounds"]).at(1)), "orange_rounds");
  check(has("possession") == ((match.fields & echo::session::has_possession) != 0), "possession_present");
  if (has("possession")) {
    check(match.possession[0] == std::int64_t(dom::array(want["possession"]).at(0)) &&
              match.possession[1] == std::int64_t(dom::array(want["possession"]).at(1)),
          "possession");
  }
  check(has("disc") == ((match.fields & echo::session::has_disc) != 0), "disc_present");
  if (has("disc")) check(is_close(match.disc.at.position, want["disc"], 1e-5), "disc");
  if (has("disc_axes")) {
    const dom::array axes = want["disc_axes"];
    check(has_axes(match.disc.at, axes.at(0).value(), axes.at(1).value(), axes.at(2).value()), "disc_axes");
  }
  if (has("disc_vel")) check(is_close(match.disc.velocity, want["disc_vel"], 1e-5), "disc_vel");
  check(has("goal") == ((match.fields & echo::session::has_last_score) != 0), "goal_present");
  if (has("goal")) {
    const dom::array goal = want["goal"];
    check(match.last_score.team.view() == std::string_view(goal.at(0)) &&
              match.last_score.goal_type.view() == std::string_view(goal.at(1)) &&
              match.last_score.point_amount == std::int64_t(goal.at(2)) &&
              match.last_score.person_scored.view() == std::string_view(goal.at(3)),
          "goal");
  }
  if (has("payload")) {
    const dom::array payload = want["payload"];
    check(is_close(static_cast<double>(match.payload.distance), double(payload.at(2)), 1e-6),
          "payload_distance");
    check(is_close(static_cast<double>(match.payload.speed), double(payload.at(4)), 1e-6), "payload_speed");
  }
  std::size_t players = 0;
  for (const dom::element each : dom::array(want["players"])) {
    std::size_t place = 0;
    while (place < match.player_count && got.players[place].playerid != std::int64_t(each["slot"])) ++place;
    ++players;
    if (place == match.player_count) {
      check(false, "player_absent");
      continue;
    }
    const echo::player& one = got.players[place];
    std::size_t team = 0;
    for (std::size_t first = 0; first + match.teams[team].player_count <= place; ++team) {
      first += match.teams[team].player_count;
    }
    const auto has_part = [&](std::string_view key) {
      dom::element part;
      return each[key].get(part) == simdjson::SUCCESS && !part.is_null();
    };
    check(static_cast<std::int64_t>(team) == std::int64_t(each["team"]), "team");
    check(one.name.view() == std::string_view(each["name"]), "name");
    check(one.userid == std::uint64_t(each["user"]), "user");
    check(one.number == std::int64_t(each["no"]), "no");
    check(one.level == std::int64_t(each["level"]), "level");
    check(one.ping == std::int64_t(each["ping"]), "ping");
    const std::int64_t flags = (one.stunned ? 1 : 0) | (one.invulnerable ? 2 : 0) | (one.blocking ? 4 : 0) |
                               (one.possession ? 8 : 0) | (one.is_emote_playing ? 16 : 0) |
                               static_cast<std::int64_t>(team) << 5;
    check(flags == std::int64_t(each["flags"]), "flags");
    check(is_close(one.head.position, each["head"], 1e-5), "head");
    if (has_part("fwd")) check(has_axes(one.head, each["fwd"], each["left"], each["up"]), "head_axes");
    if (has_part("lh")) check(is_close(one.lhand.position, each["lh"], 1e-5), "lh");
    if (has_part("rh")) check(is_close(one.rhand.position, each["rh"], 1e-5), "rh");
    if (has_part("vel")) check(is_close(one.velocity, each["vel"], 1e-5), "vel");
    check(has_part("stats") == ((one.fields & echo::player::has_stats) != 0), "stats_present");
    if (has_part("stats")) {
      const echo::stats& s = one.stats;
      const double values[] = {static_cast<double>(s.possession_time),
                               double(s.points),
                               double(s.saves),
                               double(s.goals),
                               double(s.stuns),
                               double(s.passes),
                               double(s.catches),
                               double(s.steals),
                               double(s.blocks),
                               double(s.interceptions),
                               double(s.assists),
                               double(s.shots_taken)};
      std::size_t i = 0;
      for (const dom::element value : dom::array(each["stats"])) {
        check(is_close(values[i++], double(value), 1e-6), "stats");
      }
    }
    if (has_part("hold")) {
      const auto shown = [](const echo::holding& of) -> std::string {
        if (of.what == echo::holding::player) return std::to_string(of.playerid);
        if (of.what == echo::holding::other) return std::string(of.word.view());
        const char* const names[] = {"", "none", "geo", "disc"};
        return names[of.what];
      };
      const dom::array hold = each["hold"];
      check(shown(one.holding_left) == std::string_view(hold.at(0)), "hold_left");
      check(shown(one.holding_right) == std::string_view(hold.at(1)), "hold_right");
    }
    if (has_part("arms")) {
      const dom::array arms = each["arms"];
      check(one.weapon.view() == std::string_view(arms.at(0)) &&
                one.ordnance.view() == std::string_view(arms.at(1)) &&
                one.tac_mod.view() == std::string_view(arms.at(2)),
            "arms");
    }
  }
  check(players == match.player_count, "player_count");
  std::size_t skeletons = 0;
  if (has("bones")) {
    for (const dom::element each : dom::array(want["bones"])) {
      const dom::array values = each;
      const echo::bone_player& bones = got.bone_players[skeletons++];
      byte_vector bytes;
      tape::message_writer to(bytes);
      for (const echo::vec3& at : bones.positions) {
        for (const float value : {at.x, at.y, at.z}) to.little(value);
      }
      for (const echo::quat& at : bones.rotations) {
        for (const float value : {at.x, at.y, at.z, at.w}) to.little(value);
      }
      char digits[12];
      std::snprintf(digits, sizeof(digits), "%08x", static_cast<unsigned>(crc32(bytes)));
      check(bones.playerid == std::int64_t(values.at(0)), "bones_slot");
      check(std::string_view(digits) == std::string_view(values.at(3)), "bones");
    }
  }
  check(skeletons == got.bone_player_count, "bones_count");
  return wrong;
}

void compare_with_expected(const std::filesystem::path& capture, const std::filesystem::path& expected) {
  decompressor unpacker;
  byte_vector lines;
  BOOST_REQUIRE(unpacker.decompress(codec_id::gzip, read_file(expected), 64u << 20, lines));
  std::istringstream text{std::string(as_text(lines))};
  const std::vector<echo::state> ticks = all_ticks(capture);
  dom::parser parser;
  std::size_t tick = 0;
  const std::int64_t begin_ms = ticks.empty() ? 0 : ticks.front().recorded_time_ms;
  for (std::string line; std::getline(text, line); ++tick) {
    BOOST_REQUIRE_MESSAGE(tick < ticks.size(), capture << " has too few ticks");
    dom::element want = parser.parse(line);
    const std::string wrong = contradictions(ticks[tick], want);
    BOOST_REQUIRE_MESSAGE(wrong.empty(), capture << ", tick " << tick << ": " << wrong);
    BOOST_TEST(ticks[tick].recorded_time_ms - begin_ms == std::int64_t(want["ms"]));
  }
  BOOST_TEST(tick == ticks.size());
}

}  // namespace

BOOST_AUTO_TEST_CASE(golden_files_have_the_expected_values) {
  const auto data = shared_data("tape");
  if (data.empty()) return;
  std::size_t compared = 0;
  for (const auto& each : std::filesystem::directory_iterator(data)) {
    const std::string name = each.path().filename().string();
    const std::size_t end = name.find(".expected.json.gz");
    if (end == std::string::npos) continue;
    for (const char* layout : {".blocks.tape", ".whole.tape"}) {
      const auto capture = data / (name.substr(0, end) + layout);
      if (!std::filesystem::exists(capture)) continue;
      compare_with_expected(capture, each.path());
      const capture_content read = read_capture(capture);
      BOOST_TEST(
          !has_errors(read.checked),
          capture << ": " << (read.checked.findings.empty() ? "" : read.checked.findings.front().message));
      ++compared;
    }
  }
  BOOST_TEST(compared >= 15u);
}

BOOST_AUTO_TEST_CASE(golden_files_of_version_1_equal_the_recording_they_were_made_from) {
  const auto data = shared_data("tape");
  const auto sources = shared_data("butter");
  if (data.empty() || sources.empty()) return;
  const std::map<std::string, std::string> made_from = {{"arena-8p-300", "arena-8p-300"},
                                                        {"arena-small", "arena-small"},
                                                        {"arena-bones-join", "arena-bones-join"},
                                                        {"combat-flat", "combat-flat-small"}};
  for (const auto& [name, source] : made_from) {
    const auto got = all_ticks(data / (name + ".nevrcap"));
    const auto want = all_ticks(sources / (source + ".echoreplay"));
    BOOST_REQUIRE(!got.empty());
    BOOST_REQUIRE(got.size() <= want.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      BOOST_TEST(got[i].recorded_time_ms == want[i].recorded_time_ms, name << " " << i);
      BOOST_REQUIRE(got[i].match.player_count == want[i].match.player_count);
      BOOST_TEST((got[i].match.game_clock == want[i].match.game_clock));
      BOOST_TEST((got[i].match.disc.at == want[i].match.disc.at), name << " " << i);
      BOOST_TEST((got[i].match.last_throw == want[i].match.last_throw), name << " " << i);
      for (std::size_t p = 0; p < got[i].match.player_count; ++p) {
        const echo::player& a = got[i].players[p];
        const echo::player& b = want[i].players[p];
        BOOST_TEST(
            (a.head == b.head && a.body == b.body && a.lhand == b.lhand && a.rhand == b.rhand &&
             a.velocity == b.velocity && a.stats == b.stats && a.name == b.name && a.userid == b.userid),
            name << " " << i << " " << p);
      }
      BOOST_TEST(got[i].bone_player_count == want[i].bone_player_count);
    }
  }
}

BOOST_AUTO_TEST_CASE(odd_and_hostile_files_get_their_verdicts) {
  const auto data = shared_data("tape");
  if (data.empty()) return;
  std::ifstream verdicts(data / "verdicts.tsv");
  std::string line;
  std::getline(verdicts, line);
  std::size_t count = 0;
  while (std::getline(verdicts, line)) {
    std::istringstream columns(line);
    std::string name, bytes, verdict, kept;
    std::getline(columns, name, '\t');
    std::getline(columns, bytes, '\t');
    std::getline(columns, verdict, '\t');
    std::getline(columns, kept, '\t');
    ++count;
    const bool refused = verdict.starts_with("refused");
    const capture_content read = read_capture(data / name);
    const bool has_failed = !read.failure.empty() || has_errors(read.checked);
    // A player whose name is lost, or a skeleton, may also be left out instead of the frame.
    BOOST_TEST(has_failed == refused,
               name << ": " << verdict << ", and here: " << read.failure
                    << (read.checked.findings.empty() ? "" : read.checked.findings.front().message));
    if (kept != "-" && !kept.empty()) {
      BOOST_TEST(read.ticks.size() >= std::stoul(kept), name << " has " << read.ticks.size());
    }
    if (!refused) BOOST_TEST(read.ticks.size() == std::stoul(kept), name);
  }
  BOOST_TEST(count >= 50u);
  const auto dictionary = read_capture(data / "hostile/dictionary.tape");
  BOOST_TEST(dictionary.failure.find("dictionary") != std::string::npos, dictionary.failure);
  BOOST_TEST(!read_capture(data / "odd/unknown-envelope.tape").losses.empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
