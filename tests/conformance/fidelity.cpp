#include "fidelity.hpp"

#include <array>
#include <cctype>
#include <map>

#include "field_judge.hpp"

namespace tickreel::conformance {
namespace {

namespace model = butter_model;

class session_judge : public field_judge {
 public:
  session_judge(const butter::encoder_options& options, const echo::state& first, echo::mode mode,
                const model::frame* before, const model::frame& got, const echo::state& wanted)
      : field_judge(options, mode, before, got, wanted), first_(first) {}

  void judge() {
    exact("recorded_time", got_.recorded_time_ms, wanted_.recorded_time_ms);
    judge_head();
    judge_status();
    judge_pause();
    judge_score_and_throw();
    judge_poses();
    judge_combat_and_rules();
  }

 private:
  using session = echo::session;

  bool has(session::field field) const { return (wanted_.match.fields & field) != 0; }

  void judge_head() {
    const session& at_first = first_.match;
    const session& wanted = wanted_.match;
    name("client_name", got_.client_name, at_first.client_name.view());
    if (has(session::has_sessionid) && wanted.sessionid.view().size() == 36) {
      std::string upper(wanted.sessionid.view());
      std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
      exact("sessionid", got_.sessionid, upper);
    }
    static constexpr std::array<std::string_view, 7> maps{
        "mpl_lobby_b2",     "mpl_arena_a",      "mpl_combat_fission", "mpl_combat_combustion",
        "mpl_combat_dyson", "mpl_combat_gauss", "mpl_tutorial_arena"};
    const std::string_view map = wanted.map_name.view();
    exact("map_name", got_.map_name,
          std::ranges::find(maps, map) != maps.end() ? map : std::string_view("uncoded"));
    exact("private_match", got_.private_match, at_first.private_match);
    clamped("total_round_count", got_.total_round_count, at_first.total_round_count, 255);
    clamped("blue_round_score", got_.blue_round_score, std::min(at_first.blue_round_score, 15), 15);
    clamped("orange_round_score", got_.orange_round_score, std::min(at_first.orange_round_score, 15), 15);
    // A difference in single precision is rounded relative to its own magnitude.
    const double clock_way = double{wanted.game_clock} - (before_ ? double{before_->game_clock} : 0.0);
    near("game_clock", got_.game_clock, wanted.game_clock,
         std::max(std::fabs(clock_way), std::fabs(double{wanted.game_clock})) * 1.2e-7);
  }

  void judge_status() {
    const session& wanted = wanted_.match;
    static constexpr std::array<std::string_view, 10> statuses{
        "",           "pre_match",  "round_start",      "playing",      "score",
        "round_over", "post_match", "pre_sudden_death", "sudden_death", "post_sudden_death"};
    const std::string_view status = wanted.game_status.view();
    const bool known = has(session::has_game_status) && std::ranges::find(statuses, status) != statuses.end();
    exact("game_status", got_.game_status.value_or("null"), known ? status : std::string_view("NOT FOUND"));
    if (mode_ == echo::mode::arena) {
      clamped("blue_points", std::llround(got_.blue_points), std::llround(wanted.blue_points), 255);
      clamped("orange_points", std::llround(got_.orange_points), std::llround(wanted.orange_points), 255);
    } else if (mode_ == echo::mode::combat) {
      near_half("blue_points", got_.blue_points, wanted.blue_points);
      near_half("orange_points", got_.orange_points, wanted.orange_points);
    }
    exact("left_shoulder_pressed", got_.left_shoulder_pressed, wanted.left_shoulder_pressed != 0);
    exact("right_shoulder_pressed", got_.right_shoulder_pressed, wanted.right_shoulder_pressed != 0);
    exact("left_shoulder_pressed2", got_.left_shoulder_pressed2, wanted.left_shoulder_pressed2 != 0);
    exact("right_shoulder_pressed2", got_.right_shoulder_pressed2, wanted.right_shoulder_pressed2 != 0);
  }

  static std::string_view team_word(std::string_view text) {
    return text == "blue" || text == "orange" || text == "spectator" ? text : "none";
  }

