#include "frame_model.hpp"

#include <array>

#include "frame_texts.hpp"

namespace tickreel::butter_model {
namespace {

[[noreturn]] void fail_on_null(const char* what) {
  throw decoder_exception(failure::null_reference, what);
}

// Reads one frame. `prev` is null at a keyframe.
class frame_reader {
 public:
  frame_reader(const file_head& head, const frame* before, byte_source& in, frame& out)
      : head_(head), prev_(before), in_(in), out_(out) {}

  bool read() {
    const std::uint16_t magic = in_.u16();
    if (magic != 0xFEFC && magic != 0xFEFE) {
      throw decoder_exception(failure::frame_magic, "no frame begins with " + std::to_string(magic));
    }
    const bool keyframe = magic == 0xFEFC;
    if (keyframe) {
      prev_ = nullptr;
      out_.recorded_time_ms = in_.i64();
    } else {
      const std::uint16_t elapsed_ms = in_.u16();
      if (!prev_) fail_on_null("a difference with no frame before it");
      out_.recorded_time_ms = prev_->recorded_time_ms + elapsed_ms;
    }
    copy_from_head();
    const float clock_difference = in_.f32();
    out_.game_clock = (prev_ ? prev_->game_clock : 0.0f) + clock_difference;
    out_.game_clock_display = clock_text(out_.game_clock);
    const unsigned included = in_.u8();
    if (head_.version == 3) {
      read_parts(included);
    } else {
      read_old_parts(included);
    }
    read_teams();
    read_bones(head_.version, prev_, in_, out_.bones);
    return keyframe;
  }

 private:
  void copy_from_head() {
    out_.client_name = head_.client_name;
    out_.sessionid = head_.session_id;
    out_.sessionip = head_.session_ip;
    out_.total_round_count = head_.total_round_count;
    out_.blue_round_score = head_.round_scores & 15;
    out_.orange_round_score = head_.round_scores >> 4;
    out_.private_match = (head_.map_byte & 1) != 0;
    out_.map_name = map_name_of(head_.map_byte);
    mode_ = mode_of_map(out_.map_name);
    out_.match_type = match_type_of(mode_, out_.private_match);
  }

  void read_parts(unsigned included) {
    if (bit(included, 0)) {
      read_status();
      if (mode_ == game_mode::arena) {
        read_arena_points();
      } else if (mode_ == game_mode::combat) {
        out_.blue_points = in_.half();
        out_.orange_points = in_.half();
      }
      read_inputs();
    } else {
      keep_status();
      keep_inputs();
      // Combat points become 0 here: the reference program copies another field.
      if (mode_ == game_mode::arena) keep_points();
    }
    if (bit(included, 1)) {
      const unsigned flags = in_.u8();
      read_pause(flags, pause_text(in_.u8()));
    } else {
      keep_pause();
    }
    bit(included, 2) ? read_last_score() : keep(&frame::last_score);
    bit(included, 3) ? read_last_throw() : keep_last_throw();
    bit(included, 4) ? read_vr_player() : keep_vr_player();
    bit(included, 5) ? read_disc() : keep(&frame::disc);
    if (bit(included, 6)) {
      out_.contested = in_.u8() != 0;
      out_.payload_checkpoint = in_.u8();
      out_.payload_defenders = in_.u8();
      out_.payload_distance = in_.half();
      out_.payload_speed = in_.half();
    } else if (prev_) {
      out_.contested = prev_->contested;
      out_.payload_checkpoint = prev_->payload_checkpoint;
      out_.payload_defenders = prev_->payload_defenders;
      out_.payload_distance = prev_->payload_distance;
      out_.payload_speed = prev_->payload_speed;
    }
    if (bit(included, 7)) {
      out_.rules_changed_at = in_.i64();
      out_.rules_changed_by = in_.text();
    } else if (prev_) {
      out_.rules_changed_at = prev_->rules_changed_at;
      out_.rules_changed_by = prev_->rules_changed_by;
    }
  }

  // Versions 1 and 2.
  void read_old_parts(unsigned included) {
    if (bit(included, 0)) {
      read_status();
    } else if (mode_ != game_mode::combat) {
      keep_status();
    }
    bit(included, 1) ? read_arena_points() : keep_points_if_any();
    if (bit(included, 2)) {
      const unsigned flags = in_.u8();
      read_pause(flags, pause_text(static_cast<std::uint8_t>(flags >> 6)));
    } else {
      keep_pause();
    }
    bit(included, 3) ? read_inputs() : keep_inputs();
    bit(included, 4) ? read_last_score() : keep(&frame::last_score);
    bit(included, 5) ? read_last_throw() : keep_last_throw();
    bit(included, 6) ? read_vr_player() : keep_vr_player();
    bit(included, 7) ? read_disc() : keep(&frame::disc);
  }

  template <class Member>
  void keep(Member member) {
    if (prev_) out_.*member = prev_->*member;
  }

  void read_status() { out_.game_status = status_text(in_.u8()); }
  void keep_status() {
    if (!prev_) fail_on_null("status");
    out_.game_status = prev_->game_status;
  }

