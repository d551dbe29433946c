// The messages of .tape (version 2) and .nevrcap (version 1) captures, decoded into states. docs/formats/tape.md
// describes them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/echo/omissions.hpp"
#include "tickreel/echo/state.hpp"
#include "tickreel/result.hpp"
#include "tickreel/tape/wire.hpp"

namespace tickreel::tape {

// Far above every real value. Larger ones are rejected before memory is taken for them.
inline constexpr std::size_t max_record_bytes = 16u << 20;
inline constexpr std::size_t max_players = 64;
inline constexpr std::size_t max_bones = 256;
inline constexpr std::size_t max_events = 4096;
inline constexpr std::size_t max_text_bytes = 64u << 10;
inline constexpr std::size_t max_slots = 512;  // that ever had a player
inline constexpr std::uint64_t max_ticks = 1'000'000;

enum class capture_kind : std::uint8_t { none, tape, nevrcap, enveloped_nevrcap };

// From the first record of a stream.
[[nodiscard]] capture_kind kind_of(byte_span first_record) noexcept;
// A later record that is a header: another capture begins, for example in concatenated files.
[[nodiscard]] bool begins_capture(byte_span record) noexcept;

// Whether a frame of a .tape states that it is a keyframe.
[[nodiscard]] bool is_keyframe(byte_span record) noexcept;

struct capture_facts {
  capture_kind kind = capture_kind::none;
  std::uint32_t version = 1;
  std::uint32_t minor = 0;
  std::uint32_t patch = 0;
  std::optional<std::int64_t> created_at_ms;
  std::string capture_id;
  std::string producer;
  std::string engine_version;
};

// Values that a state cannot store, or that no known program writes. Ticks with them are read.
struct capture_oddities {
  std::uint64_t unknown_records = 0;
  std::uint64_t unknown_numbers = 0;  // of an enumeration: read as an empty text
  std::uint64_t invalid_values = 0;   // NaN, infinite, or a rotation of length zero: read as absent
  std::uint64_t extra_bones = 0;      // beyond the 23 of a state
  std::uint64_t generic_events = 0;   // of unknown content
};

// The state of a slot after the latest event of a .tape.
struct slot_memory {
  std::int32_t slot = 0;
  bool is_present = false;
  bool has_stats = false;
  std::uint64_t userid = 0;
  std::int32_t role = 0;
  std::int32_t number = 0;
  std::int32_t level = 0;
  echo::stats stats;
  echo::holding holding_left;
  echo::holding holding_right;
  echo::text<64> name;
  echo::text<16> weapon;
  echo::text<16> ordnance;
  echo::text<16> tac_mod;
};

// The events' numbers are those of EventType.
enum class event_type : std::uint8_t {
  round_started = 1,
  round_paused = 2,
  round_unpaused = 3,
  round_ended = 4,
  match_ended = 5,
  scoreboard_updated = 6,
  player_joined = 10,
  player_left = 11,
  player_switched_team = 12,
  emote_played = 13,
  loadout_changed = 14,
  grab_changed = 15,
  player_info_updated = 16,
  disc_possession_changed = 20,
  disc_thrown = 21,
  disc_caught = 22,
  goal_scored = 30,
  player_goal = 31,
  player_save = 40,
  player_stun = 41,
  player_pass = 42,
  player_steal = 43,
  player_block = 44,
  player_interception = 45,
  player_assist = 46,
  player_shot_taken = 47,
  player_stats_updated = 48,
  generic_event = 50,
};

// The last record of a .tape.
struct capture_footer {
  std::uint64_t frame_count = 0;
  std::uint64_t duration_ms = 0;
};

// Decodes the records of one capture in order. One thread at a time. Allocates for slots of players only.
class capture_decoder {
 public:
  enum class part : std::uint8_t { tick, end, nothing };

  // The first record. not_recognised if no capture begins with it; unsupported_version, with the reason, for
  // versions and encodings that are not supported.
  result<void> begin(byte_span record);
  // Each further record. `tick` fills `out`; `nothing` is a record of unknown content, which is counted.
  // malformed or over_limit for an invalid record, with a reason and without an offset: the next record can
  // still be read if may_continue().
  result<part> read(byte_span record, echo::state& out);
  // Whether only the last record was rejected: neither the order of records is wrong, nor does a .tape lack events
  // that later ticks depend on.
  [[nodiscard]] bool may_continue() const noexcept { return may_continue_; }

  // Receives values that a state cannot store; may be null. Must outlive the decoding.
  void set_listener(echo::omission_listener* to) noexcept { listener_ = to; }
  // Skips skeletons.
  void leave_bones_out(bool left_out) noexcept { without_bones_ = left_out; }
  [[nodiscard]] bool leaves_bones_out() const noexcept { return without_bones_; }

  [[nodiscard]] const capture_facts& facts() const noexcept { return facts_; }
  [[nodiscard]] const capture_oddities& oddities() const noexcept { return oddities_; }
  // Of the last tick of a .tape, in order.
  [[nodiscard]] const std::vector<event_type>& events() const noexcept { return events_; }
  [[nodiscard]] std::uint64_t ticks() const noexcept { return ticks_; }
  // Set by `end`.
  [[nodiscard]] const std::optional<capture_footer>& footer() const noexcept { return footer_; }

 private:
  friend struct nevrcap_messages;
  friend struct tape_messages;

  capture_facts facts_;
  capture_oddities oddities_;
  std::optional<capture_footer> footer_;
  std::vector<event_type> events_;
  std::vector<slot_memory> slots_;
  echo::session base_;  // constants of the header, and what events set until the next event
  std::array<echo::text<64>, echo::max_teams> team_names_;
  echo::omission_listener* listener_ = nullptr;
  std::uint64_t ticks_ = 0;
  bool has_team_names_ = false;
  bool has_bones_ = false;
  bool without_bones_ = false;
  bool may_continue_ = false;
};

// Calls visit(frame, offset) for each entry of the keyframe index of a footer's record.
template <class Visit>
void visit_keyframes(byte_span footer_record, Visit&& visit) {
  wire_field part;
  for (field_reader envelope(footer_record); envelope.next(part);) {
    if (part.number != 3) continue;
    wire_field field;
    for (field_reader footer(part.bytes); footer.next(field);) {
      if (field.number != 4) continue;
      std::uint64_t frame = 0;
      std::uint64_t offset = 0;
      wire_field entry;
      for (field_reader entries(field.bytes); entries.next(entry);) {
        if (entry.number == 1) frame = entry.whole();
        if (entry.number == 2) offset = entry.whole();
      }
      visit(frame, offset);
    }
  }
}

}  // namespace tickreel::tape