  void judge_pause() {
    const session& wanted = wanted_.match;
    exact("blue_team_restart_request", got_.blue_team_restart_request, wanted.blue_team_restart_request);
    exact("orange_team_restart_request", got_.orange_team_restart_request,
          wanted.orange_team_restart_request);
    if (!got_.pause) return complain("pause: null");
    if (!has(session::has_pause)) return;
    static constexpr std::array<std::string_view, 5> states{"unpaused", "paused", "unpausing", "pausing",
                                                            "none"};
    const std::string_view state = wanted.pause.state.view();
    const bool known = std::ranges::find(states, state) != states.end();
    exact("pause.paused_state", got_.pause->paused_state, known ? state : std::string_view("NOT FOUND"));
    exact("pause.unpaused_team", got_.pause->unpaused_team, team_word(wanted.pause.unpaused_team.view()));
    exact("pause.paused_requested_team", got_.pause->paused_requested_team,
          team_word(wanted.pause.paused_requested_team.view()));
    near_half("pause.paused_timer", got_.pause->paused_timer, wanted.pause.paused_timer);
    near_half("pause.unpaused_timer", got_.pause->unpaused_timer, wanted.pause.unpaused_timer);
  }

  void judge_score_and_throw() {
    if (mode_ != echo::mode::arena) {
      if (got_.last_score) complain("last_score: something outside arena");
    } else if (has(session::has_last_score) && !got_.last_score) {
      complain("last_score: null");
    } else if (has(session::has_last_score)) {
      judge_last_score(*got_.last_score, wanted_.match.last_score);
    }
    if (!got_.last_throw) return complain("last_throw: null");
    if (!has(session::has_last_throw)) return;
    const model::last_throw& got = *got_.last_throw;
    const echo::last_throw& wanted = wanted_.match.last_throw;
    near_half("last_throw.arm_speed", got.arm_speed, wanted.arm_speed);
    near_half("last_throw.total_speed", got.total_speed, wanted.total_speed);
    near_half("last_throw.off_axis_spin_deg", got.off_axis_spin_deg, wanted.off_axis_spin_deg);
    near_half("last_throw.wrist_throw_penalty", got.wrist_throw_penalty, wanted.wrist_throw_penalty);
    near_half("last_throw.rot_per_sec", got.rot_per_sec, wanted.rot_per_sec);
    near_half("last_throw.pot_speed_from_rot", got.pot_speed_from_rot, wanted.pot_speed_from_rot);
    near_half("last_throw.speed_from_arm", got.speed_from_arm, wanted.speed_from_arm);
    near_half("last_throw.speed_from_movement", got.speed_from_movement, wanted.speed_from_movement);
    near_half("last_throw.speed_from_wrist", got.speed_from_wrist, wanted.speed_from_wrist);
    near_half("last_throw.wrist_align_to_throw_deg", got.wrist_align_to_throw_deg,
              wanted.wrist_align_to_throw_deg);
    near_half("last_throw.throw_align_to_movement_deg", got.throw_align_to_movement_deg,
              wanted.throw_align_to_movement_deg);
    near_half("last_throw.off_axis_penalty", got.off_axis_penalty, wanted.off_axis_penalty);
    near_half("last_throw.throw_move_penalty", got.throw_move_penalty, wanted.throw_move_penalty);
  }

  void judge_last_score(const model::last_score& got, const echo::last_score& wanted) {
    static constexpr std::array<std::string_view, 8> goals{"BOUNCE SHOT", "INSIDE SHOT", "LONG BOUNCE SHOT",
                                                           "LONG SHOT",   "SELF GOAL",   "SLAM DUNK",
                                                           "BUMPER SHOT", "HEADBUTT"};
    const std::string_view goal = wanted.goal_type.view();
    const bool known = std::ranges::find(goals, goal) != goals.end();
    exact("last_score.team", got.team, team_word(wanted.team.view()));
    exact("last_score.goal_type", got.goal_type, known ? goal : std::string_view("unknown"));
    exact("last_score.point_amount", got.point_amount, wanted.point_amount == 2 ? 2 : 3);
    scorer("last_score.person_scored", got.person_scored, wanted.person_scored.view());
    scorer("last_score.assist_scored", got.assist_scored, wanted.assist_scored.view());
    near_half("last_score.disc_speed", got.disc_speed, wanted.disc_speed);
    near_half("last_score.distance_thrown", got.distance_thrown, wanted.distance_thrown);
  }
  // A player who never was in the file cannot be named, and no player means index 0.
  void scorer(std::string_view what, const std::string& got, std::string_view wanted) {
    if (wanted.empty() && got == "[INVALID]") return;
    const bool here =
        std::ranges::any_of(wanted_.players.begin(), wanted_.players.begin() + wanted_.match.player_count,
                            [&](const echo::player& player) { return player.name.view() == wanted; });
    if (here || got != "[INVALID]") name(what, got, wanted);
  }

