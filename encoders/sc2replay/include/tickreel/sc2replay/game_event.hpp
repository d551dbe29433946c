// replay.game.events: the actions of every user.
//
//   event = tick delta (2 bits: 6, 14, 22 or 32 more bits), user:u5, id:u7, the fields of the id's layout,
//           then padding to the next byte boundary
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"
#include "tickreel/sc2replay/event_stream.hpp"
#include "tickreel/sc2replay/interpret.hpp"
#include "tickreel/sc2replay/layout.hpp"

namespace tickreel::sc2replay {

// The user of events without a user.
inline constexpr std::uint8_t global_user = 16;

// Events with structs, see game_actions.hpp. The same in all builds, unlike ids.
enum class game_event_kind : std::uint8_t {
  other,
  command,
  selection_delta,
  control_group_update,
  camera_update,
  resource_trade,
  resource_request,
  resource_request_fulfill,
  resource_request_cancel,
  trigger_ping,
  player_leave,     // before 2.0
  game_user_leave,  // from 2.0 on
  game_user_join,
  command_update_target_point,
  command_update_target_unit,
};

// Reused by game_event_reader; about 14 kB, so keep one and do not copy it. Single values are in slots,
// arrays of numbers in one list.
struct game_event {
  static constexpr std::size_t slot_limit = 64;
  static constexpr std::size_t list_limit = 3584;

  std::uint64_t tick = 0;  // in loops
  std::uint8_t user = 0;   // 0 to 15, or global_user
  game_event_kind kind = game_event_kind::other;
  // Never null once filled: the name and the data of raw access.
  const layout* what = nullptr;
  std::uint32_t base_build = 0;  // of the layouts it was read with
  // The offset of the event in its stream, and the event itself; valid as long as the stream.
  std::uint64_t offset = 0;
  byte_span bytes;
  // The start of the fields, after delta, user and id.
  std::uint64_t body_bit = 0;

  [[nodiscard]] std::string_view name() const noexcept { return what->name; }

  // Raw access by field name, for single numbers outside of arrays: "base_build_num". The first of that name;
  // false if the event has none or it is absent. To read several numbers of an event, use read_layout().
  [[nodiscard]] bool number(std::string_view field, std::int64_t& out) const noexcept;
  // Passes the event's fields to a sink.
  template <class Sink>
  void visit(Sink& sink) const noexcept {
    packed_reader from(bytes, offset);
    from.skip_bits(body_bit);
    read_layout(what->ops, from, sink);
  }

  // For the functions of game_actions.hpp. A slot contains a number, or for other values: a blob: offset in
  // the stream << 16 | size; a bit array: offset in bits << 16 | count; a list: index << 16 | number of
  // values; a choice: the number of the alternative.
  [[nodiscard]] bool has(unsigned slot) const noexcept { return (filled >> slot & 1) != 0; }
  [[nodiscard]] std::int64_t slot(unsigned number) const noexcept { return slots[number]; }
  std::uint64_t filled = 0;  // bit n: slot n
  std::array<std::int64_t, slot_limit> slots;
  std::array<std::uint32_t, list_limit> list;
};

// Reads a stream from its first event to its last byte. Allocates nothing; one thread at a time.
//
// An error contains the offset in the stream, and is final: earlier events are valid. Base builds newer than
// newest_known_base_build are read with the newest layouts, so an error may occur anywhere.
class game_event_reader : public event_stream {
 public:
  // The stream must outlive the reader and its results. Of base builds 15133 to 15623 only 15405 is known;
  // for the others the layouts are tried on the whole stream: first those of 15405, then the beta's.
  game_event_reader(byte_span stream, std::uint32_t base_build) noexcept;

  // False after the last event. malformed: an id that this build lacks, or a choice without such an
  // alternative; truncated: the stream ends inside an event.
  result<bool> next(game_event& out) noexcept;

 private:
  std::array<const layout*, 128> layouts_{};
  std::array<game_event_kind, 128> kinds_{};
};

}  // namespace tickreel::sc2replay
