#include <cstdlib>

#include "field_judge.hpp"

namespace tickreel::conformance {
namespace {

namespace model = butter_model;

class players_judge : public field_judge {
 public:
  using field_judge::field_judge;

  void judge() {
    judge_teams();
    judge_bones();
  }

 private:
  void counters(std::string_view what, const model::stats& got, const echo::stats& wanted) {
    const auto part = [&](std::string_view field, std::int64_t value, std::int64_t aim,
                          std::int64_t highest = 255) {
      clamped(fmt::format("{}.{}", what, field), value, aim, highest);
    };
    part("points", got.points, wanted.points);
    part("saves", got.saves, wanted.saves);
    part("goals", got.goals, wanted.goals);
    part("stuns", got.stuns, wanted.stuns, 65535);
    part("passes", got.passes, wanted.passes);
    part("catches", got.catches, wanted.catches);
    part("steals", got.steals, wanted.steals);
    part("blocks", got.blocks, wanted.blocks);
    part("interceptions", got.interceptions, wanted.interceptions);
    part("assists", got.assists, wanted.assists);
    part("shots_taken", got.shots_taken, wanted.shots_taken);
  }

  void judge_teams() {
    exact("teams", got_.teams.size(), 3u);
    for (std::size_t t = 0; t < 3 && t < got_.teams.size(); ++t) {
      const echo::team& wanted = wanted_.match.teams[t];
      const model::team& got = got_.teams[t];
      const std::string what = fmt::format("teams[{}]", t);
      const std::size_t count = t < wanted_.match.team_count ? wanted.player_count : 0u;
      exact(what + ".players", got.players.size(), count);
      if (t < 2) exact(what + ".possession", got.possession, wanted.possession);
      if ((wanted.fields & echo::team::has_stats) != 0) {
        counters(what + ".stats", got.stats, wanted.stats);
        near_half(what + ".stats.possession_time", got.stats.possession_time, wanted.stats.possession_time,
                  double{options_.hold.possession_time_s});
      }
      const std::size_t first = echo::first_player(wanted_.match, t);
      for (std::size_t p = 0; p < std::min(count, got.players.size()); ++p) {
        player(fmt::format("{}.players[{}]", what, p), got.players[p], wanted_.players[first + p]);
      }
    }
  }

  const model::player* player_before(std::int64_t userid) const {
    if (!before_) return nullptr;
    for (const model::team& team : before_->teams) {
      for (const model::player& player : team.players) {
        if (player.userid == userid) return &player;
      }
    }
    return nullptr;
  }

  void player(const std::string& what, const model::player& got, const echo::player& wanted) {
    const auto has = [&](echo::player::field field) { return (wanted.fields & field) != 0; };
    const model::player* before = player_before(got.userid);
    name(what + ".name", got.name, wanted.name.view());
    exact(what + ".userid", got.userid, static_cast<std::int64_t>(wanted.userid));
    if (wanted.playerid >= 0 && wanted.playerid <= 255)
      exact(what + ".playerid", got.playerid, wanted.playerid);
    exact(what + ".possession", got.possession, wanted.possession);
    exact(what + ".blocking", got.blocking, wanted.blocking);
    exact(what + ".stunned", got.stunned, wanted.stunned);
    exact(what + ".invulnerable", got.invulnerable, wanted.invulnerable);
    exact(what + ".is_emote_playing", got.is_emote_playing, wanted.is_emote_playing);
    if (has(echo::player::has_stats)) {
      if (got.stats) {
        const double base_time = before && before->stats ? double{before->stats->possession_time} : 0.0;
        counters(what + ".stats", *got.stats, wanted.stats);
        held_or_half(what + ".stats.possession_time", got.stats->possession_time,
                     wanted.stats.possession_time, base_time, double{options_.hold.possession_time_s});
      } else if (!(wanted.stats == echo::stats{})) {
        complain(what + ".stats: null");
      }
    }
    // Differences of 16 bits.
    const std::int64_t ping_way = wanted.ping - (before ? before->ping : 0);
    if (std::abs(ping_way) <= 32767) exact(what + ".ping", got.ping, wanted.ping);
    held_or_half(what + ".packetlossratio", got.packetlossratio, wanted.packetlossratio,
                 before ? double{before->packetlossratio} : 0.0, double{options_.hold.packet_loss});
    if (mode_ == echo::mode::arena) {
      hand(what + ".holding_left", got.holding_left, wanted.holding_left);
      hand(what + ".holding_right", got.holding_right, wanted.holding_right);
    }
    if (has(echo::player::has_velocity)) {
      velocity(what + ".velocity", got.velocity, wanted.velocity, before ? before->velocity : model::vec3{});
    }
    const auto part = [&](const char* field, const model::transform& transform, const model::transform* old,
                          const echo::pose& pose, std::optional<model::vec3> model::transform::* place) {
      const model::vec3 base = old && old->*place ? *(old->*place) : model::vec3{};
      if (!(transform.*place)) return complain(fmt::format("{}.{}: no place", what, field));
      if ((pose.fields & echo::pose::has_position) != 0) {
        position(fmt::format("{}.{}", what, field), *(transform.*place), pose.position, base);
      }
      rotation(fmt::format("{}.{}.rotation", what, field), transform.forward, transform.left, transform.up,
               pose);
    };
    part("head", got.head, before ? &before->head : nullptr, wanted.head, &model::transform::position);
    if (has(echo::player::has_body)) {
      part("body", got.body, before ? &before->body : nullptr, wanted.body, &model::transform::position);
    }
    part("lhand", got.lhand, before ? &before->lhand : nullptr, wanted.lhand, &model::transform::pos);
    part("rhand", got.rhand, before ? &before->rhand : nullptr, wanted.rhand, &model::transform::pos);
    if (mode_ == echo::mode::combat) {
      loadout(what + ".Weapon", got.weapon, wanted.weapon.view(), {"rocket", "blaster", "scout", "assault"});
      loadout(what + ".Ordnance", got.ordnance, wanted.ordnance.view(), {"stun", "det", "burst", "arc"});
      loadout(what + ".TacMod", got.tac_mod, wanted.tac_mod.view(), {"sensor", "wraith", "heal", "shield"});
      loadout(what + ".Arm", got.arm, wanted.arm.view(), {"Left", "Right"});
    }
  }

