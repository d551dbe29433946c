// Fields of version 2 that its reader and its writer share.
#pragma once

#include "messages.hpp"

namespace tickreel::tape {

// EchoArenaHeader, without its lists.
using arena_header_fields = message_table<
    message_field<1, &echo::session::sessionid>, message_field<2, &echo::session::map_name>,
    message_field<4, &echo::session::client_name>, message_field<5, &echo::session::private_match>,
    message_field<6, &echo::session::tournament_match>, message_field<7, &echo::session::total_round_count>,
    message_field<10, &echo::session::sessionip>,
    message_field<11, &echo::session::rules_changed_by, echo::session::has_rules_changed_by>,
    message_field<12, &echo::session::rules_changed_at, echo::session::has_rules_changed_at>>;

// EchoArenaFrame, without its messages.
using frame_fields = message_table<
    message_field<2, &echo::session::game_clock>, message_field<14, &echo::session::left_shoulder_pressed>,
    message_field<15, &echo::session::right_shoulder_pressed>,
    message_field<16, &echo::session::left_shoulder_pressed2>,
    message_field<17, &echo::session::right_shoulder_pressed2>, message_field<18, &echo::session::err_code>,
    message_field<19, &echo::session::blue_team_restart_request>,
    message_field<20, &echo::session::orange_team_restart_request>>;

using payload_fields = message_table<
    message_field<1, &echo::payload_state::multiplier>, message_field<2, &echo::payload_state::checkpoint>,
    message_field<3, &echo::payload_state::distance>, message_field<4, &echo::payload_state::defenders>,
    message_field<5, &echo::payload_state::speed>>;

// PlayerInfo and player_joined.
using joined_fields =
    message_table<message_field<1, &slot_memory::slot>, message_field<2, &slot_memory::userid>,
                  message_field<3, &slot_memory::name>, message_field<4, &slot_memory::role>,
                  message_field<5, &slot_memory::number>, message_field<6, &slot_memory::level>>;
using loadout_fields =
    message_table<message_field<2, &slot_memory::weapon>, message_field<3, &slot_memory::ordnance>,
                  message_field<4, &slot_memory::tac_mod>>;
using info_fields =
    message_table<message_field<1, &slot_memory::slot>, message_field<2, &slot_memory::number>,
                  message_field<3, &slot_memory::level>>;

// goal_scored, without its numbers of texts.
using goal_fields = message_table<
    message_field<1, &echo::last_score::disc_speed>, message_field<4, &echo::last_score::point_amount>,
    message_field<5, &echo::last_score::distance_thrown>, message_field<8, &echo::last_score::person_scored>,
    message_field<9, &echo::last_score::assist_scored>>;

// PlayerState.flags
enum player_flag : std::uint32_t {
  flag_stunned = 1,
  flag_invulnerable = 2,
  flag_blocking = 4,
  flag_possession = 8,
  flag_emote = 16,
  flag_team_shift = 5,
};

enum class role : std::uint8_t { none, blue, orange, spectator };

struct event_number {
  std::uint32_t field;
  event_type type;
};
// The fields of EchoEvent.
inline constexpr event_number event_numbers[] = {
    {10, event_type::round_started},        {11, event_type::round_paused},
    {12, event_type::round_unpaused},       {13, event_type::round_ended},
    {14, event_type::match_ended},          {15, event_type::scoreboard_updated},
    {20, event_type::player_joined},        {21, event_type::player_left},
    {22, event_type::player_switched_team}, {23, event_type::emote_played},
    {24, event_type::loadout_changed},      {25, event_type::grab_changed},
    {26, event_type::player_info_updated},  {30, event_type::disc_possession_changed},
    {31, event_type::disc_thrown},          {32, event_type::disc_caught},
    {40, event_type::goal_scored},          {41, event_type::player_goal},
    {50, event_type::player_save},          {51, event_type::player_stun},
    {52, event_type::player_pass},          {53, event_type::player_steal},
    {54, event_type::player_block},         {55, event_type::player_interception},
    {56, event_type::player_assist},        {57, event_type::player_shot_taken},
    {58, event_type::player_stats_updated}, {60, event_type::generic_event}};

inline std::optional<event_type> type_of_event(std::uint32_t field) noexcept {
  for (const event_number& each : event_numbers) {
    if (each.field == field) return each.type;
  }
  return std::nullopt;
}
inline std::uint32_t field_of_event(event_type type) noexcept {
  for (const event_number& each : event_numbers) {
    if (each.type == type) return each.field;
  }
  return 0;
}

// Whether a match type has that part between underscores, in any case.
inline bool has_part(std::string_view match_type, std::string_view part) noexcept {
  const auto same = [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
  };
  while (!match_type.empty()) {
    const std::size_t end = (std::min)(match_type.find('_'), match_type.size());
    const std::string_view one = match_type.substr(0, end);
    if (one.size() == part.size() && std::equal(one.begin(), one.end(), part.begin(), same)) return true;
    match_type.remove_prefix((std::min)(end + 1, match_type.size()));
  }
  return false;
}

// PlayerInfo and player_joined.
void read_joined(byte_span message, std::vector<slot_memory>& slots, reading& with);
// "blue", "orange", or `none` for any other role.
std::string_view role_text(std::uint64_t role, std::string_view none, reading& with) noexcept;
// One event: changes the constants of later frames, or the state of slots.
void read_event_content(const wire_field& event, echo::session& base, std::vector<slot_memory>& slots,
                        reading& with);

void add(echo::stats& to, const echo::stats& from) noexcept;

}  // namespace tickreel::tape