  void read_arena_points() {
    out_.blue_points = in_.u8();
    out_.orange_points = in_.u8();
  }
  void keep_points() {
    if (!prev_) fail_on_null("points");
    keep_points_if_any();
  }
  void keep_points_if_any() {
    keep(&frame::blue_points);
    keep(&frame::orange_points);
  }

  void read_inputs() {
    const unsigned inputs = in_.u8();
    out_.left_shoulder_pressed = bit(inputs, 0);
    out_.right_shoulder_pressed = bit(inputs, 1);
    out_.left_shoulder_pressed2 = bit(inputs, 2);
    out_.right_shoulder_pressed2 = bit(inputs, 3);
  }
  void keep_inputs() {
    if (!prev_) fail_on_null("inputs");
    keep(&frame::left_shoulder_pressed);
    keep(&frame::right_shoulder_pressed);
    keep(&frame::left_shoulder_pressed2);
    keep(&frame::right_shoulder_pressed2);
  }

  void read_pause(unsigned flags, const std::string& state) {
    pause& read = out_.pause.emplace();
    out_.blue_team_restart_request = bit(flags, 0);
    out_.orange_team_restart_request = bit(flags, 1);
    read.paused_requested_team = team_text(flags >> 2);
    read.unpaused_team = team_text(flags >> 4);
    read.paused_state = state;
    read.paused_timer = in_.half();
    read.unpaused_timer = in_.half();
  }
  // Both restart requests become false.
  void keep_pause() {
    if (!prev_) fail_on_null("pause");
    keep(&frame::pause);
  }

  const table_player& table_entry(unsigned index) const {
    static const table_player invalid{"[INVALID]", 0, -1, -1};
    if (index == 0) return invalid;
    if (index > head_.players.size()) {
      throw decoder_exception(failure::out_of_range, "player " + std::to_string(index));
    }
    return head_.players[index - 1];
  }

  void read_last_score() {
    last_score& read = out_.last_score.emplace();
    const unsigned flags = in_.u8();
    read.team = team_text(flags);
    read.point_amount = bit(flags, 2) ? 3 : 2;
    read.goal_type = goal_text(flags >> 3);
    read.person_scored = table_entry(in_.u8()).name;
    read.assist_scored = table_entry(in_.u8()).name;
    read.disc_speed = in_.half();
    read.distance_thrown = in_.half();
  }

  void read_last_throw() {
    last_throw& read = out_.last_throw.emplace();
    read.arm_speed = in_.half();
    read.total_speed = in_.half();
    read.off_axis_spin_deg = in_.half();
    read.wrist_throw_penalty = in_.half();
    read.rot_per_sec = in_.half();
    read.pot_speed_from_rot = in_.half();
    read.speed_from_arm = in_.half();
    read.speed_from_movement = in_.half();
    read.speed_from_wrist = in_.half();
    read.wrist_align_to_throw_deg = in_.half();
    read.throw_align_to_movement_deg = in_.half();
    read.off_axis_penalty = in_.half();
    read.throw_move_penalty = in_.half();
  }
  void keep_last_throw() {
    if (!prev_) fail_on_null("last throw");
    keep(&frame::last_throw);
  }

  void read_vr_player() {
    const vec3 base = prev_ && prev_->player ? prev_->player->vr_position : vec3{};
    vr_player& read = out_.player.emplace();
    read.vr_position = add(base, in_.half3());
    const axes turned = axes_of(in_.s3());
    read.vr_forward = turned.forward;
    read.vr_left = turned.left;
    read.vr_up = turned.up;
  }
  void keep_vr_player() {
    if (!prev_ || !prev_->player) fail_on_null("VR player");
    out_.player = prev_->player;
  }

  void read_disc() {
    const disc base = prev_ && prev_->disc ? *prev_->disc : disc{};
    disc& read = out_.disc.emplace();
    read.position = add(base.position, in_.half3());
    const axes turned = axes_of(in_.s3());
    read.forward = turned.forward;
    read.left = turned.left;
    read.up = turned.up;
    read.velocity = add(base.velocity, in_.half3());
  }

  void read_stats(stats& out, const stats& base) {
    out.assists = base.assists + in_.u8();
    out.blocks = base.blocks + in_.u8();
    out.catches = base.catches + in_.u8();
    out.goals = base.goals + in_.u8();
    out.interceptions = base.interceptions + in_.u8();
    out.passes = base.passes + in_.u8();
    out.points = base.points + in_.u8();
    out.saves = base.saves + in_.u8();
    out.steals = base.steals + in_.u8();
    out.shots_taken = base.shots_taken + in_.u8();
    out.possession_time = base.possession_time + in_.half();
    out.stuns = base.stuns + in_.u16();
  }