  void hand(const std::string& what, const std::optional<std::string>& got, const echo::holding& wanted) {
    switch (wanted.what) {
      case echo::holding::absent:
        return exact(what, got.value_or("null"), "null");
      case echo::holding::none:
        return exact(what, got.value_or("null"), "none");
      case echo::holding::geo:
        return exact(what, got.value_or("null"), "geo");
      case echo::holding::disc:
        return exact(what, got.value_or("null"), "disc");
      case echo::holding::player:
        if (wanted.playerid >= 0 && wanted.playerid < 252) {
          exact(what, got.value_or("null"), std::to_string(wanted.playerid));
        }
        return;
      case echo::holding::other:
        return;
    }
  }

  void loadout(const std::string& what, const std::optional<std::string>& got, std::string_view wanted,
               std::initializer_list<std::string_view> known) {
    if (std::ranges::find(known, wanted) != known.end()) exact(what, got.value_or("null"), wanted);
  }

  void judge_bones() {
    if (!options_.bones || wanted_.bones == echo::bones_kind::absent) {
      if (got_.bones) complain("bones: something, not null");
      return;
    }
    if (!got_.bones || !got_.bones->user_bones) {
      if (wanted_.bones == echo::bones_kind::present) complain("bones: null");
      return;
    }
    const std::vector<model::user_bones>& got = *got_.bones->user_bones;
    exact("bones", got.size(), std::size_t{wanted_.bone_player_count});
    for (std::size_t i = 0; i < std::min<std::size_t>(got.size(), wanted_.bone_player_count); ++i) {
      bones_of_player(fmt::format("bones[{}]", i), got[i], wanted_.bone_players[i]);
    }
  }

  void bones_of_player(const std::string& what, const model::user_bones& got,
                       const echo::bone_player& wanted) {
    const butter::tolerances& hold = options_.hold;
    const double place_limit =
        std::max(double{hold.bone_position_m}, std::sqrt(3.0) * hold.bone_even_steps_limit *
                                                   std::max(double{hold.bone_position_step_m}, 1.0 / 4096));
    const double coarse = hold.bone_rotation_coarse_axes;
    const double codes =
        std::sqrt(coarse * hold.even_codes_limit * hold.even_codes_limit + (3 - coarse) * 0.25);
    const double turn_limit = std::max(double{hold.bone_rotation_deg}, 2 * packed_step_deg * codes);
    for (std::size_t b = 0; b < echo::bone_count; ++b) {
      const float* t = &got.bone_t[3 * b];
      const double3 aim = to_double(wanted.positions[b]);
      // Beyond two metres the format cannot store positions.
      if (std::ranges::all_of(aim, [](double c) { return c >= -2 && c <= 1.9997; })) {
        const double error = length(minus(double3{t[0], t[1], t[2]}, aim));
        within(fmt::format("{} position {}", what, b), error, place_limit + 1e-5);
      }
      const float* o = &got.bone_o[4 * b];
      const double4 turned{o[0], o[1], o[2], o[3]};
      const echo::quat& q = wanted.rotations[b];
      const double4 aim_turned{q.x, q.y, q.z, q.w};
      if (length(aim_turned) > 0.5 && length(aim_turned) < 2) {
        within(fmt::format("{} rotation {}", what, b), angle_deg(turned, aim_turned),
               turn_limit + angle_slack_deg);
        near(fmt::format("{} length of rotation {}", what, b), length(turned), 1, 0.01);
      }
    }
  }
};

}  // namespace

std::vector<std::string> judge_players(const butter::encoder_options& options, echo::mode mode,
                                       const model::frame* before, const model::frame& got,
                                       const echo::state& wanted) {
  players_judge judge(options, mode, before, got, wanted);
  judge.judge();
  return std::move(judge.complaints);
}

}  // namespace tickreel::conformance
