// Tables of fields: one entry per field of a message and member of a struct.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <type_traits>

#include "tickreel/tape/capture.hpp"
#include "tickreel/text/ascii.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::tape {

// Problems of the record that is read. The first one counts.
struct reading {
  capture_oddities& oddities;
  echo::omission_listener* listener = nullptr;
  const char* problem = nullptr;  // the record is rejected
  error_code code = error_code::malformed;

  void reject(const char* why, error_code as = error_code::malformed) noexcept {
    if (problem != nullptr) return;
    problem = why;
    code = as;
  }
  void left_out(echo::omission_kind kind, std::string_view path, std::string_view value) noexcept {
    if (listener != nullptr) listener->left_out({kind, path, value, 1});
  }
};

// Zero, and counted, if the number is not finite.
inline float finite(float value, reading& with) noexcept {
  if (std::isfinite(value)) return value;
  ++with.oddities.invalid_values;
  return 0;
}

// Iterates over a message and rejects the record if the message is invalid.
template <class Take>
void read_fields(byte_span message, reading& with, Take&& take) {
  field_reader fields(message);
  wire_field field;
  while (fields.next(field)) take(field);
  if (!fields.ok()) with.reject(fields.problem());
}

template <class Text>
void read_text(const wire_field& from, Text& to, reading& with) noexcept {
  if (from.bytes.size() > max_text_bytes) return with.reject("a text is too long", error_code::over_limit);
  if (!text::is_utf8(from.text())) return with.reject("a text is not UTF-8");
  if (!to.assign(from.text())) with.left_out(echo::omission_kind::cut_text, "texts", from.text());
}

template <class T>
inline constexpr bool is_text = false;
template <std::size_t Capacity>
inline constexpr bool is_text<echo::text<Capacity>> = true;

// The field `Number` is the member `Member`; the bit marks it as present in `fields` of its struct.
template <std::uint32_t Number, auto Member, std::uint64_t Bit = 0>
struct message_field {
  template <class Owner>
  static bool read(const wire_field& from, Owner& to, reading& with) noexcept {
    if (from.number != Number) return false;
    auto& member = to.*Member;
    using type = std::remove_reference_t<decltype(member)>;
    if constexpr (is_text<type>) {
      read_text(from, member, with);
    } else if constexpr (std::is_same_v<type, bool>) {
      member = from.truth();
    } else if constexpr (std::is_floating_point_v<type>) {
      // Points are whole numbers in captures.
      member = from.type == wire_type::varint ? static_cast<float>(from.signed_whole())
                                              : finite(from.real(), with);
    } else {
      member = static_cast<type>(from.whole());
    }
    if constexpr (Bit != 0) to.fields |= static_cast<decltype(to.fields)>(Bit);
    return true;
  }

  template <bool AsDouble, class Owner>
  static void write(const Owner& from, message_writer& to) {
    const auto& member = from.*Member;
    using type = std::remove_cvref_t<decltype(member)>;
    if constexpr (is_text<type>) {
      to.text(Number, member.view());
    } else if constexpr (std::is_floating_point_v<type>) {
      if constexpr (AsDouble) {
        to.real64(Number, static_cast<double>(member));
      } else {
        to.real32(Number, member);
      }
    } else if constexpr (std::is_signed_v<type>) {
      to.signed_whole(Number, member);
    } else {
      to.whole(Number, static_cast<std::uint64_t>(member));
    }
  }
};

template <class... Fields>
struct message_table {
  // False if the table lacks the field.
  template <class Owner>
  static bool read(const wire_field& from, Owner& to, reading& with) noexcept {
    return (Fields::read(from, to, with) || ...);
  }
  template <class Owner>
  static void read_message(byte_span message, Owner& to, reading& with) {
    read_fields(message, with, [&](const wire_field& each) { (void)read(each, to, with); });
  }
  template <bool AsDouble, class Owner>
  static void write(const Owner& from, message_writer& to) {
    (Fields::template write<AsDouble>(from, to), ...);
  }
};