  void read_teams() {
    const unsigned mask = in_.u8();
    out_.teams.resize(3);
    for (int i = 0; i < 3; ++i) {
      team& read = out_.teams[static_cast<std::size_t>(i)];
      read.possession = i < 2 && bit(mask, i);
      // Stored as a difference, but read as an absolute value.
      if (bit(mask, 2 + i)) {
        read_stats(read.stats, {});
      } else if (prev_) {
        read.stats = prev_->teams[static_cast<std::size_t>(i)].stats;
      }
      const unsigned count = in_.u8();
      for (unsigned p = 0; p < count; ++p) read_player(read.players.emplace_back());
    }
  }

  const player* same_player_before(std::int64_t userid) const {
    if (!prev_) return nullptr;
    for (const team& team : prev_->teams) {
      for (const player& candidate : team.players) {
        if (candidate.userid == userid) return &candidate;
      }
    }
    return nullptr;
  }

  void read_player(player& read) {
    const table_player& entry = table_entry(in_.u8());
    read.name = entry.name;
    read.userid = entry.userid;
    read.number = entry.number;
    read.level = entry.level;
    read.playerid = in_.u8();
    const player* old = same_player_before(read.userid);

    const unsigned state = in_.u8();
    read.possession = bit(state, 0);
    read.blocking = bit(state, 1);
    read.stunned = bit(state, 2);
    read.invulnerable = bit(state, 3);
    const bool version_3 = head_.version == 3;
    if (version_3) read.is_emote_playing = bit(state, 4);

    if (bit(state, version_3 ? 5 : 4)) {
      read.stats.emplace();
      read_stats(*read.stats, old && old->stats ? *old->stats : stats{});
    } else if (old) {
      read.stats = old->stats;
    }
    read_network_and_hands(state, read, old);
    if (bit(state, 7)) {
      read.velocity = add(old ? old->velocity : vec3{}, in_.half3());
    } else if (old) {
      read.velocity = old->velocity;
    }
    read_poses(read, old);
    if (mode_ == game_mode::combat && head_.version >= 2) read_loadout(read);
  }

  void read_network_and_hands(unsigned state, player& read, const player* old) {
    const bool version_3 = head_.version == 3;
    if (bit(state, version_3 ? 6 : 5)) {
      const int ping_difference = head_.version == 1 ? int{in_.u16()} : int{in_.i16()};
      read.ping = (old ? old->ping : 0) + ping_difference;
      read.packetlossratio = (old ? old->packetlossratio : 0.0f) + in_.half();
    } else {
      if (!old) fail_on_null("ping");
      read.ping = old->ping;
      read.packetlossratio = old->packetlossratio;
    }
    const bool stores_hands =
        version_3 ? mode_ == game_mode::arena : head_.version == 1 || mode_ != game_mode::combat;
    if (!stores_hands) return;
    if (bit(state, 6)) {
      read.holding_left = holding_text(in_.u8());
      read.holding_right = holding_text(in_.u8());
    } else {
      if (!old) fail_on_null("hands");
      read.holding_left = old->holding_left;
      read.holding_right = old->holding_right;
    }
  }

  void read_poses(player& read, const player* old) {
    const unsigned mask = in_.u8();
    read_transform(read.head, old ? &old->head : nullptr, mask, &transform::position, true);
    read_transform(read.body, old ? &old->body : nullptr, mask >> 2, &transform::position, false);
    read_transform(read.lhand, old ? &old->lhand : nullptr, mask >> 4, &transform::pos, false);
    read_transform(read.rhand, old ? &old->rhand : nullptr, mask >> 6, &transform::pos, false);
  }

  void read_transform(transform& read, const transform* old, unsigned mask,
                      std::optional<vec3> transform::* place, bool needs_old_place) {
    const vec3 base = old && old->*place ? *(old->*place) : vec3{};
    if (bit(mask, 0)) {
      read.*place = add(base, in_.half3());
    } else {
      if (needs_old_place && !old) fail_on_null("head");
      read.*place = base;
    }
    if (!bit(mask, 1) && old) {
      read.forward = old->forward;
      read.left = old->left;
      read.up = old->up;
      return;
    }
    if (!bit(mask, 1) && prev_) fail_on_null("rotation");
    const axes turned = axes_of(bit(mask, 1) ? in_.s3() : quat{});
    read.forward = turned.forward;
    read.left = turned.left;
    read.up = turned.up;
  }

  void read_loadout(player& read) {
    static constexpr std::array weapons{"rocket", "blaster", "scout", "assault"};
    static constexpr std::array ordnances{"stun", "det", "burst", "arc"};
    static constexpr std::array tac_mods{"sensor", "wraith", "heal", "shield"};
    const unsigned loadout = in_.u8();
    read.weapon = weapons[loadout & 3u];
    read.ordnance = ordnances[loadout >> 2 & 3u];
    read.tac_mod = tac_mods[loadout >> 4 & 3u];
    read.arm = bit(loadout, 6) ? "Right" : "Left";
  }

  const file_head& head_;
  const frame* prev_;
  byte_source& in_;
  frame& out_;
  game_mode mode_ = game_mode::other;
};

}  // namespace

bool read_frame(const file_head& head, const frame* before, byte_source& in, frame& out) {
  out = {};
  return frame_reader(head, before, in, out).read();
}

}  // namespace tickreel::butter_model
