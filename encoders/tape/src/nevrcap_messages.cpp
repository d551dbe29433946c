// Version 1: the API's reply, field by field. Numbers are doubles.
//
//   TelemetryHeader         1 capture_id | 2 created_at | 3 metadata
//   LobbySessionStateFrame  1 frame_index | 2 timestamp | 3 events | 4 session | 5 player_bones
#include <bit>
#include <span>

#include "nevrcap_tables.hpp"
#include "tickreel/bytes/varint.hpp"

namespace tickreel::tape {

namespace {

using namespace nevrcap;

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
  [[nodiscard]] bool is_finite() const noexcept { return is_finite_; }

 private:
  void put(float value, reading& with) noexcept {
    is_finite_ = is_finite_ && std::isfinite(value);
    value = finite(value, with);
    if (count_ < to_.size()) to_[count_] = value;
    ++count_;
  }

  std::span<float> to_;
  std::size_t count_ = 0;
  bool is_finite_ = true;
};

// Whether the list has the three numbers of a vector.
class vector_list {
 public:
  void take(const wire_field& from, reading& with) noexcept { list_.take(from, with); }
  bool give(echo::vec3& to) const noexcept {
    if (list_.count() < 3 || !list_.is_finite()) return false;
    to = {values_[0], values_[1], values_[2]};
    return true;
  }

 private:
  std::array<float, 3> values_{};
  number_list<double> list_{values_};
};

template <class Other>
void read_reply_pose(byte_span message, const pose_numbers& numbers, echo::pose& to, reading& with,
                     Other&& other) {
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
        if (++players > max_players) return with.reject("too many players", error_code::over_limit);
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
  bool has_clock_value = true;
  read_fields(message, with, [&](const wire_field& each) {
    if (each.number == 39) has_clock_value = std::isfinite(each.real());
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
        if (++team_count > max_players) return with.reject("too many teams", error_code::over_limit);
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
  if (!has_clock_value) to.fields &= ~echo::session::has_game_clock;
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
    if (++count > max_players) return with.reject("too many skeletons", error_code::over_limit);
    if (out.bone_player_count == echo::max_players) {
      return with.left_out(echo::omission_kind::dropped_player, "user_bones", "");
    }
    echo::bone_player& to = out.bone_players[out.bone_player_count++];
    to = {};
    to.playerid = 0;
    std::array<float, max_bones * 3> positions{};
    std::array<float, max_bones * 4> rotations{};
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

// Also checks bones that are not wanted: that must not affect which ticks there are.
void read_wanted_bones(byte_span message, echo::state& out, reading& with, bool are_wanted) {
  if (are_wanted) return read_bones(message, out, with);
  capture_oddities unwanted;
  reading checked{unwanted};
  read_bones(message, out, checked);
  out.bones = echo::bones_kind::absent;
  out.bone_player_count = 0;
  if (checked.problem != nullptr) with.reject(checked.problem, checked.code);
}

}  // namespace

void nevrcap_messages::read_header(byte_span message, capture_decoder& of, reading& with) {
  read_fields(message, with, [&](const wire_field& each) {
    if (each.number == 1) {
      if (each.bytes.size() > max_text_bytes || !text::is_utf8(each.text())) {
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
        if (++events > max_events) with.reject("too many events", error_code::over_limit);
        break;
      case 4:
        if (has_session) return with.reject("a frame has two sessions");
        has_session = true;
        read_reply(each.bytes, out, with);
        break;
      case 5:
        read_wanted_bones(each.bytes, out, with, !of.without_bones_);
        break;
      default:
        break;
    }
  });
  if (!has_session) with.reject("a frame has no session");
}

}  // namespace tickreel::tape
