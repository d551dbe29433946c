// replay.message.events: chat, pings and messages between players' programs.
//
//   message = tick delta (2 bits: 6, 14, 22 or 32 more bits), user:u5, id:u4, the fields of the id's layout,
//             then padding to the next byte boundary
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"
#include "tickreel/sc2replay/event_stream.hpp"
#include "tickreel/sc2replay/layout.hpp"
#include "tickreel/sc2replay/units.hpp"

namespace tickreel::sc2replay {

enum class message_kind : std::uint8_t { chat, ping, loading_progress, server_ping, reconnect_notify };
[[nodiscard]] std::string_view name(message_kind kind) noexcept;

enum class recipient : std::uint8_t { all, allies, individual, battle_net, observers };
// "all", ...; "unknown" for other numbers.
[[nodiscard]] std::string_view name(recipient who) noexcept;

struct message {
  std::uint64_t tick = 0;  // in loops
  std::uint8_t user = 0;
  message_kind kind = message_kind::chat;
  recipient to = recipient::all;  // of chat and pings
  // Of chat, in UTF-8 as typed; in place.
  std::string_view text;
  map_point place;            // of pings
  std::int32_t progress = 0;  // of loading, 0 to 100
  std::uint8_t status = 0;    // of reconnecting
  // The offset of the message in its stream, and the message itself.
  std::uint64_t offset = 0;
  byte_span bytes;
};

// Reads a stream from its first message to its last byte. Allocates nothing; one thread at a time. The stream
// must outlive the reader and its results. Errors as in game_event_reader.
class message_reader : public event_stream {
 public:
  message_reader(byte_span stream, std::uint32_t base_build) noexcept;

  // False after the last message.
  result<bool> next(message& out) noexcept;

 private:
  std::array<const layout*, 16> layouts_{};
};

}  // namespace tickreel::sc2replay
