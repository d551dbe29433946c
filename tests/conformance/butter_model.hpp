// The reference program's view of a .butter file: a second reader, written from the description of the format alone, that shares
// nothing with the library. It reproduces that program's float arithmetic and its defects, failures included, so that it can
// check the files that we write and the frames that we read.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tickreel/bytes/span.hpp"

namespace tickreel::butter_model {

struct vec3 {
  float x = 0, y = 0, z = 0;
};

struct quat {
  float x = 0, y = 0, z = 0, w = 1;
};

// The frame as the reference program stores it; a missing optional is its null.

struct transform {
  std::optional<vec3> pos;       // hands
  std::optional<vec3> position;  // head and body
  vec3 forward, left, up;
};

struct stats {
  float possession_time = 0;
  std::int64_t points = 0, saves = 0, goals = 0, stuns = 0, passes = 0, catches = 0, steals = 0, blocks = 0,
               interceptions = 0, assists = 0, shots_taken = 0;
};

struct player {
  std::optional<std::string> weapon, ordnance, tac_mod, arm;
  transform head, body, lhand, rhand;
  std::int64_t userid = 0, playerid = 0, number = 0, level = 0, ping = 0;
  std::string name;
  float packetlossratio = 0;
  bool stunned = false, invulnerable = false, blocking = false, is_emote_playing = false, possession = false;
  std::optional<std::string> holding_left, holding_right;
  vec3 velocity;
  std::optional<butter_model::stats> stats;
};

struct team {
  std::vector<player> players;
  bool possession = false;
  butter_model::stats stats;
};

struct disc {
  vec3 position, forward, left, up, velocity;
  std::int64_t bounce_count = 0;
};

struct last_throw {
  float arm_speed = 0, rot_per_sec = 0, pot_speed_from_rot = 0, total_speed = 0, speed_from_arm = 0,
        speed_from_wrist = 0, speed_from_movement = 0, off_axis_spin_deg = 0, wrist_align_to_throw_deg = 0,
        throw_align_to_movement_deg = 0, off_axis_penalty = 0, wrist_throw_penalty = 0,
        throw_move_penalty = 0;
};

struct vr_player {
  vec3 vr_left, vr_position, vr_forward, vr_up;
};

struct pause {
  std::string paused_state, unpaused_team, paused_requested_team;
  float unpaused_timer = 0, paused_timer = 0;
};

struct last_score {
  float disc_speed = 0, distance_thrown = 0;
  std::string team, goal_type, person_scored, assist_scored;
  std::int64_t point_amount = 0;
};

struct user_bones {
  std::vector<float> bone_o, bone_t;  // 23 × (x, y, z, w) and 23 × (x, y, z)
};

struct bones {
  std::optional<std::vector<butter_model::user_bones>> user_bones;
  std::int64_t error_code = 0;
};

struct frame {
  std::int64_t recorded_time_ms = 0;
  std::optional<butter_model::disc> disc;
  std::optional<butter_model::last_throw> last_throw;
  std::optional<vr_player> player;
  std::optional<butter_model::pause> pause;
  std::optional<butter_model::last_score> last_score;
  std::vector<team> teams;
  std::string sessionid, sessionip, client_name, match_type, map_name, game_clock_display;
  std::optional<std::string> game_status, rules_changed_by;
  std::int64_t rules_changed_at = 0, blue_round_score = 0, orange_round_score = 0, total_round_count = 0;
  std::int64_t payload_checkpoint = 0, payload_defenders = 0;
  float game_clock = 0, blue_points = 0, orange_points = 0;
  float payload_multiplier = 0, payload_distance = 0, payload_speed = 0;
  bool private_match = false, contested = false;
  bool blue_team_restart_request = false, orange_team_restart_request = false;
  bool left_shoulder_pressed = false, right_shoulder_pressed = false, left_shoulder_pressed2 = false,
       right_shoulder_pressed2 = false;
  std::optional<butter_model::bones> bones;
};

// Why the reference program would throw. It then returns nothing of the file, however many frames it had read.
enum class failure : std::uint8_t {
  null_reference,       // a frame refers to something that the previous frame lacks
  out_of_range,         // an index beyond a table or list
  frame_magic,          // neither FC FE nor FE FE at the start of a frame
  end_of_data,          // the file or a chunk ends inside an element
  zstd_switched_off,    // version 3 with a zstd compression byte
  unknown_compression,  // 7 or more
  corrupt_chunk,        // the decompressor reports an error
  long_name,            // a text of 1024 bytes or more
};

class decoder_exception : public std::runtime_error {
 public:
  decoder_exception(failure kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
  [[nodiscard]] failure kind() const noexcept { return kind_; }

 private:
  failure kind_;
};

struct table_player {
  std::string name;
  std::int64_t userid = 0, number = 0, level = 0;
};

struct file_head {
  std::uint8_t version = 0;
  std::uint16_t keyframe_interval_ticks = 0;
  std::uint8_t compression = 0;
  std::string client_name, session_id, session_ip;
  std::vector<table_player> players;
  std::uint8_t total_round_count = 0, round_scores = 0, map_byte = 0;
  std::vector<std::uint32_t> chunk_sizes;
  std::size_t first_chunk_offset = 0;
};

// The position of a frame.
struct frame_place {
  std::size_t chunk = 0;
  std::size_t offset = 0;  // in the decompressed chunk
  std::size_t bytes = 0;
  bool keyframe = false;
};

struct model_options {
  // The published program cannot read zstd in version 3. Off: without this restriction.
  bool zstd_switched_off = true;
};

using frame_receiver = std::function<void(const frame&, const frame_place&)>;

// Every frame of the file, in order. An empty file and an unknown version give no frame. Throws decoder_exception where the
// reference program throws, after it has returned the frames before.
file_head decode(byte_span file, const frame_receiver& receive, const model_options& options = {});

std::vector<frame> decode_all(byte_span file, const model_options& options = {});

}  // namespace tickreel::butter_model
