// .tape and .nevrcap: written and read again, compared with golden files, damaged, and truncated at every byte.
#include <simdjson.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "fixtures.hpp"
#include "random.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/codec/crc32.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/tape/capture.hpp"
#include "tickreel/tape/container.hpp"

BOOST_AUTO_TEST_SUITE(files_tape_tests)
BOOST_AUTO_TEST_SUITE(tape_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;
namespace dom = simdjson::dom;

// The ticks of any recording, also of a damaged one.
struct capture_content {
  std::vector<echo::state> ticks;
  files::verification checked;
  std::string failure;  // of opening it
  std::vector<std::string> losses;
};
capture_content read_capture(const std::filesystem::path& path) {
  capture_content out;
  auto opened = files::open(path);
  if (!opened) {
    out.failure = describe(opened.error());
    return out;
  }
  auto checked = (*opened)->verify({});
  BOOST_REQUIRE_MESSAGE(checked, path << ": " << (checked ? "" : describe(checked.error())));
  out.checked = std::move(*checked);
  auto source = files::open_echo(path, {.tolerant = true});
  BOOST_REQUIRE(source);
  const auto tick = std::make_unique<echo::state>();
  while (true) {
    const auto more = (*source)->next(*tick);
    BOOST_REQUIRE_MESSAGE(more, path << ": " << (more ? "" : describe(more.error())));
    if (!*more) break;
    if (out.ticks.size() < 400) out.ticks.push_back(*tick);
  }
  out.losses = sentences((*source)->losses());
  return out;
}
bool has_errors(const files::verification& of) {
  return std::any_of(of.findings.begin(), of.findings.end(),
                     [](const files::finding& each) { return each.level == files::severity::error; });
}

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

// A short match whose record of events is as full as the simulator makes it.
std::filesystem::path written(const scratch_folder& folder, const char* name, bool bones = true) {
  const auto path = folder.path() / name;
  write_match(path, {}, short_match(bones));
  return path;
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

BOOST_AUTO_TEST_CASE(a_tape_gives_back_what_its_table_says) {
  const scratch_folder folder;
  const auto source = written(folder, "match.echoreplay");
  const auto report = files::convert(source, folder.path() / "match.tape");
  BOOST_REQUIRE(report);
  // Axes become quaternions, and that is reported.
  BOOST_TEST(report->lossy_source());
  BOOST_TEST(!report->losses.places.empty());
  const auto want = all_ticks(source);
  const auto got = all_ticks(folder.path() / "match.tape");
  BOOST_REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const echo::session& a = got[i].match;
    const echo::session& b = want[i].match;
    BOOST_TEST(got[i].recorded_time_ms == want[i].recorded_time_ms);
    BOOST_TEST((a.disc.at.position == b.disc.at.position && a.disc.velocity == b.disc.velocity));
    BOOST_TEST(a.game_clock == b.game_clock);
    BOOST_TEST(a.game_status.view() == b.game_status.view());
    BOOST_TEST(a.blue_points == b.blue_points);
    BOOST_TEST(a.blue_round_score == b.blue_round_score);
    BOOST_TEST((a.last_throw == b.last_throw));
    BOOST_TEST(a.last_score.person_scored.view() == b.last_score.person_scored.view());
    BOOST_REQUIRE(a.player_count == b.player_count);
    for (std::size_t p = 0; p < a.player_count; ++p) {
      const echo::player& one = got[i].players[p];
      const echo::player& other = want[i].players[p];
      BOOST_TEST(one.name.view() == other.name.view());
      BOOST_TEST((one.stats == other.stats));
      BOOST_TEST((one.holding_left == other.holding_left && one.holding_right == other.holding_right));
      BOOST_TEST((one.head.position == other.head.position && one.velocity == other.velocity));
      constexpr float worst_axis = 0.003f;
      BOOST_TEST(std::fabs(one.head.forward.x - other.head.forward.x) < worst_axis);
      BOOST_TEST(std::fabs(one.lhand.up.y - other.lhand.up.y) < worst_axis);
    }
    BOOST_REQUIRE(got[i].bone_player_count == want[i].bone_player_count);
    for (std::size_t p = 0; p < got[i].bone_player_count; ++p) {
      BOOST_TEST((got[i].bone_players[p].rotations == want[i].bone_players[p].rotations));
    }
  }
  const capture_content read = read_capture(folder.path() / "match.tape");
  BOOST_TEST(!has_errors(read.checked));
}

BOOST_AUTO_TEST_CASE(a_nevrcap_keeps_every_number) {
  const scratch_folder folder;
  const auto source = written(folder, "match.echoreplay");
  BOOST_REQUIRE(files::convert(source, folder.path() / "match.nevrcap"));
  const auto want = all_ticks(source);
  const auto got = all_ticks(folder.path() / "match.nevrcap");
  BOOST_REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    BOOST_TEST(got[i].recorded_time_ms == want[i].recorded_time_ms);
    BOOST_TEST((got[i].match.disc.at == want[i].match.disc.at));
    BOOST_TEST((got[i].match.vr.at == want[i].match.vr.at));
    BOOST_TEST(got[i].match.game_clock_display.view() == want[i].match.game_clock_display.view());
    BOOST_REQUIRE(got[i].match.player_count == want[i].match.player_count);
    for (std::size_t p = 0; p < got[i].match.player_count; ++p) {
      BOOST_TEST((got[i].players[p].rhand == want[i].players[p].rhand));
      BOOST_TEST((got[i].players[p].stats == want[i].players[p].stats));
    }
    BOOST_TEST(got[i].bone_player_count == want[i].bone_player_count);
  }
}

