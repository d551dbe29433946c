// Version 1: the API's reply, field by field. Numbers are doubles.
//
//   TelemetryHeader         1 capture_id | 2 created_at | 3 metadata
//   LobbySessionStateFrame  1 frame_index | 2 timestamp | 3 events | 4 session | 5 player_bones
#include <bit>
#include <span>

#include "messages.hpp"
#include "tickreel/bytes/varint.hpp"

namespace tickreel::tape {

namespace {




using session_fields = message_table<
    message_field<1, &echo::session::orange_team_restart_request>, message_field<2, &echo::session::sessionid>,
    message_field<3, &echo::session::game_clock_display>, message_field<4, &echo::session::game_status>,
    message_field<5, &echo::session::sessionip>, message_field<6, &echo::session::match_type>,
    message_field<7, &echo::session::map_name>, message_field<11, &echo::session::blue_round_score>,
    message_field<12, &echo::session::orange_points>, message_field<14, &echo::session::private_match>,
    message_field<15, &echo::session::blue_team_restart_request>, message_field<16, &echo::session::tournament_match>,
    message_field<17, &echo::session::orange_round_score>, message_field<18, &echo::session::total_round_count>,
    message_field<19, &echo::session::blue_points>, message_field<24, &echo::session::left_shoulder_pressed>,
    message_field<25, &echo::session::right_shoulder_pressed>, message_field<26, &echo::session::left_shoulder_pressed2>,
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

using score_fields =
    message_table<message_field<1, &echo::last_score::disc_speed>, message_field<2, &echo::last_score::team>,
                  message_field<3, &echo::last_score::goal_type>,
                  message_field<4, &echo::last_score::point_amount>,
                  message_field<5, &echo::last_score::distance_thrown>,
                  message_field<6, &echo::last_score::person_scored>,
                  message_field<7, &echo::last_score::assist_scored>>;

using pause_fields = message_table<message_field<1, &echo::pause_state::state>,
                                   message_field<2, &echo::pause_state::unpaused_team>,
                                   message_field<3, &echo::pause_state::paused_requested_team>,
                                   message_field<4, &echo::pause_state::unpaused_timer>,
                                   message_field<5, &echo::pause_state::paused_timer>>;

using player_fields = message_table<
    message_field<1, &echo::player::weapon, echo::player::has_weapon>,
    message_field<2, &echo::player::ordnance, echo::player::has_ordnance>,
    message_field<3, &echo::player::tac_mod, echo::player::has_tac_mod>, message_field<7, &echo::player::userid>,
    message_field<8, &echo::player::name, echo::player::has_name>, message_field<9, &echo::player::playerid>,
    message_field<10, &echo::player::number>, message_field<11, &echo::player::level>, message_field<12, &echo::player::ping>,
    message_field<13, &echo::player::packetlossratio>, message_field<14, &echo::player::stunned>,
    message_field<15, &echo::player::invulnerable>, message_field<18, &echo::player::blocking>,
    message_field<19, &echo::player::is_emote_playing>, message_field<20, &echo::player::possession>>;

using possession_time_field = message_field<1, &echo::stats::possession_time>;

// A repeated number, packed or not. Values beyond `to` are counted only.
template <class Value>
class number_list {
 public:
  explicit number_list(std::span<float> to) noexcept : to_(to) {}

  void take(const wire_field& from, reading& with) noexcept {
    constexpr wire_type single = sizeof(Value) == 8 ? wire_type::eight_bytes : wire_type::four_bytes;
    if (from.type == single) return put(from.real(), with);
    if (from.type != wire_type::bytes) return;
    if (from.bytes.size() % sizeof(Value) != 0) return with.reject("a list of numbers has an odd length");
    for (std::size_t at = 0; at < from.bytes.size(); at += sizeof(Value)) {
      put(static_cast<float>(detail::load<std::endian::little, Value>(&from.bytes[at])), with);
    }
  }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }

 private:
  void put(float value, reading& with) noexcept {
    if (count_ < to_.size()) to_[count_] = value;
    if (!std::isfinite(value)) ++with.oddities.invalid_values;
    ++count_;
  }

