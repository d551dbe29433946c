// Records a match as bytes: orders, keyframes, events. game_recorder.hpp adds a game's own types; use this
// directly only if types are unknown at compile time, as in a script engine.
// One thread, the game's, calls everything but counters(), failure() and pump(). Nothing waits, locks or
// makes a system call, except begin(), end() and pump(), and loss_policy::block. Memory grows until the
// largest tick and keyframe have been seen, then it is reused.
// It is built on the common recorder (record/item_recorder.hpp): while the match is recorded it is a reel,
// NAME.icrep.reel; end() publishes it as NAME.icrep and then removes the reel. After a crash recover() does
// that. With container::reel the reel is NAME itself, and stays.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "tickreel/analysis/event.hpp"
#include "tickreel/game/match.hpp"
#include "tickreel/game/world_layout.hpp"
#include "tickreel/icrep/record.hpp"
#include "tickreel/icrep/snapshot.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::game {

// The result of a match, written at the end.
struct match_result {
  // Also becomes a match_ended event. Empty: unknown.
  std::optional<analysis::match_outcome> outcome = {};
  // "won", "lost", ... for each of match::players; missing entries are "unknown".
  std::vector<std::string> player_outcomes = {};
  // Of the state after the last tick; 0: unknown.
  std::uint64_t state_hash = 0;
};

// A close_report, and facts of the match.
struct end_report {
  match_counters counters;
  // The last error that did not end the recording: its losses are counted.
  std::optional<error> earlier_failure = {};
  std::uint64_t total_ticks = 0;
  std::uint64_t file_bytes = 0;     // of all files together
  std::uint32_t files = 1;          // files of the match: match_options::split
  bool reached_file_limit = false;  // the match continued after the limit
  // A sink lacks something (earlier_failure): the reel NAME.icrep.reel stays beside the file, for
  // reel::deliver_reel(). recover() removes it.
  bool reel_stays = false;
  // Every tick, keyframe, event and voice packet is unchanged in the file, and no number was left out.
  [[nodiscard]] bool nothing_lost() const noexcept {
    return counters.dropped == 0 && counters.lost == 0 && counters.noted == 0 &&
           counters.keyframes_lost == 0 && counters.events_lost == 0 && counters.failed_syncs == 0 &&
           counters.fixed_texts == 0 && counters.rejected_values == 0 && !reached_file_limit;
  }
};

class world_recorder {
 public:
  // Creates the reel. Errors: already_exists if it or a future output file exists; in_use while another
  // recorder writes it; invalid_argument for invalid options or an invalid layout; over_limit if names and
  // layout exceed a file's metadata, 1 MiB.
  // After that no input makes the file unreadable: invalid input is fixed or left out on entry, and counted
  // (match_counters).
  static result<world_recorder> begin(const file_path& path, const match& about, const world_layout& layout,
                                      const match_options& options = {});
  world_recorder(world_recorder&&) noexcept;
  world_recorder& operator=(world_recorder&&) noexcept;
  // Without end() the pending data is written, and the reel stays for recover(), which finishes it as
  // incomplete.
  ~world_recorder();

  // Begins tick `number`, before its orders; the first is 0 and they increase by 1 (an omitted number counts
  // as lost). `state_hash`: of the state before this tick's orders, 0 for none. Returns whether a keyframe is
  // due: then describe the state with the functions below before the next tick(). Errors: invalid_argument
  // for a number that does not increase; over_limit when the file has reached its limit, and for a number
  // above 2^53.
  result<bool> tick(std::uint64_t number, std::uint64_t state_hash = 0) noexcept;

  // An order of `player`, `sub_tick_us` after the tick began. over_limit above 4096 in a tick or 1 MiB in
  // all; wrong_state before the first tick.
  result<void> order(std::uint32_t player, std::uint16_t type, byte_span payload,
                     std::uint32_t sub_tick_us = 0) noexcept;