BOOST_AUTO_TEST_CASE(a_second_conversion_loses_nothing_more) {
  const scratch_folder folder;
  const auto first = written(folder, "first.tape", false);
  BOOST_REQUIRE(files::convert(first, folder.path() / "text.echoreplay"));
  BOOST_REQUIRE(files::convert(folder.path() / "text.echoreplay", folder.path() / "second.tape"));
  const auto want = all_ticks(first);
  const auto got = all_ticks(folder.path() / "second.tape");
  BOOST_REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    BOOST_TEST((got[i].match.disc.at.position == want[i].match.disc.at.position));
    BOOST_TEST((got[i].match.last_throw == want[i].match.last_throw));
    BOOST_TEST(got[i].match.possession[0] == want[i].match.possession[0]);
    for (std::size_t p = 0; p < got[i].match.player_count; ++p) {
      BOOST_TEST((got[i].players[p].stats == want[i].players[p].stats));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_copy_of_a_tape_loses_nothing) {
  const scratch_folder folder;
  const auto first = written(folder, "first.tape");
  const auto report = files::convert(first, folder.path() / "second.tape");
  BOOST_REQUIRE(report);
  BOOST_TEST(!report->lossy_source());
  const auto want = all_ticks(first);
  const auto got = all_ticks(folder.path() / "second.tape");
  BOOST_REQUIRE(got.size() == want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    for (std::size_t p = 0; p < got[i].match.player_count; ++p) {
      const echo::vec3& a = got[i].players[p].head.forward;
      const echo::vec3& b = want[i].players[p].head.forward;
      BOOST_TEST(
          (std::fabs(a.x - b.x) < 1e-6f && std::fabs(a.y - b.y) < 1e-6f && std::fabs(a.z - b.z) < 1e-6f));
    }
  }
}

namespace {

// Ticks made by a function, which returns false at the end.
class made_ticks final : public files::echo_source {
 public:
  using function = bool (*)(std::uint64_t tick, echo::state& out);
  explicit made_ticks(function make) : make_(make) {}
  result<bool> next(echo::state& out) override { return make_(tick_++, out); }
  result<void> rewind() override {
    tick_ = 0;
    return {};
  }

 private:
  function make_;
  std::uint64_t tick_ = 0;
};

bool three_in_one_slot(std::uint64_t tick, echo::state& out) {
  out = {};
  out.recorded_time_ms = 1'658'001'898'159 + static_cast<std::int64_t>(tick) * 33;
  out.match.fields = echo::session::has_teams | echo::session::has_sessionid;
  (void)out.match.sessionid.assign("5A");
  out.match.team_count = 3;
  out.match.player_count = 3;
  out.match.teams[0].player_count = 3;
  for (std::size_t i = 0; i < 3; ++i) {
    out.players[i].fields = echo::player::has_name | echo::player::has_userid;
    out.players[i].userid = 100 + i;
    (void)out.players[i].name.assign("player " + std::to_string(i));
  }
  return tick < 5;
}

// Other slots in each tick.
bool changing_slots(std::uint64_t tick, echo::state& out) {
  (void)three_in_one_slot(tick, out);
  for (std::size_t i = 0; i < 3; ++i) out.players[i].playerid = static_cast<std::int32_t>(3 * tick + i);
  return tick < 400;
}

}  // namespace

BOOST_AUTO_TEST_CASE(players_with_the_same_slot_are_kept) {
  const scratch_folder folder;
  made_ticks source(three_in_one_slot);
  const auto report = files::convert(source, folder.path() / "match.tape");
  BOOST_REQUIRE_MESSAGE(report, (report ? "" : describe(report.error())));
  BOOST_TEST(std::any_of(report->not_stored.begin(), report->not_stored.end(), [](const std::string& each) {
    return each.find("players.playerid") != std::string::npos;
  }));
  const auto ticks = all_ticks(folder.path() / "match.tape");
  BOOST_REQUIRE(ticks.size() == 5u);
  for (const echo::state& each : ticks) {
    BOOST_REQUIRE(each.match.player_count == 3);
    for (std::size_t i = 0; i < 3; ++i) {
      BOOST_TEST(each.players[i].name.view() == "player " + std::to_string(i));
      BOOST_TEST(each.players[i].userid == 100 + i);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_full_tape_is_followed_by_another_file) {
  const scratch_folder folder;
  made_ticks source(changing_slots);
  const auto report = files::convert(source, folder.path() / "match.tape");
  BOOST_REQUIRE_MESSAGE(report, (report ? "" : describe(report.error())));
  BOOST_TEST(report->full_captures == 2u);
  BOOST_REQUIRE(report->files.size() == 3u);
  std::int32_t slot = 0;
  for (const file_path& each : report->files) {
    for (const echo::state& tick : all_ticks(filesystem_path(each))) {
      BOOST_REQUIRE(tick.match.player_count == 3);
      for (std::size_t i = 0; i < 3; ++i) BOOST_TEST(tick.players[i].playerid == slot++);
    }
  }
  BOOST_TEST(slot == 1200);
}

BOOST_AUTO_TEST_CASE(the_content_decides_about_the_format) {
  const scratch_folder folder;
  for (const char* format : {"tape", "nevrcap"}) {
    const auto path = written(folder, (std::string("m.") + format).c_str(), false);
    const auto renamed = folder.path() / (std::string(format) + ".txt");
    std::filesystem::copy_file(path, renamed);
    const auto found = files::detect(renamed);
    BOOST_REQUIRE(found);
    BOOST_TEST((*found)->name == format);
  }
}

namespace {

// The records of a capture without compression.
byte_vector plain_records(byte_span file) {
  auto reader = tape::record_reader::open(
      [&](std::uint64_t offset, std::size_t count) -> result<byte_span> {
        if (offset >= file.size()) return byte_span{};
        const byte_span rest = file.subspan(static_cast<std::size_t>(offset));
        return rest.first(std::min(count, rest.size()));
      },
      file.size());
  BOOST_REQUIRE(reader);
  byte_vector out;
  tape::message_writer to(out);
  byte_span record;
  for (auto more = reader->next(record); more && *more; more = reader->next(record)) {
    to.varint(record.size());
    out.insert(out.end(), record.begin(), record.end());
  }
  return out;
}

class counted_bytes final : public distant_bytes {
 public:
  explicit counted_bytes(byte_span from) : from_(from) {}
  std::uint64_t size() const noexcept override { return from_.size(); }
  result<std::size_t> read_at(mutable_byte_span into, std::uint64_t offset) override {
    const byte_span rest = from_.subspan(static_cast<std::size_t>(std::min<std::uint64_t>(offset, size())));
    const std::size_t count = std::min(into.size(), rest.size());
    std::copy_n(rest.begin(), count, into.begin());
    bytes_read += count;
    return count;
  }

  std::uint64_t bytes_read = 0;

 private:
  byte_span from_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_seek_gives_the_tick_that_reading_gives) {
  auto random = seeded_random("seeks in captures");
  const scratch_folder folder;
  echo_vr::simulation_options longer = short_match();
  longer.match_seconds = 40;
  files::convert_options options;
  options.keyframe_interval_ticks = 30;
  write_match(folder.path() / "blocks.tape", options, longer);
  write_match(folder.path() / "frames.nevrcap", options, longer);
  write_file(folder.path() / "plain.tape", plain_records(read_file(folder.path() / "blocks.tape")));
  for (const char* name : {"blocks.tape", "frames.nevrcap", "plain.tape"}) {
    BOOST_TEST_CONTEXT(name) {
      const auto path = folder.path() / name;
      const std::vector<std::string> want = all_states(path);
      BOOST_REQUIRE(want.size() > 1000u);
      const auto recording = open_recording(path);
      for (int round = 0; round < 40; ++round) {
        const std::uint64_t tick = random() % want.size();
        const bool by_time = random() % 4 == 0;
        const auto where = by_time ? files::moment::at_time(static_cast<double>(tick) / longer.rate_hz)
                                   : files::moment::at_tick(tick);
        BOOST_REQUIRE(recording->seek(where));
        for (std::uint64_t i = 0; i < 3; ++i) {
          const auto more = recording->next();
          BOOST_REQUIRE(more);
          if (!*more) break;
          const std::uint64_t number = recording->position().tick;
          if (!by_time) BOOST_REQUIRE(number == tick + i);
          if (by_time && i == 0) {
            const double ms = static_cast<double>(recording->position().time_ms);
            BOOST_TEST(ms >= where.seconds * 1000 - 0.5);
          }
          std::string state;
          recording->append_state(state);
          BOOST_REQUIRE(state == want[static_cast<std::size_t>(number)]);
        }
        // Once everything was read, there are snapshots of all of it.
        if (round == 20) BOOST_REQUIRE(recording->summarise());
      }
      const auto checked = recording->verify();
      BOOST_REQUIRE(checked);
      BOOST_TEST(!has_errors(*checked));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_seek_to_a_tick_that_was_read_reads_few_bytes) {
  const scratch_folder folder;
  echo_vr::simulation_options longer = short_match(true);
  longer.match_seconds = 40;
  write_match(folder.path() / "match.tape", {}, longer);
  const byte_vector bytes = read_file(folder.path() / "match.tape");
  const auto source = std::make_shared<counted_bytes>(bytes);
  auto opened = files::open(byte_source(source, "match.tape"));
  BOOST_REQUIRE(opened);
  const auto summary = (*opened)->summarise();
  BOOST_REQUIRE(summary);
  for (const std::uint64_t tick : {summary->ticks - 1, summary->ticks / 2, std::uint64_t{200}}) {
    const std::uint64_t before = source->bytes_read;
    BOOST_REQUIRE((*opened)->seek(files::moment::at_tick(tick)));
    BOOST_REQUIRE((*opened)->next().value());
    BOOST_TEST((*opened)->position().tick == tick);
    BOOST_TEST((source->bytes_read - before) * 2 < bytes.size());
  }
}

BOOST_AUTO_TEST_CASE(a_file_cut_at_any_byte_gives_its_first_ticks) {
  const scratch_folder folder;
  echo_vr::simulation_options one_each = short_match();
  one_each.players_per_team = 1;
  write_match(folder.path() / "match.echoreplay", {}, one_each);
  files::convert_options options;
  options.keyframe_interval_ticks = 3;
  options.range.to = files::moment::at_tick(7);
  for (const char* format : {"tape", "nevrcap"}) {
    const auto path = folder.path() / (std::string("small.") + format);
    BOOST_REQUIRE(files::convert(folder.path() / "match.echoreplay", path, options));
    const byte_vector whole = read_file(path);
    const auto want = all_ticks(path);
    const auto tick = std::make_unique<echo::state>();
    std::size_t most = 0;
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const auto source = files::open_echo(byte_span(whole).first(size), {.tolerant = true});
      if (!source) continue;
      std::size_t ticks = 0;
      for (;; ++ticks) {
        const auto more = (*source)->next(*tick);
        BOOST_REQUIRE(more);
        if (!*more) break;
        BOOST_REQUIRE(ticks < want.size());
        BOOST_REQUIRE(tick->recorded_time_ms == want[ticks].recorded_time_ms);
        BOOST_REQUIRE(tick->players[0].name == want[ticks].players[0].name);
      }
      BOOST_TEST(ticks >= most, format << " cut at " << size);
      most = std::max(most, ticks);
      // A .nevrcap has no end: cut between two zstd frames it is whole. A .tape is without its seek table.
      constexpr std::size_t table_bytes = 8 + 5 * 8 + 9;
      if (std::string_view(format) == "tape" && size != whole.size() - table_bytes) {
        BOOST_TEST((*source)->losses().cut_short, "cut at " << size);
      }
    }
    BOOST_TEST(most == want.size());
  }
}

BOOST_AUTO_TEST_CASE(a_flipped_bit_gives_no_wrong_tick) {
  auto random = seeded_random("flipped bits of captures");
  const scratch_folder folder;
  write_match(folder.path() / "match.echoreplay");
  files::convert_options options;
  options.keyframe_interval_ticks = 10;
  options.range.to = files::moment::at_tick(60);
  const auto damaged = folder.path() / "damaged";
  for (const char* format : {"tape", "nevrcap"}) {
    const auto path = folder.path() / (std::string("small.") + format);
    BOOST_REQUIRE(files::convert(folder.path() / "match.echoreplay", path, options));
    const byte_vector whole = read_file(path);
    const std::vector<std::string> want = all_states(path);
    for (int round = 0; round < 150; ++round) {
      const std::size_t bit = static_cast<std::size_t>(random() % (whole.size() * 8));
      BOOST_TEST_CONTEXT(format << ", bit " << bit) {
        byte_vector bytes = whole;
        bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
        write_file(damaged, bytes);
        std::optional<error> ended_with;
        const std::vector<std::string> got = all_states(damaged, &ended_with);
        BOOST_REQUIRE(got.size() <= want.size());
        BOOST_TEST(std::equal(got.begin(), got.end(), want.begin()));
        BOOST_TEST((got.size() == want.size() || ended_with.has_value()));
        const auto opened = files::open(damaged);
        if (!opened) continue;
        const auto checked = (*opened)->verify();
        BOOST_REQUIRE(checked);
        // The unused bits of a zstd frame's header and of the table's descriptor.
        BOOST_TEST((has_errors(*checked) || got.size() == want.size()));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_cut_file_is_recovered) {
  const scratch_folder folder;
  for (const char* format : {"tape", "nevrcap"}) {
    const auto path = written(folder, (std::string("cut.") + format).c_str(), false);
    byte_vector bytes = read_file(path);
    bytes.resize(bytes.size() / 2);
    write_file(path, bytes);
    const auto output = folder.path() / (std::string("whole.") + format);
    const auto report = files::recover(path, output);
    BOOST_REQUIRE_MESSAGE(report, (report ? "" : describe(report.error())));
    BOOST_TEST(report->ticks > 0u);
    BOOST_TEST(!report->lost.empty());
    const capture_content read = read_capture(output);
    BOOST_TEST(read.ticks.size() == report->ticks);
    BOOST_TEST(!has_errors(read.checked));
  }
}

#ifndef _WIN32
BOOST_AUTO_TEST_CASE(an_output_may_have_any_name) {
  const scratch_folder folder;
  const auto source = written(folder, "match.tape", false);
  for (const char* name : {"a\xFF.echoreplay", "a\xFF.tape", "-x.nevrcap", "\x1B[31m.tape"}) {
    const auto report = files::convert(source, folder.path() / name);
    BOOST_REQUIRE_MESSAGE(report, (report ? "" : describe(report.error())));
    BOOST_TEST(all_ticks(folder.path() / name).size() == report->ticks);
  }
}

namespace {

// The published schema of version 2, as far as the writer uses it. Contents of events are checked as bytes.
constexpr const char* tape_schema = R"(syntax = "proto3";
message Time { int64 seconds = 1; int32 nanos = 2; }
message PlayerInfo { int32 slot = 1; uint64 account_number = 2; string display_name = 3; int32 role = 4;
  int32 jersey_number = 5; int32 level = 6; }
message Skeleton { uint32 bone_count = 1; uint32 transform_stride = 2; uint32 orientation_stride = 3; }
message ArenaHeader { string session_id = 1; string map_name = 2; int32 match_type = 3; string client_name = 4;
  bool private_match = 5; bool tournament_match = 6; int32 total_round_count = 7;
  repeated PlayerInfo initial_roster = 8; Skeleton skeleton = 9; string session_ip = 10;
  string rules_changed_by = 11; uint64 rules_changed_at = 12; repeated string team_names = 13; }
message Header { string capture_id = 1; Time created_at = 2; uint32 format_version = 3; uint32 minor = 5;
  uint32 frame_encoding = 7; string game_type = 8; string producer = 9; ArenaHeader echo_arena = 10; }
message Vec3 { float x = 1; float y = 2; float z = 3; }
message Quat { float x = 1; float y = 2; float z = 3; float w = 4; }
message Pose { Vec3 position = 1; Quat orientation = 2; }
message Disc { Pose pose = 1; Vec3 velocity = 2; uint32 bounce_count = 3; }
message PlayerState { int32 slot = 1; Pose head = 2; Pose body = 3; Pose left_hand = 4; Pose right_hand = 5;
  Vec3 velocity = 6; uint32 flags = 7; uint32 ping = 8; float packet_loss_ratio = 9; float possession_time = 10; }
message Bones { int32 slot = 1; bytes transforms = 2; bytes orientations = 3; }
message Event { oneof what { bytes e10 = 10; bytes e11 = 11; bytes e12 = 12; bytes e13 = 13; bytes e14 = 14;
  bytes e15 = 15; bytes e20 = 20; bytes e21 = 21; bytes e22 = 22; bytes e23 = 23; bytes e24 = 24; bytes e25 = 25;
  bytes e26 = 26; bytes e30 = 30; bytes e31 = 31; bytes e32 = 32; bytes e40 = 40; bytes e41 = 41; bytes e50 = 50;
  bytes e51 = 51; bytes e52 = 52; bytes e53 = 53; bytes e54 = 54; bytes e55 = 55; bytes e56 = 56; bytes e57 = 57;
  bytes e58 = 58; } }
message PauseDetail { int32 a = 1; int32 b = 2; float c = 3; float d = 4; }
message ArenaFrame { int32 game_status = 1; float game_clock = 2; int32 pause_state = 3; Disc disc = 4;
  repeated PlayerState players = 5; repeated Bones player_bones = 6; optional int32 disc_holder_slot = 7;
  Pose vr_root = 8; int32 blue_points = 9; int32 orange_points = 10; int32 round_number = 11;
  repeated Event events = 12; float s1 = 14; float s2 = 15; float s3 = 16; float s4 = 17; int32 err_code = 18;
  bool r1 = 19; bool r2 = 20; PauseDetail pause_detail = 21; }
message Frame { uint32 frame_index = 1; uint32 timestamp_offset_ms = 2; bool is_keyframe = 3; ArenaFrame echo_arena = 10; }
message Keyframe { uint32 frame = 1; uint64 byte_offset = 2; }
message EventIndex { int32 type = 1; repeated uint32 frames = 2; }
message Footer { uint32 frame_count = 1; uint32 duration_ms = 2; uint64 footer_offset = 3;
  repeated Keyframe keyframe_index = 4; repeated EventIndex event_index = 5; }
message Envelope { oneof content { Header header = 1; Frame frame = 2; Footer footer = 3; } }
)";

// The number after the key at or after `at`, which moves behind it.
double number_after(const std::string& text, std::string_view key, std::size_t& at) {
  at = text.find(key, at);
  BOOST_REQUIRE(at != std::string::npos);
  at += key.size();
  return std::stod(text.substr(at, 40));
}

}  // namespace

BOOST_AUTO_TEST_CASE(protoc_decodes_every_record_of_a_written_tape) {
  if (std::system("command -v protoc > /dev/null 2>&1") != 0) {
    std::cout << "ABSENT: protoc: the comparison with it is left out\n";
    return;
  }
  const scratch_folder folder;
  write_file(folder / "tape.proto", as_bytes(tape_schema));
  write_match(folder.path() / "match.echoreplay");
  files::convert_options options;
  options.range.to = files::moment::at_tick(5);
  const auto path = folder.path() / "match.tape";
  BOOST_REQUIRE(files::convert(folder.path() / "match.echoreplay", path, options));
  const auto ticks = all_ticks(path);
  const byte_vector bytes = read_file(path);
  auto reader = tape::record_reader::open(
      [&](std::uint64_t offset, std::size_t count) -> result<byte_span> {
        if (offset >= bytes.size()) return byte_span{};
        const byte_span rest = byte_span(bytes).subspan(static_cast<std::size_t>(offset));
        return rest.first(std::min(count, rest.size()));
      },
      bytes.size());
  BOOST_REQUIRE(reader);
  std::size_t records = 0;
  std::size_t frames = 0;
  byte_span record;
  for (auto more = reader->next(record); more && *more; more = reader->next(record), ++records) {
    write_file(folder / "record", record);
    const std::string command = "cd '" + folder.path().string() +
                                "' && protoc --decode=Envelope tape.proto < record > text 2> errors";
    BOOST_REQUIRE_MESSAGE(std::system(command.c_str()) == 0, "record " << records);
    const byte_vector text_bytes = read_file(folder.path() / "text");
    const std::string text(as_text(text_bytes));
    // A field that the schema lacks is printed by its number.
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t first = line.find_first_not_of(' ');
      BOOST_TEST((first == std::string::npos || std::isdigit(static_cast<unsigned char>(line[first])) == 0),
                 line);
    }
    if (!text.starts_with("frame {")) continue;
    BOOST_REQUIRE(frames < ticks.size());
    const echo::state& tick = ticks[frames++];
    std::size_t at = 0;
    BOOST_TEST(static_cast<float>(number_after(text, "game_clock: ", at)) == tick.match.game_clock);
    for (std::size_t i = 0; i < tick.match.player_count; ++i) {
      at = text.find("players {", at);
      BOOST_REQUIRE(at != std::string::npos);
      at = text.find("position {", at);
      BOOST_TEST(static_cast<float>(number_after(text, "x: ", at)) == tick.players[i].head.position.x);
      BOOST_TEST(static_cast<float>(number_after(text, "y: ", at)) == tick.players[i].head.position.y);
    }
  }
  BOOST_TEST(frames == ticks.size());
  BOOST_TEST(records == ticks.size() + 2);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