template <std::uint32_t First>
using counter_fields = message_table<
    message_field<First, &echo::stats::points>, message_field<First + 1, &echo::stats::saves>,
    message_field<First + 2, &echo::stats::goals>, message_field<First + 3, &echo::stats::stuns>,
    message_field<First + 4, &echo::stats::passes>, message_field<First + 5, &echo::stats::catches>,
    message_field<First + 6, &echo::stats::steals>, message_field<First + 7, &echo::stats::blocks>,
    message_field<First + 8, &echo::stats::interceptions>, message_field<First + 9, &echo::stats::assists>,
    message_field<First + 10, &echo::stats::shots_taken>>;

using throw_fields = message_table<
    message_field<1, &echo::last_throw::arm_speed>, message_field<2, &echo::last_throw::total_speed>,
    message_field<3, &echo::last_throw::off_axis_spin_deg>,
    message_field<4, &echo::last_throw::wrist_throw_penalty>,
    message_field<5, &echo::last_throw::rot_per_sec>, message_field<6, &echo::last_throw::pot_speed_from_rot>,
    message_field<7, &echo::last_throw::speed_from_arm>,
    message_field<8, &echo::last_throw::speed_from_movement>,
    message_field<9, &echo::last_throw::speed_from_wrist>,
    message_field<10, &echo::last_throw::wrist_align_to_throw_deg>,
    message_field<11, &echo::last_throw::throw_align_to_movement_deg>,
    message_field<12, &echo::last_throw::off_axis_penalty>,
    message_field<13, &echo::last_throw::throw_move_penalty>>;

// The texts of an enumeration's numbers, from 0.
using number_texts = std::array<std::string_view, 12>;
inline constexpr number_texts status_texts = {
    "",           "pre_match",  "round_start",      "playing",      "score",
    "round_over", "post_match", "pre_sudden_death", "sudden_death", "post_sudden_death"};
inline constexpr number_texts pause_texts = {
    "", "unpaused", "paused", "unpausing", "autopause_replay", "none", "paused_requested"};
inline constexpr number_texts match_texts = {
    "",          "Social_2.0",     "Social_2.0_Private", "Echo_Arena",           "Echo_Combat",
    "Echo_Pass", "Echo_Arena_FFA", "Echo_Arena_Private", "Echo_Arena_Tournament"};
inline constexpr number_texts goal_texts = {
    "",          "INSIDE SHOT", "LONG SHOT", "BOUNCE SHOT",   "LONG BOUNCE SHOT", "SELF GOAL",
    "[NO GOAL]", "SLAM DUNK",   "HEADBUTT",  "LONG HEADBUTT", "BUMPER SHOT",      "LONG BUMPER SHOT"};

// Empty, and counted, for an unknown number.
inline std::string_view text_of(const number_texts& texts, std::uint64_t number, reading& with) noexcept {
  if (number < texts.size() && (number == 0 || !texts[static_cast<std::size_t>(number)].empty())) {
    return texts[static_cast<std::size_t>(number)];
  }
  ++with.oddities.unknown_numbers;
  return {};
}
inline std::uint64_t number_of(const number_texts& texts, std::string_view text) noexcept {
  const auto found = std::find(texts.begin(), texts.end(), text);
  return text.empty() || found == texts.end() ? 0 : static_cast<std::uint64_t>(found - texts.begin());
}

// The content of a hand as the API's text.
inline echo::holding holding_of(std::string_view text) noexcept {
  echo::holding out;
  if (text.empty()) return out;
  out.what = text == "none"   ? echo::holding::none
             : text == "geo"  ? echo::holding::geo
             : text == "disc" ? echo::holding::disc
                              : echo::holding::other;
  if (out.what != echo::holding::other) return out;
  if (const auto playerid = text::parse_number<decltype(out.playerid)>(text)) {
    out.what = echo::holding::player;
    out.playerid = *playerid;
  } else {
    (void)out.word.assign(text);
  }
  return out;
}
inline echo::text<16> text_of(const echo::holding& from) noexcept {
  switch (from.what) {
    case echo::holding::absent:
      return {};
    case echo::holding::none:
      return echo::text<16>("none");
    case echo::holding::geo:
      return echo::text<16>("geo");
    case echo::holding::disc:
      return echo::text<16>("disc");
    case echo::holding::player: {
      char digits[12];
      const auto [end, status] = std::to_chars(digits, digits + sizeof(digits), from.playerid);
      return echo::text<16>(std::string_view(digits, static_cast<std::size_t>(end - digits)));
    }
    case echo::holding::other:
      return from.word;
  }
  return {};
}

