// Converts between the Echo VR API's JSON and a state.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tickreel/echo/omissions.hpp"
#include "tickreel/echo/state.hpp"
#include "tickreel/result.hpp"

namespace tickreel::echo {

// Counts of values that do not fit into a state. Parsing continues; none of this is an error. A listener
// receives each value: see omissions.hpp.
struct parse_report {
  std::uint32_t unknown_fields = 0;   // unknown keys
  std::uint32_t wrong_types = 0;      // known keys with a value of another type; read as absent
  std::uint32_t cut_texts = 0;        // longer than the state holds
  std::uint32_t dropped_players = 0;  // beyond max_players, or in a fourth team
  std::uint32_t repeated_fields = 0;  // duplicate keys in one object; the last counts
  std::uint32_t replaced_texts = 0;   // with invalid Unicode, now U+FFFD
  // Fields missing inside stats, pause, last_score, last_throw or a skeleton, which have no separate bits:
  // they will be written as their defaults.
  std::uint32_t missing_parts = 0;
  // The path of the first such value, like "teams.players.jetpack"; "" if there is none.
  text<80> first;
  [[nodiscard]] bool complete() const noexcept {
    return unknown_fields == 0 && wrong_types == 0 && cut_texts == 0 && dropped_players == 0 &&
           repeated_fields == 0 && missing_parts == 0 && replaced_texts == 0;
  }
};

// Reuses its buffers: one parser per thread. Allocates only while responses grow.
class json_parser {
 public:
  json_parser();
  json_parser(json_parser&&) noexcept;
  json_parser& operator=(json_parser&&) noexcept;
  ~json_parser();

  // Sets out.match and out.players from the text of a /session response and leaves the rest. bad_json (with
  // the offset if known) if it is not a JSON object; `out` is then unspecified but valid. Bytes in its texts
  // that are not UTF-8, and halves of surrogate pairs, are read as U+FFFD and reported. Numbers are accepted
  // for booleans and booleans for numbers, as by other readers. `left_out` receives each value that a state
  // cannot store.
  result<parse_report> parse_session(std::string_view json, state& out,
                                     omission_listener* left_out = nullptr);

  // Sets out.bones, out.bone_players and their count from the text of a /player_bones response.
  result<parse_report> parse_bones(std::string_view json, state& out, omission_listener* left_out = nullptr);

 private:
  struct buffers;
  std::unique_ptr<buffers> buffers_;
};

// The notation of absent fields.
enum class json_shape : std::uint8_t {
  // The game's own form: exactly the fields whose bits are set, under the API's keys. Restart requests
  // are 0 or 1, triggers numbers; points are whole numbers outside combat where they are whole.
  //   session::has_X      X; has_overtime_timer and has_game_timer share `timers`
  //   has_payload         `payload` with nested_payload, else the flat payload_* fields; each by its own bit
  //   has_disc            `disc` with what disc.at.fields, has_disc_velocity and has_disc_bounce_count name
  //   team::has_players   `players`, even when empty; without it the key is absent
  //   player::has_X       X; holding_left and holding_right unless holding::absent
  //   pose::has_position  `position`, in hands `pos`
  //   shape_of_2018       the head's pose directly in the player, hands as bare positions
  // pause, last_score, last_throw, stats and possession are written whole or not at all.
  api,
  // The model of the known .butter decoder: every key in every tick. Texts, lists and objects are null if
  // their bit is clear; numbers are 0 and booleans false. Restart requests and triggers are booleans, points
  // floats. Each pose has `pos` and `position`, of which hands use the first, heads and bodies the second.
  // The payload is flat. The model lacks the timers, the payload's pos and attackers, and the slots of
  // skeletons. `players` is always a list.
  model,
};

enum class number_style : std::uint8_t {
  shortest,  // the shortest text that parses to the same float: 0.067
  game,      // 8 significant digits, as the game prints: 0.067000002
};

// Append one JSON object, on one line. NaN and infinities become the texts "NaN", "Infinity" and "-Infinity".
// Floats always have a decimal point or an exponent.
void append_session_json(const state& from, json_shape shape, number_style numbers, std::string& out);
// model shape for bones absent: appends nothing.
void append_bones_json(const state& from, json_shape shape, number_style numbers, std::string& out);

// The meaning of a /session response for a recorder (see docs/echo-recording.md).
enum class reply_kind : std::uint8_t {
  match,         // a full session: record it
  loading,       // running, in the main menu or a loading screen
  api_disabled,  // API access is switched off in the game's settings (err_code -2)
  lobby,         // "Endpoint is restricted in this match type" (err_code -6)
  other_error,   // an error reply of another kind
};

// From the HTTP status and the body. Never fails: invalid bodies are `loading`.
[[nodiscard]] reply_kind classify_reply(int http_status, std::string_view body);

}  // namespace tickreel::echo
