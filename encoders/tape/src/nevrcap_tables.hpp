// Fields of version 1 that its reader and its writer share.
#pragma once

#include "messages.hpp"

namespace tickreel::tape::nevrcap {

using session_fields = message_table<
    message_field<1, &echo::session::orange_team_restart_request>,
    message_field<2, &echo::session::sessionid>, message_field<3, &echo::session::game_clock_display>,
    message_field<4, &echo::session::game_status>, message_field<5, &echo::session::sessionip>,
    message_field<6, &echo::session::match_type>, message_field<7, &echo::session::map_name>,
    message_field<11, &echo::session::blue_round_score>, message_field<12, &echo::session::orange_points>,
    message_field<14, &echo::session::private_match>,
    message_field<15, &echo::session::blue_team_restart_request>,
    message_field<16, &echo::session::tournament_match>,
    message_field<17, &echo::session::orange_round_score>,
    message_field<18, &echo::session::total_round_count>, message_field<19, &echo::session::blue_points>,
    message_field<24, &echo::session::left_shoulder_pressed>,
    message_field<25, &echo::session::right_shoulder_pressed>,
    message_field<26, &echo::session::left_shoulder_pressed2>,
    message_field<27, &echo::session::right_shoulder_pressed2>,
    message_field<28, &echo::session::rules_changed_by, echo::session::has_rules_changed_by>,
    message_field<29, &echo::session::rules_changed_at, echo::session::has_rules_changed_at>,
    message_field<30, &echo::session::client_name>, message_field<39, &echo::session::game_clock>,
    message_field<40, &echo::session::err_code>>;

using payload = echo::payload_state;
using reply_payload_fields =
    message_table<message_field<34, &payload::multiplier>, message_field<35, &payload::checkpoint>,
                  message_field<36, &payload::distance>, message_field<37, &payload::defenders>,
                  message_field<38, &payload::speed>>;

using score_fields = message_table<
    message_field<1, &echo::last_score::disc_speed>, message_field<2, &echo::last_score::team>,
    message_field<3, &echo::last_score::goal_type>, message_field<4, &echo::last_score::point_amount>,
    message_field<5, &echo::last_score::distance_thrown>, message_field<6, &echo::last_score::person_scored>,
    message_field<7, &echo::last_score::assist_scored>>;

using pause_fields = message_table<
    message_field<1, &echo::pause_state::state>, message_field<2, &echo::pause_state::unpaused_team>,
    message_field<3, &echo::pause_state::paused_requested_team>,
    message_field<4, &echo::pause_state::unpaused_timer>, message_field<5, &echo::pause_state::paused_timer>>;

using player_fields = message_table<
    message_field<1, &echo::player::weapon, echo::player::has_weapon>,
    message_field<2, &echo::player::ordnance, echo::player::has_ordnance>,
    message_field<3, &echo::player::tac_mod, echo::player::has_tac_mod>,
    message_field<7, &echo::player::userid>, message_field<8, &echo::player::name, echo::player::has_name>,
    message_field<9, &echo::player::playerid>, message_field<10, &echo::player::number>,
    message_field<11, &echo::player::level>, message_field<12, &echo::player::ping>,
    message_field<13, &echo::player::packetlossratio>, message_field<14, &echo::player::stunned>,
    message_field<15, &echo::player::invulnerable>, message_field<18, &echo::player::blocking>,
    message_field<19, &echo::player::is_emote_playing>, message_field<20, &echo::player::possession>>;

using possession_time_field = message_field<1, &echo::stats::possession_time>;

// The numbers of a pose's four lists differ by message.
struct pose_numbers {
  std::uint32_t position, forward, left, up;
};
constexpr pose_numbers body_numbers{2, 3, 4, 5};
constexpr pose_numbers hand_numbers{1, 3, 4, 5};
constexpr pose_numbers disc_numbers{1, 2, 3, 4};
constexpr pose_numbers headset_numbers{2, 3, 1, 4};

}  // namespace tickreel::tape::nevrcap