// The Timestamp of a message, in milliseconds.
inline std::optional<std::int64_t> read_time(byte_span message, reading& with) {
  std::int64_t seconds = 0;
  std::int64_t nanos = 0;
  read_fields(message, with, [&](const wire_field& each) {
    if (each.number == 1) seconds = static_cast<std::int64_t>(each.whole());
    if (each.number == 2) nanos = each.signed_whole();
  });
  constexpr std::int64_t max_seconds = 253'402'300'799;  // the year 9999
  if (seconds < -62'135'596'800 || seconds > max_seconds || nanos < 0 || nanos > 999'999'999) {
    ++with.oddities.invalid_values;
    return std::nullopt;
  }
  return seconds * 1000 + nanos / 1'000'000;
}
inline void write_time(std::uint32_t number, std::int64_t time_ms, message_writer& to) {
  const std::int64_t remainder = ((time_ms % 1000) + 1000) % 1000;
  const std::size_t begin = to.begin(number);
  to.signed_whole(1, (time_ms - remainder) / 1000);
  to.signed_whole(2, remainder * 1'000'000);
  to.end(begin);
}

// Captures store whole points; fractions are cut.
inline std::int32_t whole_points(float points) noexcept {
  constexpr float most = 1e9f;
  return points > -most && points < most ? static_cast<std::int32_t>(points) : 0;
}

// The bits of a session that every reply of a match has.
inline constexpr std::uint64_t usual_fields =
    echo::session::has_sessionid | echo::session::has_sessionip | echo::session::has_client_name |
    echo::session::has_match_type | echo::session::has_map_name | echo::session::has_private_match |
    echo::session::has_tournament_match | echo::session::has_blue_points | echo::session::has_orange_points |
    echo::session::has_blue_round_score | echo::session::has_orange_round_score |
    echo::session::has_total_round_count | echo::session::has_blue_team_restart_request |
    echo::session::has_orange_team_restart_request | echo::session::has_left_shoulder_pressed |
    echo::session::has_right_shoulder_pressed | echo::session::has_left_shoulder_pressed2 |
    echo::session::has_right_shoulder_pressed2 | echo::session::has_err_code | echo::session::has_pause |
    echo::session::has_teams;
// Those of a match with a clock.
inline constexpr std::uint64_t clock_fields = echo::session::has_game_clock |
                                              echo::session::has_game_clock_display |
                                              echo::session::has_game_status | echo::session::has_possession;
inline constexpr std::uint32_t usual_player_fields =
    echo::player::has_playerid | echo::player::has_userid | echo::player::has_number |
    echo::player::has_level | echo::player::has_ping | echo::player::has_packetlossratio |
    echo::player::has_stunned | echo::player::has_invulnerable | echo::player::has_blocking |
    echo::player::has_possession | echo::player::has_is_emote_playing;

// Sorts players by team; the order within a team stays. `teams` are those of `count` players.
void sort_by_team(echo::state& in, std::array<std::uint8_t, echo::max_players>& teams, std::size_t count);

struct nevrcap_messages {
  static void read_header(byte_span message, capture_decoder& of, reading& with);
  static void read_frame(byte_span message, capture_decoder& of, echo::state& out, reading& with);
};

struct tape_messages {
  static void read_header(byte_span message, capture_decoder& of, reading& with);
  static void read_frame(byte_span message, capture_decoder& of, echo::state& out, reading& with);
  static void read_footer(byte_span message, capture_decoder& of, reading& with);

 private:
  static void read_events(byte_span content, capture_decoder& of, reading& with);
};

// A frame of version 1.
void write_nevrcap_frame(const echo::state& from, std::uint64_t index, message_writer& to);

}  // namespace tickreel::tape