  std::span<float> to_;
  std::size_t count_ = 0;
};

// Whether the list has the three numbers of a vector.
class vector_list {
 public:
  void take(const wire_field& from, reading& with) noexcept { list_.take(from, with); }
  bool give(echo::vec3& to) const noexcept {
    if (list_.count() < 3) return false;
    to = {values_[0], values_[1], values_[2]};
    return true;
  }

 private:
  std::array<float, 3> values_{};
  number_list<double> list_{values_};
};

// The numbers of a pose's four lists differ by message.
struct pose_numbers {
  std::uint32_t position, forward, left, up;
};
constexpr pose_numbers body_numbers{2, 3, 4, 5};
constexpr pose_numbers hand_numbers{1, 3, 4, 5};
constexpr pose_numbers disc_numbers{1, 2, 3, 4};
constexpr pose_numbers headset_numbers{2, 3, 1, 4};

template <class Other>
void read_reply_pose(byte_span message, const pose_numbers& numbers, echo::pose& to, reading& with, Other&& other) {
  vector_list position, forward, left, up;
  read_fields(message, with, [&](const wire_field& each) {
    if (each.number == numbers.position) {
      position.take(each, with);
    } else if (each.number == numbers.forward) {
      forward.take(each, with);
    } else if (each.number == numbers.left) {
      left.take(each, with);
    } else if (each.number == numbers.up) {
      up.take(each, with);
    } else {
      other(each);
    }
  });
  to = {};
  if (position.give(to.position)) to.fields |= echo::pose::has_position;
  if (forward.give(to.forward)) to.fields |= echo::pose::has_forward;
  if (left.give(to.left)) to.fields |= echo::pose::has_left;
  if (up.give(to.up)) to.fields |= echo::pose::has_up;
}
void read_reply_pose(byte_span message, const pose_numbers& numbers, echo::pose& to, reading& with) {
  read_reply_pose(message, numbers, to, with, [](const wire_field&) {});
}

void read_stats(byte_span message, echo::stats& to, reading& with) {
  read_fields(message, with, [&](const wire_field& each) {
    if (!possession_time_field::read(each, to, with)) (void)counter_fields<2>::read(each, to, with);
  });
}

void read_reply_player(byte_span message, echo::player& to, reading& with) {
  to = {};
  to.fields = usual_player_fields;
  vector_list velocity;
  echo::text<40> word;
  read_fields(message, with, [&](const wire_field& each) {
    if (player_fields::read(each, to, with)) return;
    switch (each.number) {
      case 5:
        read_reply_pose(each.bytes, body_numbers, to.head, with);
        to.fields |= echo::player::has_head;
        break;
      case 6:
        read_reply_pose(each.bytes, body_numbers, to.body, with);
        to.fields |= echo::player::has_body;
        break;
      case 16:
      case 17:
        read_text(each, word, with);
        (each.number == 16 ? to.holding_left : to.holding_right) = holding_of(word.view());
        break;
      case 21:
        read_reply_pose(each.bytes, hand_numbers, to.lhand, with);
        to.fields |= echo::player::has_lhand;
        break;
      case 22:
        read_reply_pose(each.bytes, hand_numbers, to.rhand, with);
        to.fields |= echo::player::has_rhand;
        break;
      case 23:
        velocity.take(each, with);
        break;
      case 24:
        read_stats(each.bytes, to.stats, with);
        to.fields |= echo::player::has_stats;
        break;
      default:
        break;
    }
  });
  if (velocity.give(to.velocity)) to.fields |= echo::player::has_velocity;
}

void read_team(byte_span message, std::uint8_t place, echo::state& out, reading& with) {
  echo::team& to = out.match.teams[place];
  to.fields = echo::team::has_possession;
  std::size_t players = 0;
  read_fields(message, with, [&](const wire_field& each) {
    switch (each.number) {
      case 1:
        if (++players > most_players) return with.reject("too many players", error_code::over_limit);
        if (out.match.player_count == echo::max_players) {
          with.left_out(echo::omission_kind::dropped_player, "teams.players", "");
          return;
        }
        read_reply_player(each.bytes, out.players[out.match.player_count++], with);
        ++to.player_count;
        to.fields |= echo::team::has_players;
        break;
      case 2:
        read_text(each, to.name, with);
        to.fields |= echo::team::has_name;
        break;
      case 3:
        to.possession = each.truth();
        break;
      case 4:
        read_stats(each.bytes, to.stats, with);
        to.fields |= echo::team::has_stats;
        break;
      default:
        break;
    }
  });
}

void read_possession(const wire_field& from, std::int32_t (&to)[2], std::size_t& count, reading& with) {
  const auto put = [&](std::uint64_t value) {
    if (count < 2) to[count++] = static_cast<std::int32_t>(value);
  };
  if (from.type == wire_type::varint) return put(from.value);
  byte_reader packed(from.bytes);
  while (!packed.at_end() && packed.ok()) put(read_leb128(packed));
  if (!packed.ok()) with.reject("a list of numbers is invalid");
}

void read_reply(byte_span message, echo::state& out, reading& with) {
  echo::session& to = out.match;
  std::size_t possession_count = 0;
  std::size_t team_count = 0;
  bool has_payload = false;
  read_fields(message, with, [&](const wire_field& each) {
    if (session_fields::read(each, to, with)) return;
    if (reply_payload_fields::read(each, to.payload, with)) {
      has_payload = true;
      return;
    }
    switch (each.number) {
      case 8:
        to.fields |= echo::session::has_disc;
        read_reply_pose(each.bytes, disc_numbers, to.disc.at, with, [&](const wire_field& other) {
          if (other.number == 6) to.disc.bounce_count = other.signed_whole();
        });
        {
          vector_list velocity;
          read_fields(each.bytes, with, [&](const wire_field& other) {
            if (other.number == 5) velocity.take(other, with);
          });
          if (velocity.give(to.disc.velocity)) to.fields |= echo::session::has_disc_velocity;
        }
        to.fields |= echo::session::has_disc_bounce_count;
        break;
      case 20:
        throw_fields::read_message(each.bytes, to.last_throw, with);
        to.fields |= echo::session::has_last_throw;
        break;
      case 21:
        read_reply_pose(each.bytes, headset_numbers, to.vr.at, with);
        to.fields |= echo::session::has_player;
        break;
      case 22:
        pause_fields::read_message(each.bytes, to.pause, with);
        break;
      case 23:
        read_possession(each, to.possession, possession_count, with);
        break;
      case 31:
        score_fields::read_message(each.bytes, to.last_score, with);
        to.fields |= echo::session::has_last_score;
        break;
      case 32:
        if (++team_count > most_players) return with.reject("too many teams", error_code::over_limit);
        if (to.team_count < echo::max_teams) {
          read_team(each.bytes, to.team_count++, out, with);
        } else {
          with.left_out(echo::omission_kind::dropped_player, "teams.players", "");
        }
        break;
      default:
        break;
    }
  });
  to.fields |= usual_fields;
  const bool has_clock = (to.fields & echo::session::has_disc) != 0 || !to.game_status.empty() ||
                         !to.game_clock_display.empty() || to.game_clock != 0;
  if (has_clock) to.fields |= clock_fields;
  if (possession_count != 0) to.fields |= echo::session::has_possession;
  if (!std::isfinite(to.game_clock)) to.fields &= ~echo::session::has_game_clock;
  if (has_payload) {
    to.fields |= echo::session::has_payload;
    to.payload.fields = payload::has_checkpoint | payload::has_distance | payload::has_speed |
                        payload::has_defenders | payload::has_multiplier;
  }
}

void read_bones(byte_span message, echo::state& out, reading& with) {
  out.bones = echo::bones_kind::present;
  std::size_t count = 0;
  read_fields(message, with, [&](const wire_field& field) {
    if (field.number != 1) return;
    if (++count > most_players) return with.reject("too many skeletons", error_code::over_limit);
    if (out.bone_player_count == echo::max_players) return;
    echo::bone_player& to = out.bone_players[out.bone_player_count++];
    to = {};
    to.playerid = 0;
    std::array<float, most_bones * 3> positions{};
    std::array<float, most_bones * 4> rotations{};
    number_list<float> position_list(positions);
    number_list<float> rotation_list(rotations);
    read_fields(field.bytes, with, [&](const wire_field& each) {
      if (each.number == 1) position_list.take(each, with);
      if (each.number == 2) to.playerid = each.signed_whole();
      if (each.number == 3) rotation_list.take(each, with);
    });
    if (position_list.count() > positions.size() || rotation_list.count() > rotations.size()) {
      return with.reject("too many bones", error_code::over_limit);
    }
    const std::size_t bones = (std::max)(position_list.count() / 3, rotation_list.count() / 4);
    if (bones > echo::bone_count) with.oddities.extra_bones += bones - echo::bone_count;
    for (std::size_t i = 0; i < echo::bone_count; ++i) {
      to.positions[i] = {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
      to.rotations[i] = {rotations[4 * i], rotations[4 * i + 1], rotations[4 * i + 2], rotations[4 * i + 3]};
    }
  });
}

void write_vector(std::uint32_t number, const echo::vec3& value, message_writer& to) {
  const std::size_t begin = to.begin(number);
  for (const float each : {value.x, value.y, value.z}) to.little(static_cast<double>(each));
  to.end(begin);
}

void write_pose_fields(const echo::pose& from, const pose_numbers& numbers, message_writer& to) {
  if ((from.fields & echo::pose::has_position) != 0) write_vector(numbers.position, from.position, to);
  if ((from.fields & echo::pose::has_forward) != 0) write_vector(numbers.forward, from.forward, to);
  if ((from.fields & echo::pose::has_left) != 0) write_vector(numbers.left, from.left, to);
  if ((from.fields & echo::pose::has_up) != 0) write_vector(numbers.up, from.up, to);
}
void write_pose(std::uint32_t number, const echo::pose& from, const pose_numbers& numbers,
                message_writer& to) {
  const std::size_t begin = to.begin(number);
  write_pose_fields(from, numbers, to);
  to.end(begin);
}

void write_stats(std::uint32_t number, const echo::stats& from, message_writer& to) {
  const std::size_t begin = to.begin(number);
  possession_time_field::write<true>(from, to);
  counter_fields<2>::write<true>(from, to);
  to.end(begin);
}

void write_player(const echo::player& from, message_writer& to) {
  const std::size_t begin = to.begin(1);
  player_fields::write<true>(from, to);
  if ((from.fields & echo::player::has_head) != 0) write_pose(5, from.head, body_numbers, to);
  if ((from.fields & echo::player::has_body) != 0) write_pose(6, from.body, body_numbers, to);
  to.text(16, text_of(from.holding_left).view());
  to.text(17, text_of(from.holding_right).view());
  if ((from.fields & echo::player::has_lhand) != 0) write_pose(21, from.lhand, hand_numbers, to);
  if ((from.fields & echo::player::has_rhand) != 0) write_pose(22, from.rhand, hand_numbers, to);
  if ((from.fields & echo::player::has_velocity) != 0) write_vector(23, from.velocity, to);
  if ((from.fields & echo::player::has_stats) != 0) write_stats(24, from.stats, to);
  to.end(begin);
}

void write_reply(const echo::state& from, message_writer& to) {
  const echo::session& match = from.match;
  const std::size_t begin = to.begin(4);
  // Points are whole numbers in a capture.
  echo::session whole = match;
  to.signed_whole(19, whole_points(match.blue_points));
  to.signed_whole(12, whole_points(match.orange_points));
  whole.blue_points = whole.orange_points = 0;
  session_fields::write<true>(whole, to);
  if ((match.fields & echo::session::has_payload) != 0) reply_payload_fields::write<true>(match.payload, to);
  if ((match.fields & echo::session::has_disc) != 0) {
    const std::size_t disc = to.begin(8);
    write_pose_fields(match.disc.at, disc_numbers, to);
    if ((match.fields & echo::session::has_disc_velocity) != 0) write_vector(5, match.disc.velocity, to);
    to.signed_whole(6, match.disc.bounce_count);
    to.end(disc);
  }
  const auto write_part = [&](std::uint32_t number, auto&& write) {
    const std::size_t part = to.begin(number);
    write();
    to.end(part);
  };
  if ((match.fields & echo::session::has_last_throw) != 0) {
    write_part(20, [&] { throw_fields::write<true>(match.last_throw, to); });
  }
  if ((match.fields & echo::session::has_player) != 0) write_pose(21, match.vr.at, headset_numbers, to);
  if ((match.fields & echo::session::has_pause) != 0) {
    write_part(22, [&] { pause_fields::write<true>(match.pause, to); });
  }
  if ((match.fields & echo::session::has_possession) != 0) {
    write_part(23, [&] {
      for (const std::int32_t each : match.possession) to.varint(static_cast<std::uint64_t>(std::int64_t{each}));
    });
  }
  if ((match.fields & echo::session::has_last_score) != 0) {
    write_part(31, [&] { score_fields::write<true>(match.last_score, to); });
  }
  std::size_t place = 0;
  for (std::size_t i = 0; i < match.team_count; ++i) {
    const echo::team& team = match.teams[i];
    write_part(32, [&] {
      for (std::size_t each = 0; each < team.player_count; ++each) write_player(from.players[place++], to);
      to.text(2, team.name.view());
      to.whole(3, team.possession ? 1 : 0);
      if ((team.fields & echo::team::has_stats) != 0) write_stats(4, team.stats, to);
    });
  }
  to.end(begin);
}

void write_bones(const echo::state& from, message_writer& to) {
  const std::size_t begin = to.begin(5);
  for (std::size_t i = 0; i < from.bone_player_count; ++i) {
    const echo::bone_player& bones = from.bone_players[i];
    const std::size_t one = to.begin(1);
    const std::size_t positions = to.begin(1);
    for (const echo::vec3& each : bones.positions) {
      for (const float value : {each.x, each.y, each.z}) to.little(value);
    }
    to.end(positions);
    to.signed_whole(2, bones.playerid);
    const std::size_t rotations = to.begin(3);
    for (const echo::quat& each : bones.rotations) {
      for (const float value : {each.x, each.y, each.z, each.w}) to.little(value);
    }
    to.end(rotations);
    to.end(one);
  }
  to.end(begin);
}

}  // namespace

void nevrcap_messages::read_header(byte_span message, capture_decoder& of, reading& with) {
  read_fields(message, with, [&](const wire_field& each) {
    if (each.number == 1) {
      if (each.bytes.size() > most_text_bytes || !text::is_utf8(each.text())) {
        return with.reject("a text is not UTF-8");
      }
      of.facts_.capture_id = each.text();
    }
    if (each.number == 2) of.facts_.created_at_ms = read_time(each.bytes, with);
  });
}

void nevrcap_messages::read_frame(byte_span message, capture_decoder& of, echo::state& out, reading& with) {
  out.recorded_time_ms = of.facts_.created_at_ms.value_or(0);
  out.match = {};
  out.bones = echo::bones_kind::absent;
  out.bone_player_count = 0;
  bool has_session = false;
  std::size_t events = 0;
  read_fields(message, with, [&](const wire_field& each) {
    switch (each.number) {
      case 2:
        if (const auto time = read_time(each.bytes, with)) out.recorded_time_ms = *time;
        break;
      case 3:
        if (++events > most_events) with.reject("too many events", error_code::over_limit);
        break;
      case 4:
        if (has_session) return with.reject("a frame has two sessions");
        has_session = true;
        read_reply(each.bytes, out, with);
        break;
      case 5:
        if (!of.without_bones_) read_bones(each.bytes, out, with);
        break;
      default:
        break;
    }
  });
  if (!has_session) with.reject("a frame has no session");
}

void write_nevrcap_frame(const echo::state& from, std::uint64_t index, message_writer& to) {
  to.whole(1, index);
  write_time(2, from.recorded_time_ms, to);
  write_reply(from, to);
  if (from.bones != echo::bones_kind::absent) write_bones(from, to);
}

}  // namespace tickreel::tape
