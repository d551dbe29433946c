#include <charconv>

#include "answer_reader.hpp"

namespace tickreel::echo {

namespace {

// A value with a presence bit.
template <auto Member, auto Bit, class Target>
bool field(answer_reader& reader, member& from, Target& to) {
  if (!reader.take(from, to.*Member)) return false;
  to.fields |= static_cast<decltype(to.fields)>(Bit);
  return true;
}

// A value without one.
template <auto Member, class Target>
bool plain(answer_reader& reader, member& from, Target& to) {
  return reader.take(from, to.*Member);
}

constexpr auto pose_keys = make_key_table<pose>({
    {"position", field<&pose::position, pose::has_position>},
    {"pos", field<&pose::position, pose::has_position>},
    {"forward", field<&pose::forward, pose::has_forward>},
    {"left", field<&pose::left, pose::has_left>},
    {"up", field<&pose::up, pose::has_up>},
});

constexpr auto vr_player_keys = make_key_table<pose>({
    {"vr_left", field<&pose::left, pose::has_left>},
    {"vr_position", field<&pose::position, pose::has_position>},
    {"vr_forward", field<&pose::forward, pose::has_forward>},
    {"vr_up", field<&pose::up, pose::has_up>},
});

constexpr auto stats_keys = make_key_table<stats>({
    {"possession_time", plain<&stats::possession_time>},
    {"points", plain<&stats::points>},
    {"saves", plain<&stats::saves>},
    {"goals", plain<&stats::goals>},
    {"stuns", plain<&stats::stuns>},
    {"passes", plain<&stats::passes>},
    {"catches", plain<&stats::catches>},
    {"steals", plain<&stats::steals>},
    {"blocks", plain<&stats::blocks>},
    {"interceptions", plain<&stats::interceptions>},
    {"assists", plain<&stats::assists>},
    {"shots_taken", plain<&stats::shots_taken>},
});

constexpr auto pause_keys = make_key_table<pause_state>({
    {"paused_state", plain<&pause_state::state>},
    {"unpaused_team", plain<&pause_state::unpaused_team>},
    {"paused_requested_team", plain<&pause_state::paused_requested_team>},
    {"paused_timer", plain<&pause_state::paused_timer>},
    {"unpaused_timer", plain<&pause_state::unpaused_timer>},
});

constexpr auto last_score_keys = make_key_table<last_score>({
    {"disc_speed", plain<&last_score::disc_speed>},
    {"distance_thrown", plain<&last_score::distance_thrown>},
    {"point_amount", plain<&last_score::point_amount>},
    {"team", plain<&last_score::team>},
    {"goal_type", plain<&last_score::goal_type>},
    {"person_scored", plain<&last_score::person_scored>},
    {"assist_scored", plain<&last_score::assist_scored>},
});

constexpr auto last_throw_keys = make_key_table<last_throw>({
    {"arm_speed", plain<&last_throw::arm_speed>},
    {"total_speed", plain<&last_throw::total_speed>},
    {"off_axis_spin_deg", plain<&last_throw::off_axis_spin_deg>},
    {"wrist_throw_penalty", plain<&last_throw::wrist_throw_penalty>},
    {"rot_per_sec", plain<&last_throw::rot_per_sec>},
    {"pot_speed_from_rot", plain<&last_throw::pot_speed_from_rot>},
    {"speed_from_arm", plain<&last_throw::speed_from_arm>},
    {"speed_from_movement", plain<&last_throw::speed_from_movement>},
    {"speed_from_wrist", plain<&last_throw::speed_from_wrist>},
    {"wrist_align_to_throw_deg", plain<&last_throw::wrist_align_to_throw_deg>},
    {"throw_align_to_movement_deg", plain<&last_throw::throw_align_to_movement_deg>},
    {"off_axis_penalty", plain<&last_throw::off_axis_penalty>},
    {"throw_move_penalty", plain<&last_throw::throw_move_penalty>},
});

constexpr auto payload_keys = make_key_table<payload_state>({
    {"pos", field<&payload_state::pos, payload_state::has_pos>},
    {"checkpoint", field<&payload_state::checkpoint, payload_state::has_checkpoint>},
    {"distance", field<&payload_state::distance, payload_state::has_distance>},
    {"speed", field<&payload_state::speed, payload_state::has_speed>},
    {"defenders", field<&payload_state::defenders, payload_state::has_defenders>},
    {"multiplier", field<&payload_state::multiplier, payload_state::has_multiplier>},
    {"attackers", field<&payload_state::attackers, payload_state::has_attackers>},
});

// A whole part without inner bits: starts from its defaults, so that a repeated key has no effect.
template <auto Member, auto Bit, const auto& Keys, class Target>
bool part(answer_reader& reader, member& from, Target& to) {
  std::remove_reference_t<decltype(to.*Member)> read{};
  if (!reader.whole_object(from, Keys, read)) return false;
  to.*Member = read;
  to.fields |= static_cast<decltype(to.fields)>(Bit);
  return true;
}

template <auto Member, auto Bit>
bool pose_of(answer_reader& reader, member& from, player& to) {
  pose read;
  if (!reader.object(from, pose_keys, read)) return false;
  to.*Member = read;
  to.fields |= Bit;
  return true;
}

// The builds of 2018 supply a hand as a bare position.
template <auto Member, auto Bit>
bool hand(answer_reader& reader, member& from, player& to) {
  if (!reader.is_array(from)) return pose_of<Member, Bit>(reader, from, to);
  pose read;
  if (!reader.take(from, read.position)) return false;
  read.fields = pose::has_position;
  to.*Member = read;
  to.fields |= Bit | player::shape_of_2018;
  return true;
}

// The builds of 2018 supply the head's pose directly in the player.
template <auto Member, auto Bit>
bool head_of_2018(answer_reader& reader, member& from, player& to) {
  if (!field<Member, Bit>(reader, from, to.head)) return false;
  to.fields |= player::has_head | player::shape_of_2018;
  return true;
}

template <auto Member>
bool held(answer_reader& reader, member& from, player& to) {
  holding read;
  if (!reader.is_text(from)) {  // a slot as a bare number
    if (!reader.take(from, read.playerid)) return false;
    read.what = holding::player;
    to.*Member = read;
    return true;
  }
  text<64> word;
  if (!reader.take(from, word)) return false;
  const std::string_view holder = word.view();
  if (holder == "none") {
    read.what = holding::none;
  } else if (holder == "geo") {
    read.what = holding::geo;
  } else if (holder == "disc") {
    read.what = holding::disc;
  } else {
    const auto [end, status] = std::from_chars(holder.data(), holder.data() + holder.size(), read.playerid);
    char again[16];
    const auto spelled = std::to_chars(again, again + sizeof again, read.playerid);
    // Only text that would be written the same is a number: not "07" nor "-0".
    if (status == std::errc{} && end == holder.data() + holder.size() &&
        holder == std::string_view(again, static_cast<std::size_t>(spelled.ptr - again))) {
      read.what = holding::player;
    } else {
      read.what = holding::other;
      read.playerid = 0;
      reader.note_replaced(from);
      if (!read.word.assign(holder)) reader.note(omission_kind::cut_text, from);
    }
  }
  to.*Member = read;
  return true;
}

constexpr auto player_keys = make_key_table<player>({
    {"name", field<&player::name, player::has_name>},
    {"rhand", hand<&player::rhand, player::has_rhand>},
    {"playerid", field<&player::playerid, player::has_playerid>},
    {"stats", part<&player::stats, player::has_stats, stats_keys>},
    {"userid", field<&player::userid, player::has_userid>},
    {"is_emote_playing", field<&player::is_emote_playing, player::has_is_emote_playing>},
    {"number", field<&player::number, player::has_number>},
    {"level", field<&player::level, player::has_level>},
    {"stunned", field<&player::stunned, player::has_stunned>},
    {"ping", field<&player::ping, player::has_ping>},
    {"packetlossratio", field<&player::packetlossratio, player::has_packetlossratio>},
    {"invulnerable", field<&player::invulnerable, player::has_invulnerable>},
    {"holding_left", held<&player::holding_left>},
    {"possession", field<&player::possession, player::has_possession>},
    {"head", pose_of<&player::head, player::has_head>},
    {"body", pose_of<&player::body, player::has_body>},
    {"holding_right", held<&player::holding_right>},
    {"lhand", hand<&player::lhand, player::has_lhand>},
    {"blocking", field<&player::blocking, player::has_blocking>},
    {"velocity", field<&player::velocity, player::has_velocity>},
    {"Weapon", field<&player::weapon, player::has_weapon>},
    {"Ordnance", field<&player::ordnance, player::has_ordnance>},
    {"TacMod", field<&player::tac_mod, player::has_tac_mod>},
    {"Arm", field<&player::arm, player::has_arm>},
    {"position", head_of_2018<&pose::position, pose::has_position>},
    {"forward", head_of_2018<&pose::forward, pose::has_forward>},
    {"left", head_of_2018<&pose::left, pose::has_left>},
    {"up", head_of_2018<&pose::up, pose::has_up>},
});

// Players beyond the capacity.
void drop_player(answer_reader& reader, member& element) {
  reader.note(omission_kind::dropped_player, element, reader.naming(element, "name"));
}

// The current team is the last one, so its players are the last ones too.
bool players(answer_reader& reader, member& from, team& to) {
  state& out = reader.out();
  out.match.player_count = static_cast<std::uint8_t>(out.match.player_count - to.player_count);
  to.player_count = 0;
  const bool is_list = reader.array(from, [&](member& element) {
    if (out.match.player_count == max_players) {
      drop_player(reader, element);
      return;
    }
    player& next = out.players[out.match.player_count];
    next = player{};
    if (!reader.object(element, player_keys, next)) return;
    constexpr std::uint8_t axes = pose::has_forward | pose::has_left | pose::has_up;
    if ((next.fields & player::shape_of_2018) && ((next.lhand.fields | next.rhand.fields) & axes)) {
      reader.note(omission_kind::wrong_type, element);  // a mixture of forms cannot be written back
    }
    ++out.match.player_count;
    ++to.player_count;
  });
  if (is_list) to.fields |= team::has_players;
  return is_list;
}

constexpr auto team_keys = make_key_table<team>({
    {"players", players},
    {"team", field<&team::name, team::has_name>},
    {"possession", field<&team::possession, team::has_possession>},
    {"stats", part<&team::stats, team::has_stats, stats_keys>},
});

struct surplus_team {};

bool surplus_players(answer_reader& reader, member& from, surplus_team&) {
  return reader.array(from, [&](member& element) { drop_player(reader, element); });
}

constexpr auto surplus_team_keys = make_key_table<surplus_team>({
    {"players", surplus_players},
    {"team", [](answer_reader&, member&, surplus_team&) { return true; }},
    {"possession", [](answer_reader&, member&, surplus_team&) { return true; }},
    {"stats", [](answer_reader&, member&, surplus_team&) { return true; }},
});

bool teams(answer_reader& reader, member& from, session& to) {
  to.team_count = 0;
  to.player_count = 0;
  const bool is_list = reader.array(from, [&](member& element) {
    if (to.team_count == max_teams) {
      reader.note(omission_kind::unknown_field, element);
      surplus_team ignored;
      reader.object(element, surplus_team_keys, ignored);
      return;
    }
    team& next = to.teams[to.team_count];
    next = team{};
    // Before its fields are read: a team that is not an object still keeps the others in their places.
    ++to.team_count;
    reader.object(element, team_keys, next);
  });
  if (is_list) to.fields |= session::has_teams;
  return is_list;
}

bool disc_velocity(answer_reader& reader, member& from, session& to) {
  if (!reader.take(from, to.disc.velocity)) return false;
  to.fields |= session::has_disc_velocity;
  return true;
}

bool disc_bounce_count(answer_reader& reader, member& from, session& to) {
  if (!reader.take(from, to.disc.bounce_count)) return false;
  to.fields |= session::has_disc_bounce_count;
  return true;
}

template <auto Member, auto Bit>
bool disc_pose(answer_reader& reader, member& from, session& to) {
  return field<Member, Bit>(reader, from, to.disc.at);
}

constexpr auto disc_keys = make_key_table<session>({
    {"position", disc_pose<&pose::position, pose::has_position>},
    {"forward", disc_pose<&pose::forward, pose::has_forward>},
    {"left", disc_pose<&pose::left, pose::has_left>},
    {"up", disc_pose<&pose::up, pose::has_up>},
    {"velocity", disc_velocity},
    {"bounce_count", disc_bounce_count},
});

bool disc(answer_reader& reader, member& from, session& to) {
  if (!reader.object(from, disc_keys, to)) return false;
  to.fields |= session::has_disc;
  return true;
}

bool vr_player_part(answer_reader& reader, member& from, session& to) {
  if (!reader.object(from, vr_player_keys, to.vr.at)) return false;
  to.fields |= session::has_player;
  return true;
}

bool possession(answer_reader& reader, member& from, session& to) {
  std::int32_t pair[2];
  if (!reader.take(from, pair, 2)) return false;
  to.possession[0] = pair[0];
  to.possession[1] = pair[1];
  to.fields |= session::has_possession;
  return true;
}

bool nested_payload(answer_reader& reader, member& from, session& to) {
  if (!reader.object(from, payload_keys, to.payload)) return false;
  to.fields |= session::has_payload | session::nested_payload;
  return true;
}

template <auto Member, auto Bit>
bool flat_payload(answer_reader& reader, member& from, session& to) {
  if (!field<Member, Bit>(reader, from, to.payload)) return false;
  to.fields |= session::has_payload;
  return true;
}

constexpr auto timer_keys = make_key_table<session>({
    {"overtime_timer", field<&session::overtime_timer, session::has_overtime_timer>},
    {"game_timer", field<&session::game_timer, session::has_game_timer>},
});

bool timers(answer_reader& reader, member& from, session& to) {
  return reader.object(from, timer_keys, to);
}

constexpr auto session_keys = make_key_table<session>({
    {"disc", disc},
    {"orange_team_restart_request",
     field<&session::orange_team_restart_request, session::has_orange_team_restart_request>},
    {"sessionid", field<&session::sessionid, session::has_sessionid>},
    {"game_clock_display", field<&session::game_clock_display, session::has_game_clock_display>},
    {"game_status", field<&session::game_status, session::has_game_status>},
    {"sessionip", field<&session::sessionip, session::has_sessionip>},
    {"match_type", field<&session::match_type, session::has_match_type>},
    {"map_name", field<&session::map_name, session::has_map_name>},
    {"right_shoulder_pressed2",
     field<&session::right_shoulder_pressed2, session::has_right_shoulder_pressed2>},
    {"teams", teams},
    {"blue_round_score", field<&session::blue_round_score, session::has_blue_round_score>},
    {"orange_points", field<&session::orange_points, session::has_orange_points>},
    {"player", vr_player_part},
    {"private_match", field<&session::private_match, session::has_private_match>},
    {"blue_team_restart_request",
     field<&session::blue_team_restart_request, session::has_blue_team_restart_request>},
    {"tournament_match", field<&session::tournament_match, session::has_tournament_match>},
    {"orange_round_score", field<&session::orange_round_score, session::has_orange_round_score>},
    {"rules_changed_by", field<&session::rules_changed_by, session::has_rules_changed_by>},
    {"total_round_count", field<&session::total_round_count, session::has_total_round_count>},
    {"left_shoulder_pressed2", field<&session::left_shoulder_pressed2, session::has_left_shoulder_pressed2>},
    {"left_shoulder_pressed", field<&session::left_shoulder_pressed, session::has_left_shoulder_pressed>},
    {"pause", part<&session::pause, session::has_pause, pause_keys>},
    {"right_shoulder_pressed", field<&session::right_shoulder_pressed, session::has_right_shoulder_pressed>},
    {"blue_points", field<&session::blue_points, session::has_blue_points>},
    {"last_throw", part<&session::last_throw, session::has_last_throw, last_throw_keys>},
    {"client_name", field<&session::client_name, session::has_client_name>},
    {"game_clock", field<&session::game_clock, session::has_game_clock>},
    {"possession", possession},
    {"last_score", part<&session::last_score, session::has_last_score, last_score_keys>},
    {"rules_changed_at", field<&session::rules_changed_at, session::has_rules_changed_at>},
    {"err_code", field<&session::err_code, session::has_err_code>},
    {"err_description", field<&session::err_description, session::has_err_description>},
    {"contested", field<&session::contested, session::has_contested>},
    {"payload", nested_payload},
    {"payload_checkpoint", flat_payload<&payload_state::checkpoint, payload_state::has_checkpoint>},
    {"payload_distance", flat_payload<&payload_state::distance, payload_state::has_distance>},
    {"payload_speed", flat_payload<&payload_state::speed, payload_state::has_speed>},
    {"payload_defenders", flat_payload<&payload_state::defenders, payload_state::has_defenders>},
    {"payload_multiplier", flat_payload<&payload_state::multiplier, payload_state::has_multiplier>},
    {"timers", timers},
});

}  // namespace

void read_session(answer_reader& reader, simdjson::ondemand::object& root) noexcept {
  reader.members(root, place{}, session_keys, reader.out().match);
}

}  // namespace tickreel::echo
