// One tick of an Echo VR match: everything in /session and /player_bones. Trivially copyable, no heap.
//
// Absent is not zero: older builds, other modes and error replies omit fields, and an absent field must stay
// absent. `session::fields` and the `fields` of the parts mark present fields; a field whose bit is
// clear has its default.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace tickreel::echo {

// Players over all teams: the game's servers hold 15; community servers are built for 16.
inline constexpr std::size_t max_players = 32;
inline constexpr std::size_t max_teams = 3;
inline constexpr std::size_t bone_count = 23;

// Short text in place, UTF-8, not terminated. Longer text is truncated at a character boundary.
template <std::size_t Capacity>
struct text {
  static_assert(Capacity < 256);
  static constexpr std::uint16_t capacity = Capacity;
  std::uint8_t length = 0;
  char data[Capacity] = {};

  text() noexcept = default;
  explicit text(std::string_view value) noexcept { (void)assign(value); }

  [[nodiscard]] std::string_view view() const noexcept { return {data, length}; }
  [[nodiscard]] bool empty() const noexcept { return length == 0; }
  // False if `value` was truncated.
  bool assign(std::string_view value) noexcept {
    std::size_t size = (std::min)(value.size(), Capacity);
    const bool whole = size == value.size();
    if (!whole) {
      while (size > 0 && (static_cast<unsigned char>(value[size]) & 0xC0u) == 0x80u) --size;
    }
    std::memset(data, 0, Capacity);
    if (size != 0) std::memcpy(data, value.data(), size);  // an empty view may have a null address
    length = static_cast<std::uint8_t>(size);
    return whole;
  }
  friend bool operator==(const text& a, const text& b) noexcept { return a.view() == b.view(); }
};

struct vec3 {
  float x = 0, y = 0, z = 0;
  friend bool operator==(const vec3&, const vec3&) = default;
};

struct quat {
  float x = 0, y = 0, z = 0, w = 1;
  friend bool operator==(const quat&, const quat&) = default;
};

// A position and the three axes of a direction. Metres; y up; +z toward the orange goal.
struct pose {
  enum field : std::uint8_t { has_position = 1, has_forward = 2, has_left = 4, has_up = 8, has_all = 15 };
  vec3 position;
  vec3 forward;
  vec3 left;
  vec3 up;
  std::uint8_t fields = 0;
  friend bool operator==(const pose&, const pose&) = default;
};

struct disc_state {
  pose at;
  vec3 velocity;
  std::int32_t bounce_count = 0;
};

// The local headset in its play space (the API's `player`).
struct vr_player {
  pose at;  // vr_position, vr_forward, vr_left, vr_up
};

struct pause_state {
  text<24> state;          // unpaused, paused_requested, paused, unpausing, none
  text<12> unpaused_team;  // blue, orange, none
  text<12> paused_requested_team;
  float paused_timer = 0;  // seconds
  float unpaused_timer = 0;
};

struct last_score {
  float disc_speed = 0;       // metres per second
  float distance_thrown = 0;  // metres
  std::int32_t point_amount = 0;
  text<12> team;
  text<32> goal_type;
  text<64> person_scored;
  text<64> assist_scored;
};

// Names as in the API, in the order of .butter files.
struct last_throw {
  float arm_speed = 0;
  float total_speed = 0;
  float off_axis_spin_deg = 0;
  float wrist_throw_penalty = 0;
  float rot_per_sec = 0;
  float pot_speed_from_rot = 0;
  float speed_from_arm = 0;
  float speed_from_movement = 0;
  float speed_from_wrist = 0;
  float wrist_align_to_throw_deg = 0;
  float throw_align_to_movement_deg = 0;
  float off_axis_penalty = 0;
  float throw_move_penalty = 0;
  friend bool operator==(const last_throw&, const last_throw&) = default;
};

struct stats {
  float possession_time = 0;  // seconds
  std::int32_t points = 0;
  std::int32_t saves = 0;
  std::int32_t goals = 0;
  std::int32_t stuns = 0;
  std::int32_t passes = 0;
  std::int32_t catches = 0;
  std::int32_t steals = 0;
  std::int32_t blocks = 0;
  std::int32_t interceptions = 0;
  std::int32_t assists = 0;
  std::int32_t shots_taken = 0;
  friend bool operator==(const stats&, const stats&) = default;
};

