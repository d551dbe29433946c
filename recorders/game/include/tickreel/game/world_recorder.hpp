// Records a match in bytes: orders, keyframes, events. game_recorder.hpp puts a game's own types before it;
// use this directly only where types are not known when compiling, as in a script engine.
//
// One thread, the game's, calls everything but counters(), failure() and pump(). Nothing waits, locks or
// makes a system call, except begin(), end() and pump(), and loss_policy::block. Memory is taken until the
// largest tick and keyframe have been seen, then reused.
//
// It is a recorder like any other (record/item_recorder.hpp): while the match is recorded it is a reel,
// NAME.icrep.reel; end() lays it out as NAME.icrep, and only then does the reel go. After a crash recover()
// does. With container::reel the reel is NAME itself, and stays.
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

// What is written at the end.
struct match_result {
  // Also becomes a match_ended event. Nothing: unknown.
  std::optional<analysis::match_outcome> outcome = {};
  // "won", "lost", ... for each of match::players; those without stay "unknown".
  std::vector<std::string> player_outcomes = {};
  // Of the state after the last tick; 0: unknown.
  std::uint64_t state_hash = 0;
};

// A close_report, and what a match has beside it.
struct end_report {
  match_counters counters;
  // The last error on the way that did not end the recording: what it cost is counted.
  std::optional<error> earlier_failure = {};
  std::uint64_t total_ticks = 0;
  std::uint64_t file_bytes = 0;     // of all files together
  std::uint32_t files = 1;          // that it became: match_options::split
  bool reached_file_limit = false;  // the match went on
  // A sink lacks something (earlier_failure): the reel NAME.icrep.reel stays beside the file, for
  // reel::deliver_reel(). recover() removes it.
  bool reel_stays = false;
  // Every tick, keyframe, event and voice packet is in the file as it was given, and no number was left out.
  [[nodiscard]] bool nothing_lost() const noexcept {
    return counters.dropped == 0 && counters.lost == 0 && counters.noted == 0 &&
           counters.keyframes_lost == 0 && counters.events_lost == 0 && counters.failed_syncs == 0 &&
           counters.texts_mended == 0 && counters.values_refused == 0 && !reached_file_limit;
  }
};

class world_recorder {
 public:
  // Creates the reel. already_exists when there is one, or a file that is to come of it; in_use while
  // another recorder writes it; invalid_argument for options or a layout that can't be; over_limit when names
  // and layout are more than a file's metadata hold, 1 MiB.
  //
  // After that nothing that is recorded makes the file unreadable: what no reader would take is mended or
  // left out where it enters, and counted (match_counters).
  static result<world_recorder> begin(const file_path& path, const match& about, const world_layout& layout,
                                      const match_options& options = {});
  world_recorder(world_recorder&&) noexcept;
  world_recorder& operator=(world_recorder&&) noexcept;
  // Without end() what waits is written, and the reel stays for recover(), which finishes it as incomplete.
  ~world_recorder();

  // Begins tick `number`, before its orders; the first is 0 and they rise by 1 (a number left out counts as
  // lost). `state_hash`: of the state before this tick's orders, 0 for none. Returns whether a keyframe is
  // due: then describe the state with the functions below before the next tick(). invalid_argument for a
  // number that does not rise; over_limit when the file has reached its limit, and for a number above 2^53.
  result<bool> tick(std::uint64_t number, std::uint64_t state_hash = 0) noexcept;

  // An order that `player` gave at `sub_tick_us` after the tick began. over_limit above 4096 in a tick or
  // 1 MiB in all; wrong_state before the first tick.
  result<void> order(std::uint32_t player, std::uint16_t type, byte_span payload,
                     std::uint32_t sub_tick_us = 0) noexcept;

