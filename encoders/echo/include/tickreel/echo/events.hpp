// Detects events in ticks: goals, saves, stuns, throws, joins and others, counted like players and casters do.
//
//   struct printer final : echo::event_listener {
//     void happened(const echo::event& one) noexcept override;
//   };
//   echo::event_detector found;
//   for each tick:   found.see(number, state, listener);
//   at the end:      found.finish(listener);
//
// A pure function of the ticks: the same ticks produce the same events, live and from a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "tickreel/bytes/span.hpp"
#include "tickreel/echo/event_types.hpp"

namespace tickreel::echo {

// The index is the event's number in files; never reorder, append new ones.
using event_data =
    std::variant<match_started, match_ended, round_started, round_ended, pause_started, pause_ended, joust,
                 disc_thrown, disc_passed, disc_caught, interception, steal, stun_blocked, stun, save, shot,
                 goal, possession_changed, player_joined, player_left, team_changed, ping_spike,
                 restart_requested, payload_changed, team_joust, playspace_exceeded>;
inline constexpr std::size_t event_type_count = std::variant_size_v<event_data>;

// The part of the game's responses that the event comes from.
enum class event_source : std::uint8_t {
  session,     // its id, status, pause, requests, lists of players, pings, payload
  statistics,  // a player's counter rose
  last_score,  // together with the points
  points,      // alone: last_score did not match them
  last_throw,  // of the local player, with the disc
  possession,  // the current or last player with the disc
  flight,      // the disc left a hand
  movement,    // positions and velocities of players
};
[[nodiscard]] std::span<const std::string_view> words(std::type_identity<event_source>) noexcept;

struct event {
  std::uint64_t tick = 0;    // the tick at which it is detected; never falls from event to event
  std::int64_t time_ms = 0;  // that tick's recorded time, since 1970
  float game_clock = -1;     // seconds left; -1: unknown
  event_source derived_from = event_source::session;
  // Its number, moment or players may be wrong: a counter rose by more than one, or ticks before this one are
  // missing.
  bool uncertain = false;
  std::uint32_t count = 1;     // occurrences between the tick before and this one, from the counter
  std::int32_t missed_ms = 0;  // since the tick before, if ticks are missing in between; otherwise 0
  std::int32_t late_ms = 0;    // time between the event and this tick: some events need later ticks
  event_data what;
};
static_assert(std::is_trivially_copyable_v<event>);

// "goal", ... and back to the index. Names are stable; static storage.
[[nodiscard]] std::string_view type_name(const event& happened) noexcept;
[[nodiscard]] std::string_view type_name(std::size_t type) noexcept;
[[nodiscard]] std::optional<std::size_t> event_type_from_name(std::string_view name) noexcept;

// Whether a player with that name, or with that userid or slot as a number, takes part.
[[nodiscard]] bool concerns(const event& happened, std::string_view player) noexcept;

// Appends one line of JSON without its end: tick, time_ms since `first_time_ms`, game_clock, type, the
// fields, derived_from, and uncertain, count, missed_ms and late_ms if they differ from their defaults. An
// unknown player is null. Without `first_time_ms` there is no time_ms.
void append_json(const event& happened, std::optional<std::int64_t> first_time_ms, std::string& out);

// The form of events in reels, as events of this type (version 1, which no release wrote, is read too):
//   u8 version = 2 | number | u8 type
//   | u8 flags: derived_from, + 8 uncertain, 16 count, 32 missed_ms, 64 late_ms, 128 game_clock follow, else 1, 0, 0, -1
//   | the first three | tick | time_ms | f32 game_clock | the fields in order
//
// The number counts a reel's events from 0, so that a missing one is detected. An integer is LEB128, a signed
// one zigzag first; a text is u8 length and bytes, an enumeration and a boolean u8, a position three f32.
inline constexpr std::uint32_t event_record = 0x56544345;  // "ECTV"
inline constexpr std::size_t max_event_record_bytes = 512;
// Writes into `to`, which has space for max_event_record_bytes. Returns the used bytes. Allocates nothing.
[[nodiscard]] std::size_t write_event_record(const event& from, std::uint32_t number,
                                             mutable_byte_span to) noexcept;
struct recorded_event {
  std::uint32_t number = 0;
  event what;
};
// Empty if it is not such a record, or of a later version or type.
[[nodiscard]] std::optional<recorded_event> read_event_record(byte_span record) noexcept;

class event_listener {
 public:
  virtual void happened(const event& what) noexcept = 0;

 protected:
  ~event_listener() = default;
};

// One thread at a time. Allocates only at construction; see() takes about a microsecond.
class event_detector {
 public:
  event_detector();
  event_detector(event_detector&&) noexcept;
  event_detector& operator=(event_detector&&) noexcept;
  ~event_detector();

  // The next tick. `tick` rises by one unless ticks are missing in between. The first one begins the match:
  // its counters and players are the initial state.
  void see(std::uint64_t tick, const state& now, event_listener& to) noexcept;
  // Ticks are missing before the next one, regardless of its number and time.
  void note_lost() noexcept;
  // The time since the tick before the last one, if ticks are missing in between; otherwise 0.
  [[nodiscard]] std::int32_t missed_ms() const noexcept;
  // No more ticks: reports pending events.
  void finish(event_listener& to) noexcept;
  // Resets all state.
  void clear() noexcept;

 private:
  struct memory;
  std::unique_ptr<memory> memory_;
};

}  // namespace tickreel::echo