// Combat's payload, in either form of the API (see session::nested_payload).
struct payload_state {
  enum field : std::uint8_t {
    has_pos = 1,
    has_checkpoint = 2,
    has_distance = 4,
    has_speed = 8,
    has_defenders = 16,
    has_multiplier = 32,
    has_attackers = 64,
  };
  vec3 pos;
  std::int32_t checkpoint = 0;
  float distance = 0;
  float speed = 0;
  std::int32_t defenders = 0;
  float multiplier = 0;
  std::int32_t attackers = 0;
  std::uint8_t fields = 0;
};

// The content of a hand: `none`, `geo`, `disc`, absent, or a player's slot.
struct holding {
  enum kind : std::uint8_t { absent, none, geo, disc, player, other };
  kind what = absent;
  std::int32_t playerid = 0;  // for player
  text<16> word;              // for other: an unknown text
  friend bool operator==(const holding& a, const holding& b) noexcept {
    return a.what == b.what && (a.what != player || a.playerid == b.playerid) &&
           (a.what != other || a.word == b.word);
  }
};

struct player {
  enum field : std::uint32_t {
    has_name = 1u << 0,
    has_playerid = 1u << 1,
    has_userid = 1u << 2,
    has_number = 1u << 3,
    has_level = 1u << 4,
    has_ping = 1u << 5,
    has_packetlossratio = 1u << 6,
    has_stunned = 1u << 7,
    has_invulnerable = 1u << 8,
    has_blocking = 1u << 9,
    has_possession = 1u << 10,
    has_is_emote_playing = 1u << 11,
    has_velocity = 1u << 12,
    has_head = 1u << 13,
    has_body = 1u << 14,
    has_lhand = 1u << 15,
    has_rhand = 1u << 16,
    has_stats = 1u << 17,
    has_weapon = 1u << 18,
    has_ordnance = 1u << 19,
    has_tac_mod = 1u << 20,
    has_arm = 1u << 21,
    // Position and axes were directly in the player and the hands were bare positions (builds of 2018). Here
    // they are in `head`, and in lhand.position and rhand.position.
    shape_of_2018 = 1u << 31,
  };

  std::uint32_t fields = 0;
  std::int32_t playerid = 0;  // the slot
  std::uint64_t userid = 0;
  std::int32_t number = 0;
  std::int32_t level = 0;
  std::int32_t ping = 0;  // milliseconds
  float packetlossratio = 0;
  vec3 velocity;  // metres per second
  pose head;
  pose body;
  pose lhand;
  pose rhand;
  echo::stats stats;
  holding holding_left;
  holding holding_right;
  bool stunned = false;
  bool invulnerable = false;
  bool blocking = false;
  bool possession = false;
  bool is_emote_playing = false;
  text<64> name;
  text<16> weapon;
  text<16> ordnance;
  text<16> tac_mod;
  text<16> arm;
};

struct team {
  enum field : std::uint8_t { has_name = 1, has_possession = 2, has_stats = 4, has_players = 8 };
  std::uint8_t fields = 0;
  bool possession = false;
  std::uint8_t player_count = 0;
  text<64> name;
  echo::stats stats;
};