  // What orders of `type`, or the game's own events of a number, are made of, so that tools and later
  // versions of the game can read them. `key` stands for the struct; the layout is asked for when it is told
  // first; a struct of the same name and layout is the same, as in each library of a program. False when that
  // number is another struct's. Only then allocates, and takes 1 KiB or so of
  // metadata: when they are full the bytes stay undescribed, which counts as a value refused.
  bool describe_order(std::uint16_t type, const void* key, std::string_view name, std::uint32_t bytes,
                      std::vector<value_layout> (*values)()) noexcept;
  // Gives out the number of an event; one that own_event() counts as lost for a second struct of that name
  // with another layout, which end() tells as an earlier failure.
  [[nodiscard]] std::uint32_t describe_event(const void* key, std::string_view name, std::uint32_t bytes,
                                             std::vector<value_layout> (*values)()) noexcept;
  // An event of the game's own in the tick under way, by such a number. False when there was no room, or no
  // tick: counted as lost.
  bool own_event(std::uint32_t number, byte_span content) noexcept;

  // Takes its tick as it is. One of a later tick waits for that tick; one before an event of an earlier tick
  // that has been written comes too late. False when there was no room, or for what no reader takes: more
  // than 60 KiB or 256 sampled positions, an enumeration's value that is none, a tick above 2^53. All of
  // these are counted as lost.
  bool event(const analysis::event& happened) noexcept;

  // What a player said in this tick, as an Opus packet. Only of players who agreed, and only with
  // match_options::record_voice: false otherwise. Also false when there was no room, which counts as
  // lost.
  bool voice_track(std::uint32_t player, bool consented) noexcept;
  bool voice(std::uint32_t player, byte_span opus,
             const icrep::voice::target& to = icrep::order::to_all{}) noexcept;

  // Whether this keyframe must describe the whole world: what it does not mention is gone. Otherwise only
  // changes since the keyframe before need to be described. Always true unless changes_only().
  [[nodiscard]] bool wants_whole_world() const noexcept;
  // From now on the game describes changes, and says what is gone. After a keyframe that was lost the whole
  // world is wanted once.
  void changes_only(bool chosen) noexcept;

  // All of these describe the state at the tick that was begun; they do nothing when no keyframe is due.
  // A new entity needs `archetype`, a name; an existing one keeps its own when it is empty.
  void entity(analysis::unit_tag tag, std::string_view archetype = {}) noexcept;
  // Of the entity named last.
  void component(std::uint32_t slot, byte_span bytes) noexcept;
  // The same, to be written in place before the next call; null when there is nothing to do.
  [[nodiscard]] std::byte* component_room(std::uint32_t slot, std::size_t bytes) noexcept;
  void remove(analysis::unit_tag tag) noexcept;
  void player_field(std::uint32_t player, std::uint32_t slot, byte_span bytes) noexcept;
  void singleton(std::uint32_t slot, byte_span bytes) noexcept;
  void generator(byte_span random_state) noexcept;
  void cell(icrep::cell_position at, std::string_view terrain, std::int32_t amount) noexcept;

  // Gives up the keyframe under way, when it can't be described to its end: it is counted as lost, and
  // another is due later. The tick stays.
  void drop_keyframe() noexcept;

  // The number of a text in the recording's table, the same for the same text; for interned_text members.
  // Allocates for a text that is new. Beyond 1,000,000 texts or 16 MiB it is that of "\uFFFD".
  interned_text intern(std::string_view text) noexcept;

  // threading::pumped: writes what waits; returns whether there was anything. Any thread may call it while
  // the game's goes on, but one at a time, and none while end() runs or `this` is moved.
  bool pump() noexcept;

  // Writes what waits and lays the file out. no_space and what else the system says: then the reel keeps what
  // was written, and recover() goes on from there; laying out needs as much room again as the match has.
  // wrong_state when ended before.
  result<end_report> end(const match_result& how = {}) noexcept;

  [[nodiscard]] match_counters counters() const noexcept;
  // The last error of the file; none again as soon as writing works. over_limit: the last keyframe was lost,
  // since it had more entities or bytes than readers take (icrep/limits.hpp).
  [[nodiscard]] std::optional<error> failure() const;

 private:
  struct state;
  explicit world_recorder(std::unique_ptr<state> owned) noexcept;
  void abandon() noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::game