  // Describes orders of `type`, or custom events of a number, so that tools and later versions of the game
  // can decode them. `key` identifies the struct; its layout is requested on first use. A struct of the same
  // name and layout is the same one, for example in several libraries of a program. False if that number
  // belongs to another struct. Allocates only then, and takes about 1 KiB of metadata: if they are full, the
  // bytes stay undescribed, which counts as a refused value.
  bool describe_order(std::uint16_t type, const void* key, std::string_view name, std::uint32_t bytes,
                      std::vector<value_layout> (*values)()) noexcept;
  // Assigns the number of an event type. For a second struct of that name with another layout, it is a number
  // that own_event() counts as lost, and end() reports it as an earlier failure.
  [[nodiscard]] std::uint32_t describe_event(const void* key, std::string_view name, std::uint32_t bytes,
                                             std::vector<value_layout> (*values)()) noexcept;
  // A custom event in the current tick, by such a number. False without space or tick: counted as lost.
  bool own_event(std::uint32_t number, byte_span content) noexcept;

  // Uses the event's own tick. An event of a later tick waits for that tick; an event before one that has
  // been written comes too late. False without space, or for invalid events: more than 60 KiB or 256 sampled
  // positions, an invalid enumeration value, a tick above 2^53. All of these are counted as lost.
  bool event(const analysis::event& happened) noexcept;

  // Voice of a player in this tick, as an Opus packet. Only of players who agreed, and only with
  // match_options::record_voice: false otherwise. Also false without space, which counts as lost.
  bool voice_track(std::uint32_t player, bool consented) noexcept;
  bool voice(std::uint32_t player, byte_span opus,
             const icrep::voice::target& to = icrep::order::to_all{}) noexcept;

  // Whether this keyframe must describe the whole world: anything that it does not mention is removed.
  // Otherwise only changes since the previous keyframe are needed. Always true unless changes_only().
  [[nodiscard]] bool wants_whole_world() const noexcept;
  // From now on the game describes changes and removals. After a lost keyframe the whole world is requested
  // once.
  void changes_only(bool chosen) noexcept;

  // These functions describe the state at the current tick; they do nothing if no keyframe is due. A new
  // entity needs `archetype`, a name; an existing one keeps its own if it is empty.
  void entity(analysis::unit_tag tag, std::string_view archetype = {}) noexcept;
  // Of the entity named last.
  void component(std::uint32_t slot, byte_span bytes) noexcept;
  // The same, to be written in place before the next call; null if no keyframe is due.
  [[nodiscard]] std::byte* component_room(std::uint32_t slot, std::size_t bytes) noexcept;
  void remove(analysis::unit_tag tag) noexcept;
  void player_field(std::uint32_t player, std::uint32_t slot, byte_span bytes) noexcept;
  void singleton(std::uint32_t slot, byte_span bytes) noexcept;
  void generator(byte_span random_state) noexcept;
  void cell(icrep::cell_position at, std::string_view terrain, std::int32_t amount) noexcept;

  // Abandons the current keyframe, if it cannot be described completely: it is counted as lost, and another
  // one is due later. The tick stays.
  void drop_keyframe() noexcept;

  // The number of a text in the recording's table, the same for equal texts; for interned_text members.
  // Allocates for a new text. Beyond 1,000,000 texts or 16 MiB it is that of "\uFFFD".
  interned_text intern(std::string_view text) noexcept;

  // threading::pumped: writes pending data; returns whether there was any. Any thread may call it while the
  // game's thread continues, but only one at a time, and none while end() runs or `this` is moved.
  bool pump() noexcept;

  // Writes pending data and publishes the file. After no_space and other system errors the reel keeps what
  // was written, and recover() continues from there; publishing needs as much disk space again as the match.
  // wrong_state if ended before.
  result<end_report> end(const match_result& how = {}) noexcept;

  [[nodiscard]] match_counters counters() const noexcept;
  // The last error of the file; cleared when writing succeeds. over_limit: the last keyframe was lost,
  // because it had more entities or bytes than readers accept (icrep/limits.hpp).
  [[nodiscard]] std::optional<error> failure() const;

 private:
  struct state;
  explicit world_recorder(std::unique_ptr<state> owned) noexcept;
  void abandon() noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::game