struct session {
  enum field : std::uint64_t {
    has_sessionid = 1ull << 0,
    has_sessionip = 1ull << 1,
    has_client_name = 1ull << 2,
    has_match_type = 1ull << 3,
    has_map_name = 1ull << 4,
    has_private_match = 1ull << 5,
    has_tournament_match = 1ull << 6,
    has_game_status = 1ull << 7,
    has_game_clock = 1ull << 8,
    has_game_clock_display = 1ull << 9,
    has_blue_points = 1ull << 10,
    has_orange_points = 1ull << 11,
    has_blue_round_score = 1ull << 12,
    has_orange_round_score = 1ull << 13,
    has_total_round_count = 1ull << 14,
    has_blue_team_restart_request = 1ull << 15,
    has_orange_team_restart_request = 1ull << 16,
    has_possession = 1ull << 17,
    has_left_shoulder_pressed = 1ull << 18,
    has_right_shoulder_pressed = 1ull << 19,
    has_left_shoulder_pressed2 = 1ull << 20,
    has_right_shoulder_pressed2 = 1ull << 21,
    has_rules_changed_by = 1ull << 22,
    has_rules_changed_at = 1ull << 23,
    has_err_code = 1ull << 24,
    has_err_description = 1ull << 25,
    has_disc = 1ull << 26,
    has_player = 1ull << 27,
    has_pause = 1ull << 28,
    has_last_score = 1ull << 29,
    has_last_throw = 1ull << 30,
    has_teams = 1ull << 31,
    has_contested = 1ull << 32,
    has_payload = 1ull << 33,
    has_overtime_timer = 1ull << 34,
    has_game_timer = 1ull << 35,
    has_disc_velocity = 1ull << 36,
    has_disc_bounce_count = 1ull << 37,
    // The payload was a separate object, as since 2025, and not flat payload_* fields.
    nested_payload = 1ull << 62,
  };

  std::uint64_t fields = 0;
  text<40> sessionid;
  text<48> sessionip;
  text<64> client_name;
  text<40> match_type;
  text<40> map_name;
  text<24> game_status;
  text<16> game_clock_display;
  text<64> rules_changed_by;
  text<96> err_description;
  std::int64_t rules_changed_at = 0;
  std::int32_t err_code = 0;
  float game_clock = 0;   // seconds left
  float blue_points = 0;  // whole in arena, progress in combat
  float orange_points = 0;
  std::int32_t blue_round_score = 0;
  std::int32_t orange_round_score = 0;
  std::int32_t total_round_count = 0;
  std::int32_t possession[2] = {-1, -1};  // team, player
  float left_shoulder_pressed = 0;        // 0 to 1
  float right_shoulder_pressed = 0;
  float left_shoulder_pressed2 = 0;
  float right_shoulder_pressed2 = 0;
  float overtime_timer = 0;
  float game_timer = 0;
  bool private_match = false;
  bool tournament_match = false;
  bool blue_team_restart_request = false;
  bool orange_team_restart_request = false;
  bool contested = false;
  disc_state disc;
  vr_player vr;
  pause_state pause;
  echo::last_score last_score;
  echo::last_throw last_throw;
  payload_state payload;
  std::uint8_t team_count = 0;    // 3 in every known build
  std::uint8_t player_count = 0;  // over all teams
  team teams[max_teams];
};

struct bone_player {
  std::int32_t playerid = -1;                // the slot; -1 if the build does not supply it
  std::array<vec3, bone_count> positions{};  // relative to the body
  std::array<quat, bone_count> rotations{};
};

enum class bones_kind : std::uint8_t {
  absent,        // not requested, or no response
  without_list,  // a response without user_bones, as between rounds
  present,       // user_bones is present, possibly empty
};

// The whole tick. `players` contains the players of team 0, then those of team 1, then of team 2.
struct state {
  std::int64_t recorded_time_ms = 0;  // since 1970-01-01, in the recorder's time zone (UTC for Tickreel)
  session match;
  bones_kind bones = bones_kind::absent;
  std::uint8_t bone_player_count = 0;
  std::array<player, max_players> players{};
  std::array<bone_player, max_players> bone_players{};
};

static_assert(std::is_trivially_copyable_v<state>);

enum class mode : std::uint8_t { other, arena, combat };

// arena: mpl_arena_a. combat: the four mpl_combat_* maps. Everything else is a lobby, a tutorial or unknown.
[[nodiscard]] mode mode_of(std::string_view map_name) noexcept;

// Copies only the players and bones in use; later bytes of `to` stay unchanged. Fast enough for a wait-free
// push: 9 players without bones are 7 kB of the 38 kB.
void copy_state(state& to, const state& from) noexcept;

// Index into `players` of the first player of `team_index`.
[[nodiscard]] std::size_t first_player(const session& match, std::size_t team_index) noexcept;

}  // namespace tickreel::echo