  void judge_poses() {
    if (!got_.player) {
      complain("player: null");
    } else if (has(session::has_player)) {
      const model::vec3 base = before_ && before_->player ? before_->player->vr_position : model::vec3{};
      position("player.vr_position", got_.player->vr_position, wanted_.match.vr.at.position, base);
      rotation("player.vr", got_.player->vr_forward, got_.player->vr_left, got_.player->vr_up,
               wanted_.match.vr.at);
    }
    if (mode_ != echo::mode::arena) {
      if (got_.disc) complain("disc: something outside arena");
    } else if (has(session::has_disc) && !got_.disc) {
      complain("disc: null");
    } else if (has(session::has_disc)) {
      const model::disc base = before_ && before_->disc ? *before_->disc : model::disc{};
      const echo::disc_state& wanted = wanted_.match.disc;
      position("disc.position", got_.disc->position, wanted.at.position, base.position);
      velocity("disc.velocity", got_.disc->velocity, wanted.velocity, base.velocity);
      rotation("disc", got_.disc->forward, got_.disc->left, got_.disc->up, wanted.at);
    }
  }

  void judge_combat_and_rules() {
    const session& wanted = wanted_.match;
    if (mode_ == echo::mode::combat) {
      exact("contested", got_.contested, wanted.contested);
      clamped("payload_checkpoint", got_.payload_checkpoint, wanted.payload.checkpoint, 255);
      clamped("payload_defenders", got_.payload_defenders, wanted.payload.defenders, 255);
      near_half("payload_distance", got_.payload_distance, wanted.payload.distance);
      near_half("payload_speed", got_.payload_speed, wanted.payload.speed);
    }
    if (mode_ == echo::mode::arena && wanted.private_match && has(session::has_rules_changed_at)) {
      exact("rules_changed_at", got_.rules_changed_at, wanted.rules_changed_at);
      name("rules_changed_by", got_.rules_changed_by.value_or("null"), wanted.rules_changed_by.view());
    }
  }

  const echo::state& first_;
};

}  // namespace

fidelity_judge::fidelity_judge(const butter::encoder_options& options, const echo::state& first)
    : options_(options), first_(first), mode_(echo::mode_of(first.match.map_name.view())) {}

std::vector<std::string> fidelity_judge::judge(const model::frame& got, bool keyframe,
                                               const echo::state& wanted) {
  const model::frame* before = has_before_ && !keyframe ? &before_ : nullptr;
  session_judge judge(options_, first_, mode_, before, got, wanted);
  judge.judge();
  std::vector<std::string> complaints = std::move(judge.complaints);
  const std::vector<std::string> of_players = judge_players(options_, mode_, before, got, wanted);
  complaints.insert(complaints.end(), of_players.begin(), of_players.end());
  before_ = got;
  has_before_ = true;
  return complaints;
}

std::vector<std::string> fidelity_judge::judge_head(const model::file_head& got,
                                                    std::span<const echo::state> wanted) const {
  std::vector<std::string> complaints;
  const auto is_byte = [](std::int32_t value) { return value >= 0 && value <= 255; };
  // The game returns 0 for both during a player's first ticks, so the last values count.
  std::map<std::pair<std::int64_t, std::string>, const echo::player*> last_seen;
  for (const echo::state& tick : wanted) {
    for (std::size_t p = 0; p < tick.match.player_count; ++p) {
      const echo::player& player = tick.players[p];
      last_seen[{static_cast<std::int64_t>(player.userid), std::string(player.name.view())}] = &player;
    }
  }
  for (const auto& seen : last_seen) {
    const std::int64_t userid = seen.first.first;
    const std::string& name = seen.first.second;
    const echo::player* player = seen.second;
    if (!is_ascii(name)) continue;
    const auto entry = std::ranges::find_if(got.players, [&](const model::table_player& candidate) {
      return candidate.userid == userid && candidate.name == name;
    });
    if (entry == got.players.end()) {
      complaints.push_back(fmt::format("no table entry for {} {}", userid, name));
    } else if (is_byte(player->number) && is_byte(player->level) &&
               (entry->number != player->number || entry->level != player->level)) {
      complaints.push_back(fmt::format("{}: number {} and level {}, not {} and {}", name, entry->number,
                                       entry->level, player->number, player->level));
    }
  }
  return complaints;
}

}  // namespace tickreel::conformance
